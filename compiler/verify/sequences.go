package verify

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// SequenceAnswer is the answer to the evidence on the slices of a sequence. Posteriors are for each
// variable that is not latent, by slice, as in Answer.Marginals.
type SequenceAnswer struct {
	Err      error         // the reason if a slice has no answer; the slices before it have theirs
	LogProb  []float64     // ln P of the evidence up to each slice
	Filtered [][][]float64 // given the evidence up to the slice
	Smoothed [][][]float64 // given all evidence; nil if that is not answered
	// Path holds the states, or the values of real variables, of a most probable completion, by
	// slice and variable that is not latent; nil if that is not answered.
	Path        [][]float64
	PathLogProb float64 // its ln P together with the evidence
}

// SequenceAnswers answers about sequences, each by one answer.
type SequenceAnswers func(ctx context.Context, sequences [][]*infer.Findings) ([]SequenceAnswer, error)

// slicesOfSequence is the number of slices of a random sequence.
const slicesOfSequence = 6

// CheckSequences is Check for a model with a transition: it compares the answers about random
// sequences. The reference for exact answers is static inference in the network of all slices, and
// where that is not possible the same method interpreted.
func CheckSequences(ctx context.Context, r *compiler.Result, answers SequenceAnswers, opt Options) (*Report, error) {
	c := &check{Report: Report{Differences: map[string]float64{}}, m: r.Model, tolerance: opt.Tolerance}
	filters := r.Program.Entry(ir.FilterFirst) != nil
	if opt.Sets <= 0 {
		return &c.Report, nil
	}
	ref := newSequenceReference(ctx, r)
	c.Reference, c.Sets = ref.text, opt.Sets
	sequences, err := drawSequences(r.Model, opt)
	if err != nil {
		return nil, err
	}
	got, err := answers(ctx, sequences)
	switch {
	case err != nil:
		return nil, err
	case len(got) != len(sequences):
		return nil, fmt.Errorf("verify: found %d answers; want %d", len(got), len(sequences))
	}
	for i, s := range sequences {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		right := ref.answer(ctx, s)
		if right.Err != nil {
			c.Impossible++
		}
		if what := c.compareSequences(&right, &got[i], filters); what != "" && c.Failure == nil && !c.rounded(ctx, ref, s, &right, &got[i], filters) {
			c.Failure = &Failure{Set: i + 1, What: what, Sequence: s}
		}
	}
	return &c.Report, nil
}

// rounded reports whether the differences of an answer are rounding errors: a few times the change
// of the right answer if the values of the evidence change by nudge of themselves.
func (c *check) rounded(ctx context.Context, ref *sequenceReference, sequence []*infer.Findings, right, got *SequenceAnswer, filters bool) bool {
	const nudge, times = 0x1p-50, 16
	near := make([]*infer.Findings, len(sequence))
	for t, s := range sequence {
		moved := *s
		moved.Value = slices.Clone(s.Value)
		for v := range moved.Value {
			moved.Value[v] *= 1 + nudge*float64(1-2*((t+v)%2))
		}
		near[t] = &moved
	}
	other := ref.answer(ctx, near)
	noise := &check{Report: Report{Differences: map[string]float64{}}, m: c.m, tolerance: c.tolerance}
	noise.compareSequences(right, &other, filters)
	again := &check{Report: Report{Differences: map[string]float64{}}, m: c.m, tolerance: c.tolerance}
	for _, x := range noise.Differences {
		again.tolerance = max(again.tolerance, times*x)
	}
	return again.compareSequences(right, got, filters) == ""
}

// compareSequences notes the differences of an answer, and describes the first that is above the
// tolerance; "" if there is none.
func (c *check) compareSequences(right, got *SequenceAnswer, filters bool) string {
	if (right.Err == nil) != (got.Err == nil) || filters && len(right.LogProb) != len(got.LogProb) {
		return fmt.Sprintf("after %d slices the error is %q; want %q after %d", len(got.LogProb), errorText(got.Err), errorText(right.Err), len(right.LogProb))
	}
	c.what = ""
	for t := range got.LogProb {
		c.logarithm(ir.Filter, fmt.Sprintf("the log-probability of the evidence up to slice %d", t), got.LogProb[t], right.LogProb[t])
	}
	if filters {
		c.slices(ir.Filter, got.Filtered, right.Filtered)
	}
	if got.Smoothed != nil && right.Err == nil {
		c.slices(ir.Smooth, got.Smoothed, right.Smoothed)
	}
	if got.Path != nil && right.Err == nil {
		c.logarithm(ir.Viterbi, "the log-probability of the best path", got.PathLogProb, right.PathLogProb)
		if own, ok := c.logProbOfPath(got.Path); ok {
			c.logarithm(ir.Viterbi, "the log-probability of the path that was given", own, right.PathLogProb)
		}
	}
	return c.what
}

