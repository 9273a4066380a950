package bench

import (
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/model"
)

// interpreter runs the program of ln P(evidence) in process. It calls the machine directly, so that
// the time of infer.Engine's checks does not count.
type interpreter struct {
	*eval.Machine
	entry *ir.Entry
	vars  []model.VarID
}

func newInterpreter(r *compiler.Result) *interpreter {
	return &interpreter{eval.New(r.Program, r.Model), r.Program.Entry(ir.LogProb.String()), observable(r.Model)}
}

// logProb returns ln P of a set of evidence.
func (in *interpreter) logProb(set []int) (float64, error) {
	in.ClearEvidence()
	for i, state := range set {
		if state == 0 {
			continue
		}
		if err := in.Observe(in.vars[i], state-1); err != nil {
			return 0, err
		}
	}
	err := in.Run(in.entry)
	return in.LogP(), err
}
