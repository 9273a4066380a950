package em

import (
	"context"
	"slices"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/mle"
)

// machine runs the compiled program on rows.
type machine struct {
	*eval.Machine
	of     *compiler.Result
	m      *model.Model
	first  int // the number of its first factor among those of the estimator
	entry  *ir.Entry
	now    row // the evidence that is entered
	out    []float64
	params []ir.SpanID // by factor
	given  float64     // what to add to ln P of a row, since given variables are drawn uniformly
}

// compile builds the machines, for a model of tables and Gaussian CPDs. Means of real variables
// begin at the data's means, to which the program's numbers are relative.
func (x *expecter) compile(ctx context.Context, tables [][]float64, maxMem int64) error {
	flat := *x.m
	flat.Vars, flat.Factors = slices.Clone(x.m.Vars), nil
	query := ir.Gradient
	for i, f := range x.m.Factors {
		g := &model.Factor{Scope: f.Scope, Child: f.Child, Dist: &model.Table{Values: tables[i]}, Pos: f.Pos}
		if d := f.Gaussian(); d != nil {
			query, g.Dist = ir.Statistics, x.est.Independent(i)
		}
		flat.Factors = append(flat.Factors, g)
	}
	given := drawGiven(&flat, len(flat.Vars))
	r, err := compiler.Compile(ctx, &flat, compiler.Options{Queries: []string{query.String()}, Params: ir.Var, MaxMem: maxMem, Interpreted: true, Unnormalised: true})
	if err != nil {
		return err
	}
	for _, c := range x.cores {
		c.machine = newMachine(r, len(x.m.Vars))
		c.machine.given = given
	}
	return nil
}

// newMachine returns the machine of a compiled program, for rows of n variables.
func newMachine(r *compiler.Result, n int) *machine {
	mc := &machine{Machine: eval.New(r.Program, r.Model), of: r, m: r.Model, entry: &r.Program.Entries[0], params: r.Program.ParamSpans(), now: newRow(n)}
	for v := range mc.now.state {
		mc.now.state[v] = data.Missing
	}
	return mc
}

// row adds the expected counts of a row, times its weight, to tables and returns its
// log-probability.
func (mc *machine) row(est *mle.Estimator, r *row, w float64, tables [][]float64) (float64, error) {
	if err := mc.infer(r); err != nil {
		return 0, err
	}
	mc.add(est, w, tables)
	return mc.LogP() + mc.given, nil
}

// infer runs the program on a row.
func (mc *machine) infer(r *row) error {
	if err := mc.enter(r); err != nil {
		return err
	}
	return mc.Run(mc.entry)
}

// add adds the expected counts of the last row, times its weight, to the tables of the first
// factors.
func (mc *machine) add(est *mle.Estimator, w float64, tables [][]float64) {
	for i, table := range tables {
		real := mc.m.Factors[i].Gaussian() != nil
		mc.out = slices.Grow(mc.out[:0], len(table))[:len(table)]
		if real {
			mc.Statistics(i, mc.out)
			est.TallyExpected(mc.first+i, table, mc.out, w)
			continue
		}
		mc.Counts(i, mc.out)
		for k, c := range mc.out {
			table[k] += w * c
		}
	}
}

// enter enters the observed values of a row as evidence.
func (mc *machine) enter(r *row) error {
	for v, s := range r.state {
		id := model.VarID(v)
		if s == mc.now.state[v] && r.value[v] == mc.now.value[v] {
			continue
		}
		mc.now.state[v], mc.now.value[v] = s, r.value[v]
		if s == data.Missing {
			mc.Retract(id)
		} else if err := mc.Set(id, model.Value{State: s, Real: r.value[v]}); err != nil {
			return err
		}
	}
	return nil
}
