package em

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/mle"
)

// Rows are computed in at most this many parts, whose counts are added in order. There are fewer
// parts if the counts of all parts would have more than maxExtra numbers.
const (
	maxParts = 16
	maxExtra = 1 << 24
)

// maxListed is the most completions of a row that are listed. If there are more, a program computes
// the expected counts.
const maxListed = 512

// expecter computes expected counts.
type expecter struct {
	m      *model.Model
	est    *mle.Estimator
	set    *data.Set
	column []int
	rows   []int      // rows that miss a value
	whole  mle.Counts // counts of the complete rows
	cores  []*core
	parts  int
	listed int // most completions that are listed
}

// core is the state of one worker.
type core struct {
	lister  *Lister
	machine *machine // nil if no row has too many completions to list
}

// machine runs the compiled program on rows.
type machine struct {
	*eval.Machine
	entry  *ir.Entry
	state  []int // by VarID: the observed states
	out    []float64
	params []ir.SpanID // by factor
}

// limits bound the work of an expecter.
type limits struct {
	cores  int
	maxMem int64 // of a compiled program, in bytes
	listed int   // the most completions of a row that are listed
}

func newExpecter(ctx context.Context, m *model.Model, est *mle.Estimator, s *data.Set, column []int, most limits) (*expecter, error) {
	x := &expecter{m: m, est: est, set: s.Merged(), column: column, listed: most.listed}
	var err error
	if x.whole, err = est.Zero(); err != nil {
		return nil, err
	}
	missed, state := make([]float64, len(m.Factors)), make([]int, len(m.Vars))
	for row := range x.set.Len() {
		mle.States(x.set, row, column, state)
		if slices.Contains(state, data.Missing) {
			x.rows = append(x.rows, row)
		} else {
			est.Tally(x.whole, state, x.set.Weight(row), missed)
		}
	}
	if len(x.rows) == 0 {
		return x, nil
	}
	tables, err := tabulate(m)
	if err != nil {
		return nil, err
	}
	numbers := 0
	for _, t := range tables {
		numbers += len(t)
	}
	x.parts = min(maxParts, max(1, maxExtra/numbers), len(x.rows))
	for range min(max(1, most.cores), x.parts) {
		l, err := NewLister(m)
		if err != nil {
			return nil, err
		}
		x.cores = append(x.cores, &core{lister: l})
	}
	if MostCompletions(m, x.set, column, most.listed+1) > most.listed {
		return x, x.compile(ctx, tables, most.maxMem)
	}
	return x, nil
}

// compile builds the machines, for a model whose CPDs are all tables.
func (x *expecter) compile(ctx context.Context, tables [][]float64, maxMem int64) error {
	flat := *x.m
	flat.Factors = nil
	for i, f := range x.m.Factors {
		flat.Factors = append(flat.Factors, &model.Factor{Scope: f.Scope, Child: f.Child, Dist: &model.Table{Values: tables[i]}, Pos: f.Pos})
	}
	r, err := compiler.Compile(ctx, &flat, compiler.Options{Queries: []string{ir.Gradient.String()}, Params: ir.Var, MaxMem: maxMem})
	if err != nil {
		return err
	}
	for _, c := range x.cores {
		c.machine = &machine{Machine: eval.New(r.Program, r.Model), entry: &r.Program.Entries[0], params: r.Program.ParamSpans(),
			state: slices.Repeat([]int{data.Missing}, len(x.m.Vars))}
	}
	return nil
}

// expect returns the expected counts under the parameters of m and the log-likelihood of all rows.
func (x *expecter) expect(ctx context.Context, m *model.Model) (mle.Counts, float64, error) {
	logP := 0.0
	for i := range m.Factors {
		logP += x.est.LogLikelihood(i, x.whole, m)
	}
	n, err := x.est.Zero()
	if err != nil {
		return nil, 0, err
	}
	x.est.Add(n, x.whole)
	if len(x.rows) == 0 {
		return n, logP, nil
	}
	if err := x.load(m); err != nil {
		return nil, 0, err
	}
	parts := make([]part, x.parts)
	learner.Each(len(x.cores), len(x.cores), func(core int) {
		for k := core; k < len(parts); k += len(x.cores) {
			parts[k] = x.part(ctx, x.cores[core], len(x.rows)*k/len(parts), len(x.rows)*(k+1)/len(parts))
		}
	})
	all := parts[0]
	for k := range parts {
		if parts[k].err != nil {
			return nil, 0, parts[k].err
		}
		if k == 0 {
			continue
		}
		all.logP += parts[k].logP
		for i, table := range parts[k].tables {
			for at, n := range table {
				all.tables[i][at] += n
			}
		}
	}
	folded, err := x.est.FromTables(all.tables)
	if err != nil {
		return nil, 0, err
	}
	x.est.Add(n, folded)
	return n, logP + all.logP, nil
}