// slices compares the posteriors of slices.
func (c *check) slices(kind ir.QueryKind, got, want [][][]float64) {
	for t := range want {
		for i, v := range c.m.Observable() {
			for k, x := range want[t][i] {
				name := fmt.Sprintf("number %d of %s in slice %d", k, infer.QuoteName(c.m.Vars[v].Name), t)
				if math.IsInf(x, 1) && math.IsInf(got[t][i][k], 1) { // the variance of a diffuse variable
					continue
				}
				c.logarithm(kind, name, got[t][i][k], x)
			}
		}
	}
}

// logProbOfPath returns ln of the probability or density of a path, by the CPDs; ok is false if
// there are latent variables, which it lacks.
func (c *check) logProbOfPath(path [][]float64) (logProb float64, ok bool) {
	n := len(c.m.Vars)
	if len(c.m.Observable()) < n {
		return 0, false
	}
	state, value := make([]int, n*len(path)), make([]float64, n*len(path))
	for t := range path {
		for v, x := range path[t] {
			if c.m.IsReal(model.VarID(v)) {
				value[t*n+v] = x
			} else {
				state[t*n+v] = int(x)
			}
		}
	}
	return c.m.Unroll(len(path)).LogDensity(state, value), true
}

// sequenceReference answers about sequences, by the network of all slices if there is one.
type sequenceReference struct {
	text   string
	m      *model.Model
	engine *infer.Engine // of the same program
	flat   *infer.Engine // nil if there is none
	exact  *hybrid       // for the network of all slices in place of flat, unless nil
	smooth bool          // the program smooths
	path   bool          // and finds paths
}

func newSequenceReference(ctx context.Context, r *compiler.Result) *sequenceReference {
	ref := &sequenceReference{text: "the interpreter, which runs the same program", m: r.Model, engine: infer.Of(r, 0),
		smooth: smooths(r.Program), path: r.Program.Entry(ir.MaxFirst) != nil}
	if r.Claim != method.Exact {
		return ref
	}
	all := r.Model.Unroll(slicesOfSequence)
	flat, err := infer.New(ctx, all, infer.Options{Queries: []string{ir.Marginals.String()}})
	if err != nil {
		return ref
	}
	ref.flat, ref.text = flat, "static inference in the network of all slices"
	if gaussian(all) && all.Traits()&(model.Funcs|model.Diffuses) == 0 {
		ref.exact = newHybrid(all)
	}
	return ref
}

// marginals returns ln P of evidence on the network of all slices, and the numbers of the marginals
// in each slice.
func (ref *sequenceReference) marginals(ctx context.Context, all *infer.Findings, slices int) (logP float64, list [][][]float64, err error) {
	if ref.exact != nil {
		a := ref.exact.answer(ctx, all, &Wanted{})
		n := len(ref.m.Observable())
		for t := 0; a.Err == nil && t < slices; t++ {
			list = append(list, a.Marginals[t*n:(t+1)*n])
		}
		return a.LogProb, list, a.Err
	}
	m, err := ref.flat.Marginals(ctx, all)
	if err != nil {
		return 0, nil, err
	}
	for t := range slices {
		list = append(list, ref.slice(m, t))
	}
	return m.LogProb, list, nil
}

// smooths reports whether a program has entries of smooth, which for particles are filter's.
func smooths(p *ir.Program) bool {
	first := p.Entry(ir.FilterFirst)
	return p.Entry(ir.SmoothFirst) != nil || first != nil && first.Query.Kind == ir.Smooth
}

// answer answers about a sequence.
func (ref *sequenceReference) answer(ctx context.Context, sequence []*infer.Findings) (a SequenceAnswer) {
	if ref.flat == nil {
		a.Err = ref.interpret(ctx, sequence, &a)
	} else {
		a.Err = ref.static(ctx, sequence, &a)
	}
	return a
}

// interpret answers by the same program.
func (ref *sequenceReference) interpret(ctx context.Context, sequence []*infer.Findings, a *SequenceAnswer) error {
	f, err := ref.engine.Filter(ctx)
	if err != nil {
		return err
	}
	given := make([]infer.Given, len(sequence))
	for t, s := range sequence {
		given[t] = s
		m, err := f.Step(ctx, s)
		if err != nil {
			return err
		}
		a.LogProb, a.Filtered = append(a.LogProb, m.LogProb), append(a.Filtered, numbersOf(m.List))
	}
	if ref.smooth {
		list, err := ref.engine.Smooth(ctx, given)
		if err != nil {
			return err
		}
		for i := range list {
			a.Smoothed = append(a.Smoothed, numbersOf(list[i].List))
		}
	}
	if !ref.path {
		return nil
	}
	path, err := ref.engine.Viterbi(ctx, given)
	if err == nil {
		a.PathLogProb = path.LogProb
	}
	return err
}

