package em

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/mle"
)

// RunSequences fits the parameters of a template to the sequences of s. static is the network of
// its first two slices with the CPDs that are tied, see package template. column holds the column
// of each variable of the template, or -1. The model of the result is static with other numbers.
func RunSequences(ctx context.Context, t, static *model.Model, s *data.Set, column []int, opt RunOptions, job *learner.Job) (*Fit, error) {
	opt, err := opt.withDefaults()
	if err != nil {
		return nil, err
	}
	static, rows := static.NormalizeRows(model.RowsUniform)
	if rows.HasErrors() {
		return nil, rows.Err()
	}
	real := len(t.Reals()) > 0
	if real && opt.Ascent {
		return nil, fmt.Errorf("gradient ascent takes no real variables, and %q is one; want EM", t.Vars[t.Reals()[0]].Name)
	}
	if real {
		of := marginals(t, s, column)
		opt.Marginals = append(of, of...)
	}
	est, err := mle.New(static, opt.Options)
	if err != nil {
		return nil, err
	}
	if opt.Mode && est.Least() < 1 {
		return nil, fmt.Errorf("a prior with a pseudo-count of %v has no mode to climb to; want pseudo-counts of at least 1, as of prior k2, or the posterior mean", est.Least())
	}
	if opt.Conditional != nil {
		if err := checkTargets(t, s, column, opt.Conditional); err != nil {
			return nil, err
		}
		if i := slices.IndexFunc(t.Transition.Before, t.IsReal); i >= 0 {
			return nil, fmt.Errorf("a conditional fit of sequences takes no real variables that persist, and %q is one", t.Vars[t.Transition.Before[i]].Name)
		}
	}
	x := &sequences{t: t, static: static, est: est, set: s, column: column}
	if real {
		x.static = est.Positive(static)
	}
	if err := x.prepare(ctx, job); err != nil {
		return nil, err
	}
	if opt.Earlier != nil {
		est.Add(x.whole, opt.Earlier)
	}
	of := &search{m: x.static, est: est, by: est, expect: x.expect}
	if opt.Conditional != nil {
		y := &sequences{t: t, static: x.static, est: est, set: s, column: without(column, opt.Conditional)}
		if err := y.prepare(ctx, job); err != nil {
			return nil, err
		}
		if err := of.discriminate(ctx, y.expect, &opt); err != nil {
			return nil, err
		}
	}
	fit, err := of.starts(ctx, opt, job)
	if fit != nil && len(x.cores) > 0 {
		_, fit.Approximate = x.cores[0].(*switching)
	}
	return fit, err
}

// sequences computes expected counts of sequences: the CPDs' of slice 0, then the CPDs' of the
// transition.
type sequences struct {
	t, static *model.Model
	est       *mle.Estimator
	set       *data.Set
	column    []int
	open      []int      // the sequences that miss a value
	whole     mle.Counts // of the others
	cores     []slicer
	parts     int
}

// slicer infers in the slices of a sequence, one sequence at a time.
type slicer interface {
	load(m *model.Model) error // sets the numbers of the static network
	// sequence adds the expected counts of a sequence to tables, and returns its log-probability.
	sequence(est *mle.Estimator, rows []row, tables [][]float64) (float64, error)
	clone() (slicer, error)
}

// sliceError is an error about one slice of a sequence.
type sliceError struct {
	t   int
	err error
}

// Error names the slice.
func (e *sliceError) Error() string { return fmt.Sprintf("slice %d: %v", e.t, e.err) }

// Unwrap returns the error about the slice.
func (e *sliceError) Unwrap() error { return e.err }

// prepare counts the sequences that miss no value, and makes slicers for the others.
func (x *sequences) prepare(ctx context.Context, job *learner.Job) error {
	var err error
	if x.whole, err = x.est.Zero(); err != nil {
		return err
	}
	complete := x.tallier()
	for k := range x.set.Sequences() {
		rows := x.read(k)
		if err := x.checkGiven(k, rows); err != nil {
			return err
		}
		if slices.ContainsFunc(rows, func(r row) bool { return slices.Contains(r.state, data.Missing) }) {
			x.open = append(x.open, k)
		} else {
			complete.add(rows)
		}
	}
	if len(x.open) == 0 {
		return nil
	}
	one, err := x.slicer(ctx, job.MaxMem)
	if err != nil {
		return err
	}
	x.cores = []slicer{one}
	x.parts = min(maxParts, len(x.open))
	for len(x.cores) < min(max(1, job.Cores), x.parts) {
		c, err := one.clone()
		if err != nil {
			return err
		}
		x.cores = append(x.cores, c)
	}
	return nil
}