// load sets the parameters of m in all workers.
func (x *expecter) load(m *model.Model) error {
	tables, err := tabulate(m)
	if err != nil {
		return err
	}
	for _, c := range x.cores {
		c.lister.tables = tables
		if c.machine == nil {
			continue
		}
		for i, values := range tables {
			if err := c.machine.SetParams(c.machine.params[i], values); err != nil {
				return err
			}
		}
	}
	return nil
}

// part is the sum over some rows.
type part struct {
	tables [][]float64 // by factor
	logP   float64
	err    error
}

// part computes the rows from first up to end.
func (x *expecter) part(ctx context.Context, c *core, first, end int) part {
	p := part{}
	for _, f := range x.m.Factors {
		size, _ := x.m.TableSize(f.Scope)
		p.tables = append(p.tables, make([]float64, size))
	}
	state := make([]int, len(x.m.Vars))
	for _, row := range x.rows[first:end] {
		if p.err = ctx.Err(); p.err != nil {
			return p
		}
		w := x.set.Weight(row)
		if w == 0 {
			continue
		}
		mle.States(x.set, row, x.column, state)
		_, logP, ok := c.lister.List(state, x.listed)
		switch {
		case !ok:
			logP, p.err = c.machine.row(state, w, p.tables)
		case math.IsInf(logP, -1):
			p.err = eval.ErrImpossible
		default:
			c.lister.Count(w, p.tables)
		}
		if p.err != nil {
			p.err = x.impossible(p.err, state)
			return p
		}
		p.logP += w * logP
	}
	return p
}

// row adds the expected counts of a row, times its weight, to tables and returns its
// log-probability.
func (mc *machine) row(state []int, w float64, tables [][]float64) (float64, error) {
	if err := mc.enter(state); err != nil {
		return 0, err
	}
	if err := mc.Run(mc.entry); err != nil {
		return 0, err
	}
	for i, table := range tables {
		mc.out = slices.Grow(mc.out[:0], len(table))[:len(table)]
		mc.Counts(i, mc.out)
		for k, c := range mc.out {
			table[k] += w * c
		}
	}
	return mc.LogP(), nil
}

// enter enters the observed values of a row as evidence.
func (mc *machine) enter(state []int) error {
	for v, s := range state {
		if s == mc.state[v] {
			continue
		}
		mc.state[v] = s
		if s == data.Missing {
			mc.Retract(model.VarID(v))
		} else if err := mc.Observe(model.VarID(v), s); err != nil {
			return err
		}
	}
	return nil
}

// impossible returns an error that names a row of probability 0.
func (x *expecter) impossible(err error, state []int) error {
	if !errors.Is(err, eval.ErrImpossible) {
		return err
	}
	const most = 10
	var seen []string
	for v, s := range state {
		if s == data.Missing {
			continue
		}
		if len(seen) == most {
			seen = append(seen, "...")
			break
		}
		seen = append(seen, fmt.Sprintf("%s=%s", x.m.Vars[v].Name, x.m.States(model.VarID(v))[s]))
	}
	return fmt.Errorf("a row has probability 0 under the numbers of the model, from which EM can't learn: %s; want numbers above 0 to begin with, as random ones are", strings.Join(seen, ", "))
}

// entropy returns the entropy of the missing values given the observed ones. It is the difference
// between the log-likelihood and the expected log-likelihood of the families.
func (x *expecter) entropy(m *model.Model, n mle.Counts, logP float64) (families []float64, entropy float64) {
	entropy = logP
	for i := range m.Factors {
		families = append(families, x.est.LogLikelihood(i, n, m))
		entropy -= families[i]
	}
	if math.IsInf(logP, -1) {
		entropy = 0
	}
	return families, entropy
}
