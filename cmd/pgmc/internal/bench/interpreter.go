package bench

import (
	"fmt"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/model"
)

// interpreter runs one query of a program in process. It calls the machine directly, so that the
// time of infer.Engine's checks does not count.
type interpreter struct {
	*eval.Machine
	model *model.Model
	entry *ir.Entry
	vars  []model.VarID
}

func newInterpreter(r *compiler.Result, query ir.QueryKind) *interpreter {
	return &interpreter{eval.New(r.Program, r.Model), r.Model, r.Program.Entry(query.String()), observable(r.Model)}
}

// run runs the query for a set of evidence.
func (in *interpreter) run(set []*float64) error {
	in.ClearEvidence()
	for i, x := range set {
		if x == nil {
			continue
		}
		value := model.Value{State: int(*x) - 1}
		if in.model.IsReal(in.vars[i]) {
			value = model.Value{Real: *x}
		}
		if err := in.Set(in.vars[i], value); err != nil {
			return err
		}
	}
	return in.Run(in.entry)
}

// answers returns, for each set of evidence, ln P and the numbers of the results.
func (in *interpreter) answers(sets [][]*float64) ([][]float64, error) {
	list := make([][]float64, len(sets))
	for i, set := range sets {
		if err := in.run(set); err != nil {
			return nil, fmt.Errorf("the interpreter, set %d of the evidence: %w", i+1, err)
		}
		list[i] = []float64{in.LogP()}
		for k := range in.entry.Outs {
			list[i] = append(list[i], in.Posterior(k)...)
		}
	}
	return list, nil
}