// checkGiven returns an error if a sequence misses a value of a given variable.
func (x *sequences) checkGiven(k int, rows []row) error {
	for t := range rows {
		for _, v := range x.t.Vars {
			if v.Given && rows[t].state[v.ID] == data.Missing {
				return fmt.Errorf("slice %d of sequence %d of %d misses a value of %q, which is given; want one in all slices", t, k+1, x.set.Sequences(), v.Name)
			}
		}
	}
	return nil
}

// slicer returns the slicer of the template.
func (x *sequences) slicer(ctx context.Context, maxMem int64) (slicer, error) {
	persists := slices.IndexFunc(x.t.Transition.Before, x.t.IsReal)
	discrete := slices.IndexFunc(x.t.Vars, func(v *model.Var) bool { return !x.t.IsReal(v.ID) })
	switch {
	case discrete < 0:
		return newKalman(x.t), nil
	}
	for _, f := range x.t.Factors {
		if _, diffuse := f.Dist.(*model.Diffuse); diffuse {
			return nil, fmt.Errorf("the %s is diffuse in a network with states, under which EM does not infer; want a prior of large variance", x.t.FactorName(f))
		}
	}
	if persists >= 0 {
		return newSwitching(x.t, x.static)
	}
	if _, err := positive(x.static, x.est); err != nil {
		return nil, err
	}
	return newTabular(ctx, x.t, x.est, maxMem)
}

// read returns the rows of a sequence.
func (x *sequences) read(k int) []row {
	first, end := x.set.Sequence(k)
	rows := make([]row, 0, end-first)
	for i := first; i < end; i++ {
		r := newRow(len(x.t.Vars))
		mle.States(x.set, i, x.column, r.state)
		mle.Values(x.set, i, x.column, r.value)
		rows = append(rows, r)
	}
	return rows
}

// tallier counts sequences that miss no value.
type tallier struct {
	x           *sequences
	first, next mle.Counts // the counts of the CPDs of slice 0, or of a step; others are not used
	both        row        // of two slices
	missed      []float64
}

func (x *sequences) tallier() *tallier {
	c := &tallier{x: x, both: newRow(2 * len(x.t.Vars)), missed: make([]float64, len(x.whole))}
	for i, n := range x.whole {
		unused := make([]float64, len(n))
		if i < len(x.t.Factors) {
			c.first, c.next = append(c.first, n), append(c.next, unused)
		} else {
			c.first, c.next = append(c.first, unused), append(c.next, n)
		}
	}
	return c
}

// add adds a sequence.
func (c *tallier) add(rows []row) {
	n, counts := 0, c.first
	for _, r := range rows {
		copy(c.both.state[n:], r.state)
		copy(c.both.value[n:], r.value)
		c.x.est.Tally(counts, c.both.state, 1, c.missed)
		c.x.est.TallyReal(counts, c.both.state, c.both.value, 1)
		copy(c.both.state, r.state)
		copy(c.both.value, r.value)
		n, counts = len(r.state), c.next
	}
}

// expect returns the expected counts under the parameters of m, a static network, and the
// log-likelihood of all sequences.
func (x *sequences) expect(ctx context.Context, m *model.Model) (mle.Counts, float64, error) {
	n, logP, err := expectWhole(x.est, x.whole, m)
	if err != nil || len(x.open) == 0 {
		return n, logP, err
	}
	for _, c := range x.cores {
		if err := c.load(m); err != nil {
			return nil, 0, err
		}
	}
	parts, err := inParts(x.cores, x.parts, x.open, func(c slicer, list []int) part { return x.part(ctx, c, list) })
	if err != nil {
		return nil, 0, err
	}
	for _, p := range parts {
		logP += p.logP
		folded, err := x.est.FromTables(p.tables)
		if err != nil {
			return nil, 0, err
		}
		x.est.Add(n, folded)
	}
	return n, logP, nil
}

// part computes some sequences.
func (x *sequences) part(ctx context.Context, c slicer, list []int) part {
	p := part{tables: emptyTables(x.static)}
	for _, k := range list {
		if p.err = ctx.Err(); p.err != nil {
			return p
		}
		rows := x.read(k)
		logP, err := c.sequence(x.est, rows, p.tables)
		if err != nil {
			p.err = x.impossible(err, k, rows)
			return p
		}
		p.logP += logP
	}
	return p
}

// impossible returns an error that names a slice of probability 0.
func (x *sequences) impossible(err error, k int, rows []row) error {
	var at *sliceError
	if !errors.As(err, &at) || !errors.Is(err, eval.ErrImpossible) {
		return err
	}
	return fmt.Errorf("slice %d of sequence %d of %d has probability 0 given those before it, under the numbers of the model, from which no fit can begin: %s; want numbers above 0 to begin with, as random ones are",
		at.t, k+1, x.set.Sequences(), observed(x.t, &rows[at.t]))
}
