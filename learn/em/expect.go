package em

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/mle"
)

// Rows are computed in at most this many parts. The counts of the parts are added in order. There
// are fewer parts if the counts of all parts would have more than maxExtra numbers.
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
	lister  *Lister  // nil if the model has real variables
	machine *machine // nil if no row has too many completions to list
	row     row
}

// row is a row of the data, by VarID.
type row struct {
	state []int     // data.Missing for a missing value, and 0 for a value of a real variable
	value []float64 // those of real variables; 0 if missing
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
	missed, r := make([]float64, len(m.Factors)), x.newRow()
	for i := range x.set.Len() {
		x.read(i, &r)
		if w := x.set.Weight(i); slices.Contains(r.state, data.Missing) {
			x.rows = append(x.rows, i)
		} else if w > 0 {
			est.Tally(x.whole, r.state, w, missed)
			est.TallyReal(x.whole, r.state, r.value, w)
		}
	}
	if len(x.rows) == 0 {
		return x, nil
	}
	tables, err := numbersOf(m)
	if err != nil {
		return nil, err
	}
	numbers := 0
	for _, t := range tables {
		numbers += len(t)
	}
	x.parts = min(maxParts, max(1, maxExtra/numbers), len(x.rows))
	real := len(m.Reals()) > 0
	for range min(max(1, most.cores), x.parts) {
		c := &core{row: x.newRow()}
		if !real {
			if c.lister, err = NewLister(m); err != nil {
				return nil, err
			}
		}
		x.cores = append(x.cores, c)
	}
	if real || MostCompletions(m, x.set, column, most.listed+1) > most.listed {
		return x, x.compile(ctx, tables, most.maxMem)
	}
	return x, nil
}

// newRow returns a row of the length of the model.
func (x *expecter) newRow() row { return newRow(len(x.m.Vars)) }

// newRow returns a row of n variables.
func newRow(n int) row { return row{make([]int, n), make([]float64, n)} }

// read reads row i of the data.
func (x *expecter) read(i int, r *row) {
	mle.States(x.set, i, x.column, r.state)
	mle.Values(x.set, i, x.column, r.value)
}

// numbersOf returns the numbers of all factors: tables, and the columns of Gaussian CPDs.
func numbersOf(m *model.Model) ([][]float64, error) {
	var numbers [][]float64
	for _, f := range m.Factors {
		values, err := numbersOfFactor(m, f)
		if err != nil {
			return nil, err
		}
		numbers = append(numbers, values)
	}
	return numbers, nil
}

func numbersOfFactor(m *model.Model, f *model.Factor) ([]float64, error) {
	if d := f.Gaussian(); d != nil {
		return d.Columns(), nil
	}
	return m.Tabulate(f, compiler.DefaultMaxTable)
}

// expect returns the expected counts under the parameters of m and the log-likelihood of all rows.
func (x *expecter) expect(ctx context.Context, m *model.Model) (mle.Counts, float64, error) {
	n, logP, err := expectWhole(x.est, x.whole, m)
	if err != nil || len(x.rows) == 0 {
		return n, logP, err
	}
	if err := x.load(m); err != nil {
		return nil, 0, err
	}
	parts, err := inParts(x.cores, x.parts, x.rows, func(c *core, rows []int) part { return x.part(ctx, c, rows) })
	if err != nil {
		return nil, 0, err
	}
	all := parts[0]
	for _, p := range parts[1:] {
		all.logP += p.logP
		for i, table := range p.tables {
			if x.m.Factors[i].Gaussian() != nil {
				x.est.Merge(i, all.tables[i], table)
				continue
			}
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

// expectWhole returns a copy of the counts of complete rows, and their log-likelihood under the
// parameters of m.
func expectWhole(est *mle.Estimator, whole mle.Counts, m *model.Model) (mle.Counts, float64, error) {
	logP := 0.0
	for i := range m.Factors {
		logP += est.LogLikelihood(i, whole, m)
	}
	n, err := est.Zero()
	if err != nil {
		return nil, 0, err
	}
	est.Add(n, whole)
	return n, logP, nil
}

// inParts computes n parts of a list, each on one of the cores, and returns the error of the first
// part that has one.
func inParts[C any](cores []C, n int, list []int, compute func(c C, list []int) part) ([]part, error) {
	parts := make([]part, n)
	learner.Each(len(cores), len(cores), func(core int) {
		for k := core; k < n; k += len(cores) {
			parts[k] = compute(cores[core], list[len(list)*k/n:len(list)*(k+1)/n])
		}
	})
	for _, p := range parts {
		if p.err != nil {
			return nil, p.err
		}
	}
	return parts, nil
}

// load sets the parameters of m in all workers.
func (x *expecter) load(m *model.Model) error {
	tables, err := numbersOf(m)
	if err != nil {
		return err
	}
	for _, c := range x.cores {
		if c.lister != nil {
			c.lister.tables = tables
		}
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

// part computes some rows.
func (x *expecter) part(ctx context.Context, c *core, rows []int) part {
	p := part{tables: emptyTables(x.m)}
	for _, row := range rows {
		if p.err = ctx.Err(); p.err != nil {
			return p
		}
		w := x.set.Weight(row)
		if w == 0 {
			continue
		}
		x.read(row, &c.row)
		logP, err := x.row(c, w, p.tables)
		if err != nil {
			p.err = x.impossible(err, &c.row)
			return p
		}
		p.logP += w * logP
	}
	return p
}

// emptyTables returns a table of zeros for each factor over its scope, or for the statistics of a
// Gaussian CPD.
func emptyTables(m *model.Model) (tables [][]float64) {
	for _, f := range m.Factors {
		size, _ := m.TableSize(f.Scope)
		if d := f.Gaussian(); d != nil {
			size = d.Statistics()
		}
		tables = append(tables, make([]float64, size))
	}
	return tables
}

// row adds the expected counts of the row that the worker has read, times its weight, to tables and
// returns its log-probability.
func (x *expecter) row(c *core, w float64, tables [][]float64) (float64, error) {
	if c.lister == nil {
		return c.machine.row(x.est, &c.row, w, tables)
	}
	_, logP, ok := c.lister.List(c.row.state, x.listed)
	switch {
	case !ok:
		return c.machine.row(x.est, &c.row, w, tables)
	case math.IsInf(logP, -1):
		return 0, eval.ErrImpossible
	}
	c.lister.Count(w, tables)
	return logP, nil
}

// impossible returns an error that names a row of probability 0.
func (x *expecter) impossible(err error, r *row) error {
	if !errors.Is(err, eval.ErrImpossible) {
		return err
	}
	return fmt.Errorf("a row has probability 0 under the numbers of the model, from which no fit can begin: %s; want numbers above 0 to begin with, as random ones are", observed(x.m, r))
}

// observed lists the first values of a row.
func observed(m *model.Model, r *row) string {
	const most = 10
	var seen []string
	for v, s := range r.state {
		if s == data.Missing {
			continue
		}
		if len(seen) == most {
			seen = append(seen, "...")
			break
		}
		value := strconv.FormatFloat(r.value[v], 'g', -1, 64)
		if !m.IsReal(model.VarID(v)) {
			value = m.States(model.VarID(v))[s]
		}
		seen = append(seen, m.Vars[v].Name+"="+value)
	}
	return strings.Join(seen, ", ")
}
