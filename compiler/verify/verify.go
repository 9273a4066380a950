package verify

import (
	"context"
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Answer is the answer to one set of evidence. Of its numbers those count that are [Wanted].
type Answer struct {
	Err     error   // the reason if there is no answer, such as impossible evidence
	LogProb float64 // ln P of the evidence
	// Marginals holds the posterior of each variable that is not latent, in the order of the model:
	// the probability of each state, or of a real variable the mean and the variance.
	Marginals [][]float64
	// Upper and UpperLogProb are upper bounds of a method that bounds; Marginals and LogProb are
	// then lower ones.
	Upper        [][]float64
	UpperLogProb float64
	// MaxMarginals holds the max-marginal of each variable, as infer.MaxMarginal has it.
	MaxMarginals [][]float64
	Joint        [][]float64 // for each of Wanted.Joint the joint posterior, as infer.Table.Numbers has it
	// Mixture holds, for each of Wanted.Mixture, the weight, the mean and the variance of each
	// component, in any order. Components may be split.
	Mixture [][]float64
	// MPE holds the states of a most probable completion, for each variable that is not latent, and
	// MPEReal the values of real ones. Either may have any number for the other kind of variable.
	MPE        []int
	MPEReal    []float64
	MPELogProb float64 // its ln P together with the evidence; -Inf if the method found none
	Status     string  // how an approximate method ended; empty for exact answers
}

// Answers answers sets of evidence, each by one answer. It gets all sets at once, since packages
// run in a process of their own.
type Answers func(ctx context.Context, sets []*infer.Findings) ([]Answer, error)

// OneByOne returns the Answers that ask answer for each set.
func OneByOne(answer func(ctx context.Context, evidence *infer.Findings) Answer) Answers {
	return func(ctx context.Context, sets []*infer.Findings) ([]Answer, error) {
		list := make([]Answer, len(sets))
		for i, f := range sets {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			list[i] = answer(ctx, f)
		}
		return list, nil
	}
}

// Wanted selects the answers to compare.
type Wanted struct {
	LogProb, Marginals, MPE bool
	MaxMarginals            bool
	Joint                   [][]model.VarID // the variables of each joint posterior
	Mixture                 []model.VarID   // the real variables whose mixtures are compared
	Measured                bool            // evidence may have measurements of real variables
	// Follow lists decisions that follow the best strategy. The answers are Follow's, and no
	// evidence is about them; nil if decisions are given.
	Follow []model.VarID
	// Approximate is the query of a method that iterates, samples or bounds; nil if answers are
	// exact.
	Approximate *ir.Query
}

// Nothing reports whether no answers are compared.
func (w *Wanted) Nothing() bool {
	return w.Approximate == nil && !w.LogProb && !w.MPE && !w.MaxMarginals && w.Joint == nil && w.Mixture == nil
}

// bounds reports whether answers are lower and upper bounds.
func (w *Wanted) bounds() bool { return w.Approximate != nil && w.Approximate.Kind == ir.Bounded }

// WantedOf returns the answers of a program that can be compared: all that it has of
// marginals, ln P, most probable completions, joint posteriors and mixtures.
func WantedOf(r *compiler.Result) Wanted {
	if e := approximate(r.Program); e != nil {
		if e.Query.Kind.Answer() == ir.AnswerStates {
			return Wanted{Approximate: e.Query, MPE: true, MaxMarginals: e.Query.MaxMarginals() && e.Query.Best}
		}
		known := (e.Loop != nil || e.Query.Kind == ir.Weighted) && r.Model.Kind != model.Dependency
		return Wanted{Approximate: e.Query, Marginals: true, LogProb: known}
	}
	if r.Followed == r.Model && r.Followed != nil {
		return Wanted{Marginals: true, LogProb: true, Follow: r.Program.Entries[0].Query.Targets}
	}
	marginals := r.Program.Entry(ir.Marginals.String()) != nil
	w := Wanted{Marginals: marginals, LogProb: marginals || r.Program.Entry(ir.LogProb.String()) != nil,
		MPE: r.Program.Entry(ir.MPE.String()) != nil && r.Model.Traits()&model.Canonicals == 0, MaxMarginals: r.Program.Entry(ir.MaxMarginals.String()) != nil}
	for _, e := range r.Program.Entries {
		switch e.Query.Kind {
		case ir.Joint:
			w.Joint = append(w.Joint, e.Query.Targets)
		case ir.Mixture:
			w.Mixture = append(w.Mixture, e.Query.Targets[0])
		}
	}
	w.Measured = slices.ContainsFunc(r.Program.Spans, func(s ir.Span) bool {
		return s.Role == ir.RoleIn && r.Model.IsReal(s.Var) && s.Len == model.MeasuredWidth
	})
	return w
}

// Parts returns r itself, or if its program answers several approximate queries, a result for each.
// If it has a Follow, that is a part, too, about the diagram in which decisions follow a strategy.
func Parts(r *compiler.Result) (list []*compiler.Result) {
	part := func(i int) *compiler.Result {
		one, p := *r, *r.Program
		p.Entries = r.Program.Entries[i : i+1]
		one.Program = &p
		return &one
	}
	several := approximate(r.Program) != nil && len(r.Program.Entries) > 1
	if !several {
		list = append(list, r)
	}
	for i := range r.Program.Entries {
		switch follow := r.Program.Entries[i].Query.Kind == ir.Follow; {
		case follow:
			one := part(i)
			one.Model = r.Followed
			list = append(list, one)
		case several:
			list = append(list, part(i))
		}
	}
	return list
}

// approximate returns the one entry of a program that iterates or samples; nil of other programs.
func approximate(p *ir.Program) *ir.Entry {
	if len(p.Entries) > 0 && (p.Entries[0].Loop != nil || p.Entries[0].Chain != nil) {
		return &p.Entries[0]
	}
	return nil
}

// Options are the options of a check.
type Options struct {
	// Compile holds the options by which the program was compiled. The reference is compiled within
	// the same limits.
	Compile   compiler.Options
	Sets      int     // number of random sets of evidence
	Tolerance float64 // largest difference of a probability, or relative difference of a logarithm beyond 1
	Seed      uint64  // of the evidence
}

// Report is the result of a check.
type Report struct {
	Reference  string // the reference of the comparison; empty if nothing was compared
	Sets       int
	Impossible int // number of sets to which the reference has no answer
	// Unsettled is the number of sets on which a method that iterates did not converge. Their
	// numbers are not compared, since roundings may have grown.
	Unsettled   int
	Differences map[string]float64 // the largest, by kind of query as in [Kinds]
	Failure     *Failure           // the first difference above the tolerance; nil if there is none
}

// Failure is a wrong answer.
type Failure struct {
	Set      int // counted from 1
	What     string
	Evidence *infer.Findings
	Sequence []*infer.Findings // in place of Evidence, by slice, if the model is about sequences
}

// Kinds are the kinds of query with answers that are compared, in the order of reports.
var Kinds = []string{ir.Marginals.String(), ir.LogProb.String(), ir.MPE.String(), ir.MaxMarginals.String(), ir.Joint.String(), ir.Mixture.String(), ir.Follow.String(), ir.Filter.String(), ir.Smooth.String(), ir.Viterbi.String()}

// Check compares answers with a reference's for the model of r on random evidence. Wrong answers
// are no error but a [Failure] in the report. Errors are the errors of answers, and that there is
// no reference within the limits. It compares no most probable completions of canonical potentials.
func Check(ctx context.Context, r *compiler.Result, answers Answers, opt Options) (*Report, error) {
	c := &check{Report: Report{Differences: map[string]float64{}}, m: r.Model, want: WantedOf(r), tolerance: opt.Tolerance}
	if opt.Sets <= 0 || c.want.Nothing() {
		return &c.Report, nil
	}
	ref, what, err := newReference(ctx, r, opt.Compile, &c.want)
	if err != nil {
		return nil, err
	}
	exact := exactOf(ctx, r, opt.Compile, &c.want)
	if exact != nil {
		what += ", and exact answers, which lie between the bounds"
	}
	c.Reference, c.Sets = what, opt.Sets
	sets, err := drawSets(ctx, r, opt, &c.want)
	if err != nil {
		return nil, err
	}
	right, err := OneByOne(func(ctx context.Context, f *infer.Findings) Answer { return ref.answer(ctx, f, &c.want) })(ctx, sets)
	if err != nil {
		return nil, err
	}
	got, err := answers(ctx, sets)
	switch {
	case err != nil:
		return nil, err
	case len(got) != len(sets):
		return nil, fmt.Errorf("verify: found %d answers; want %d", len(got), len(sets))
	}
	for i, f := range sets {
		if right[i].Err != nil {
			c.Impossible++
		}
		what := c.compare(f, &right[i], &got[i])
		if exact != nil && what == "" {
			truth := exact.answer(ctx, f, &Wanted{Marginals: true, LogProb: true})
			what = c.enclosed(&truth, &got[i])
		}
		if what != "" && c.Failure == nil {
			c.Failure = &Failure{Set: i + 1, What: what, Evidence: f}
		}
	}
	return &c.Report, nil
}

// compare compares the answers to f. It describes the first difference that is too large, and
// returns "" if there is none.
func (c *check) compare(f *infer.Findings, right, got *Answer) (what string) {
	if c.want.Approximate != nil && right.Err == nil && got.Err == nil {
		if right.Status != got.Status {
			return fmt.Sprintf("the method is %s; want %s", got.Status, right.Status)
		}
		// Until a loop has converged, two roundings may lead it far apart. Methods that draw do so
		// by the same random numbers.
		loop := slices.Contains([]ir.QueryKind{ir.Beliefs, ir.Decoding}, c.want.Approximate.Kind)
		if loop && right.Status == pgmrt.NotConverged.String() {
			c.Unsettled++
			return ""
		}
	}
	return c.compareNumbers(f, right, got)
}
