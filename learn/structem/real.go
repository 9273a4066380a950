package structem

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/mle"
)

// drawer draws the missing values of rows with real variables.
type drawer struct {
	*eval.Machine
	m     *model.Model
	entry *ir.Entry
	out   []int         // by variable: the number of its posterior in the answer
	order []model.VarID // discrete variables first
	value []model.Value // by variable
	set   []bool        // by variable: whether it has a value
	rng   *rand.Rand
}

// completeReal returns the set of the completions of all rows of s: a complete row itself, and
// draws of the others, which share its weight.
func (r *round) completeReal(ctx context.Context, m *model.Model, s *data.Set, column []int, draws int) (*data.Set, error) {
	seen := *m // hidden variables have posteriors too
	seen.Vars = nil
	for _, v := range m.Vars {
		w := *v
		w.Latent = false
		seen.Vars = append(seen.Vars, &w)
	}
	compiled, err := compiler.Compile(ctx, &seen, compiler.Options{Queries: []string{ir.Marginals.String()}, MaxMem: r.job.MaxMem, Interpreted: true})
	if err != nil {
		return nil, err
	}
	found := make([][][]float64, s.Len())
	errs := make([]error, s.Len())
	cores := max(1, r.job.Cores)
	learner.Each(cores, cores, func(core int) {
		d := newDrawer(compiled, m)
		for row := core; row < s.Len() && ctx.Err() == nil; row += cores {
			d.rng = rand.New(rand.NewPCG(r.job.Seed, uint64(row)))
			found[row], errs[row] = d.row(s, row, column, draws)
		}
	})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var rows [][]float64
	var weights []float64
	for row, list := range found {
		if errs[row] != nil {
			return nil, errs[row]
		}
		for _, x := range list {
			rows, weights = append(rows, x), append(weights, s.Weight(row)/float64(len(list)))
		}
	}
	return data.NewReal(r.vars, rows, weights)
}

func newDrawer(compiled *compiler.Result, m *model.Model) *drawer {
	d := &drawer{m: m, Machine: eval.New(compiled.Program, compiled.Model), entry: &compiled.Program.Entries[0], out: make([]int, len(m.Vars)),
		value: make([]model.Value, len(m.Vars)), set: make([]bool, len(m.Vars))}
	for k, id := range d.entry.Outs {
		d.out[compiled.Program.Spans[id].Var] = k
	}
	for _, real := range []bool{false, true} {
		for _, v := range m.Vars {
			if m.IsReal(v.ID) == real {
				d.order = append(d.order, v.ID)
			}
		}
	}
	return d
}

// row returns the completions of a row: the row itself if it misses nothing.
func (d *drawer) row(s *data.Set, row int, column []int, draws int) (rows [][]float64, err error) {
	state, value := make([]int, len(d.set)), make([]float64, len(d.set))
	mle.States(s, row, column, state)
	mle.Values(s, row, column, value)
	if !slices.Contains(state, data.Missing) {
		draws = 1
	}
	for range draws {
		d.ClearEvidence()
		for v, x := range state {
			if d.set[v] = x != data.Missing; !d.set[v] {
				continue
			}
			d.value[v] = model.Value{State: x, Real: value[v]}
			if err := d.Set(model.VarID(v), d.value[v]); err != nil {
				return nil, err
			}
		}
		if err := d.complete(); err != nil {
			return nil, err
		}
		rows = append(rows, d.numbers())
	}
	return rows, nil
}

// complete draws the missing values. Once the discrete variables have states, the posterior of a
// real one is a normal distribution, so that its mean and its variance suffice.
func (d *drawer) complete() error {
	for _, v := range d.order {
		if d.set[v] {
			continue
		}
		if err := d.Run(d.entry); err != nil {
			return err
		}
		p := d.Posterior(d.out[v])
		d.value[v] = d.draw(v, p)
		if err := d.Set(v, d.value[v]); err != nil {
			return err
		}
	}
	return nil
}

// draw draws a value from a posterior: the probabilities of states, or a mean and a variance.
func (d *drawer) draw(v model.VarID, p []float64) model.Value {
	if d.m.IsReal(v) {
		return model.Value{Real: p[0] + math.Sqrt(max(0, p[1]))*d.rng.NormFloat64()}
	}
	u, last := d.rng.Float64(), 0
	for k, x := range p {
		if x > 0 {
			last = k
		}
		if u -= x; u < 0 && x > 0 {
			return model.Value{State: k}
		}
	}
	return model.Value{State: last}
}

// numbers returns the values as a row of data.NewReal.
func (d *drawer) numbers() []float64 {
	out := make([]float64, len(d.value))
	for v, x := range d.value {
		out[v] = float64(x.State)
		if d.m.IsReal(model.VarID(v)) {
			out[v] = x.Real
		}
	}
	return out
}