// static answers by the network of all slices.
func (ref *sequenceReference) static(ctx context.Context, sequence []*infer.Findings, a *SequenceAnswer) error {
	n := len(ref.m.Vars)
	all := infer.NewFindings(n * len(sequence))
	enter := func(t int, given bool) {
		for v := range ref.m.Vars {
			if ref.m.Vars[v].Given == given {
				all.State[t*n+v], all.Value[t*n+v] = sequence[t].State[v], sequence[t].Value[v]
			}
		}
	}
	for t := range sequence {
		enter(t, true)
	}
	for t := range sequence {
		enter(t, false)
		logP, list, err := ref.marginals(ctx, all, len(sequence))
		if err != nil {
			return err
		}
		a.LogProb, a.Filtered, a.Smoothed = append(a.LogProb, logP), append(a.Filtered, list[t]), list
	}
	switch {
	case !ref.path:
	case len(ref.m.Reals()) > 0:
		given := make([]infer.Given, len(sequence))
		for t := range sequence {
			given[t] = sequence[t]
		}
		path, err := ref.engine.Viterbi(ctx, given)
		if err != nil {
			return err
		}
		a.PathLogProb = path.LogProb
	default:
		best, err := ref.flat.MPE(ctx, all)
		if err != nil {
			return err
		}
		a.PathLogProb = best.LogProb
	}
	return nil
}

// slice returns the posteriors of the variables of slice t.
func (ref *sequenceReference) slice(m *infer.Marginals, t int) (list [][]float64) {
	for _, v := range ref.m.Observable() {
		list = append(list, m.Of(fmt.Sprintf("%s@%d", ref.m.Vars[v].Name, t)).Numbers())
	}
	return list
}

// numbersOf returns the numbers of each distribution.
func numbersOf(list []infer.Distribution) (all [][]float64) {
	for i := range list {
		all = append(all, slices.Clone(list[i].Numbers()))
	}
	return all
}

// drawSequences draws evidence on sequences from the model itself, so that it is possible. Given
// variables are always observed, and of the others a share, without functions of others: filters
// refuse their values if these others are observed too. Of ten sequences, one has a changed state.
func drawSequences(m *model.Model, opt Options) ([][]*infer.Findings, error) {
	flat := drawable(m).Unroll(slicesOfSequence)
	rng, source := rand.New(rand.NewPCG(opt.Seed, 0x9e3779b97f4a7c15)), pgmrt.NewRand(opt.Seed)
	n := len(m.Vars)
	function := functions(m)
	var list [][]*infer.Findings
	for i := range opt.Sets {
		state, value := make([]int, len(flat.Vars)), make([]float64, len(flat.Vars))
		for _, v := range flat.Topological() {
			switch {
			case !flat.Vars[v].Given:
				if err := flat.Draw(flat.CPD(v), source, state, value); err != nil {
					return nil, errors.Join(errors.New("verify: no sequence can be drawn from the model"), err)
				}
			case flat.IsReal(v):
				value[v] = .5 + rng.Float64()
			default:
				state[v] = rng.IntN(flat.Card(v))
			}
		}
		share := []float64{.5, .3, .8, 0, 1}[i%5]
		var sequence []*infer.Findings
		for t := range slicesOfSequence {
			f := infer.NewFindings(n)
			for v, x := range m.Vars {
				switch observed := x.Given || !x.Latent && rng.Float64() < share; {
				case !observed || function[min(t, 1)][v]:
				case m.IsReal(x.ID):
					f.Value[v] = value[t*n+v]
				case i%10 == 7 && !x.Given && rng.IntN(4) == 0:
					f.State[v] = rng.IntN(m.Card(x.ID))
				default:
					f.State[v] = state[t*n+v]
				}
			}
			sequence = append(sequence, f)
		}
		list = append(list, sequence)
	}
	return list, nil
}

// functions reports, by variable of slice 0 and of later slices, whether a real variable is a
// function of others in some states.
func functions(m *model.Model) (is [2][]bool) {
	for t, factors := range [][]*model.Factor{m.Factors, m.Transition.Factors} {
		is[t] = make([]bool, len(m.Vars))
		for _, f := range factors {
			var variances []float64
			if d, ok := f.Dist.(*model.Func); ok {
				variances = d.Var
			} else if g := f.Gaussian(); g != nil {
				variances = g.Var
			}
			is[t][f.ChildVar()] = slices.Contains(variances, 0)
		}
	}
	return is
}

// drawable returns m with normal priors in place of diffuse ones, from which nothing can be drawn.
func drawable(m *model.Model) *model.Model {
	out := *m
	out.Factors = slices.Clone(m.Factors)
	for i, f := range m.Factors {
		if _, ok := f.Dist.(*model.Diffuse); ok {
			normal := *f
			normal.Dist = &model.Gaussian{Mean: []float64{0}, Var: []float64{100}}
			out.Factors[i] = &normal
		}
	}
	return &out
}
