package verify_test

import (
	"context"
	"fmt"
	"log"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/compiler/verify"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// answersAboutSequences answers by an engine for r. Unless change is nil, it changes the answers.
func answersAboutSequences(r *compiler.Result, change func(*verify.SequenceAnswer)) verify.SequenceAnswers {
	e := infer.Of(r, 0)
	return func(ctx context.Context, sequences [][]*infer.Findings) (list []verify.SequenceAnswer, err error) {
		for _, s := range sequences {
			var a verify.SequenceAnswer
			a.Err = answerSequence(ctx, e, r.Program, s, &a)
			if change != nil && a.Err == nil {
				change(&a)
			}
			list = append(list, a)
		}
		return list, nil
	}
}

// answerSequence answers what the program of e does.
func answerSequence(ctx context.Context, e *infer.Engine, p *ir.Program, s []*infer.Findings, a *verify.SequenceAnswer) error {
	given := make([]infer.Given, len(s))
	f, err := e.Filter(ctx)
	if err != nil {
		return err
	}
	for t := range s {
		given[t] = s[t]
		m, err := f.Step(ctx, s[t])
		if err != nil {
			return err
		}
		a.LogProb, a.Filtered = append(a.LogProb, m.LogProb), append(a.Filtered, numbers(m))
	}
	if p.Entry(ir.SmoothFirst) != nil {
		list, err := e.Smooth(ctx, given)
		if err != nil {
			return err
		}
		for i := range list {
			a.Smoothed = append(a.Smoothed, numbers(&list[i]))
		}
	}
	if p.Entry(ir.MaxFirst) == nil {
		return nil
	}
	path, err := e.Viterbi(ctx, given)
	if err != nil {
		return err
	}
	a.PathLogProb = path.LogProb
	for _, slice := range path.Slices {
		var values []float64
		for _, x := range slice.States {
			values = append(values, float64(x.Index)+x.Value)
		}
		a.Path = append(a.Path, values)
	}
	return nil
}

func numbers(m *infer.Marginals) (list [][]float64) {
	for i := range m.List {
		list = append(list, append([]float64(nil), m.List[i].Numbers()...))
	}
	return list
}

// TestCheckSequences checks right and wrong answers about random templates.
func TestCheckSequences(t *testing.T) {
	for _, c := range []struct {
		name      string
		opt       irtest.TemplateOptions
		method    string
		queries   string
		reference string
		change    func(*verify.SequenceAnswer)
		want      string
	}{
		{"discrete", irtest.TemplateOptions{}, "", "filter,smooth,viterbi", "static inference in the network of all slices", nil, ""},
		{"latent", irtest.TemplateOptions{Latent: true}, "", "filter,smooth,viterbi", "static inference in the network of all slices", nil, ""},
		{"mixed", irtest.TemplateOptions{Reals: true, Givens: true}, "", "filter,smooth", "static inference in the network of all slices", nil, ""},
		{"real", irtest.TemplateOptions{All: true, Givens: true}, "", "smooth,viterbi", "static inference in the network of all slices", nil, ""},
		{"diffuse", irtest.TemplateOptions{All: true, Diffuse: true}, "", "smooth", "the interpreter, which runs the same program", nil, ""},
		{"merged", irtest.TemplateOptions{Reals: true, Mixed: true}, "imm", "filter", "the interpreter, which runs the same program", nil, ""},
		{"wrong filter", irtest.TemplateOptions{}, "", "filter", "static inference in the network of all slices",
			func(a *verify.SequenceAnswer) { a.Filtered[3][0][0] += 1e-3 }, "number 0 of x0 in slice 3 is "},
		{"wrong smoother", irtest.TemplateOptions{}, "", "smooth", "static inference in the network of all slices",
			func(a *verify.SequenceAnswer) { a.Smoothed[0][1][1] -= 1e-3 }, "number 1 of x1 in slice 0 is "},
		{"wrong path", irtest.TemplateOptions{}, "", "viterbi", "static inference in the network of all slices",
			func(a *verify.SequenceAnswer) { a.Path[2][0] = 1 - min(a.Path[2][0], 1) }, "the log-probability of the path that was given is "},
		{"wrong probability of a path", irtest.TemplateOptions{}, "", "viterbi", "static inference in the network of all slices",
			func(a *verify.SequenceAnswer) { a.PathLogProb += 1 }, "the log-probability of the best path is "},
		{"no error", irtest.TemplateOptions{}, "", "filter", "static inference in the network of all slices",
			func(a *verify.SequenceAnswer) { a.LogProb = a.LogProb[:4] }, `after 4 slices the error is ""; want "" after 6`},
	} {
		t.Run(c.name, func(t *testing.T) {
			seed := uint64(9)
			if c.opt.Mixed {
				seed = 8 // a real variable persists beside discrete ones
			}
			m := irtest.RandomTemplate(seed, c.opt)
			r, _ := compile(t, m, c.method, c.queries)
			report, err := verify.CheckSequences(t.Context(), r, answersAboutSequences(r, c.change), verify.Options{Sets: 20, Tolerance: 1e-9})
			if err != nil {
				t.Fatal(err)
			}
			if report.Reference != c.reference || report.Sets != 20 {
				t.Errorf("%d sequences compared with %s; want 20 with %s", report.Sets, report.Reference, c.reference)
			}
			switch {
			case (report.Failure != nil) != (c.want != ""):
				t.Errorf("failure %+v; want %q", report.Failure, c.want)
			case c.want != "" && (!strings.HasPrefix(report.Failure.What, c.want) || len(report.Failure.Sequence) != 6):
				t.Errorf("%s in a sequence of %d slices; want %s in one of 6", report.Failure.What, len(report.Failure.Sequence), c.want)
			}
		})
	}
}

// TestCopies checks a template with a copy of a variable of the slice before, which filters refuse
// to observe beside it: so does no random sequence.
func TestCopies(t *testing.T) {
	m := &model.Model{Name: "copies"}
	x, was := m.NewReal("x").ID, m.NewReal("was").ID
	mode := m.NewVar("mode", "calm", "wild").ID
	coin := &model.Factor{Scope: []model.VarID{mode}, Dist: &model.Table{Values: []float64{.7, .3}}}
	step := &model.Factor{Scope: []model.VarID{mode, was, x}, Child: 2, Dist: &model.Gaussian{Mean: []float64{0, 1}, Coef: []float64{.9, .5}, Var: []float64{.5, 3}}}
	m.Factors = []*model.Factor{coin, step, {Scope: []model.VarID{was}, Dist: &model.Gaussian{Mean: []float64{0}, Var: []float64{1}}}}
	m.Transition = &model.Transition{Before: []model.VarID{x}, Factors: []*model.Factor{coin, step,
		{Scope: []model.VarID{3, was}, Child: 1, Dist: &model.Gaussian{Mean: []float64{0}, Coef: []float64{1}, Var: []float64{0}}}}}
	r, _ := compile(t, m, "", "filter,smooth")
	report, err := verify.CheckSequences(t.Context(), r, answersAboutSequences(r, nil), verify.Options{Sets: irtest.Count(t, 5, 20), Tolerance: 1e-9})
	if err != nil || report.Failure != nil || report.Impossible > 0 {
		t.Errorf("error %v, failure %+v, %d impossible; want none", err, report.Failure, report.Impossible)
	}
}

// Check a program that follows sequences, here the interpreter, on a coin that mostly shows what it
// showed before.
func ExampleCheckSequences() {
	ctx := context.Background()
	m := &model.Model{Name: "coins"}
	coin := m.NewVar("coin", "heads", "tails").ID
	m.Factors = []*model.Factor{{Scope: []model.VarID{coin}, Dist: &model.Table{Values: []float64{.5, .5}}}}
	m.Transition = &model.Transition{Before: []model.VarID{coin}, Factors: []*model.Factor{
		{Scope: []model.VarID{1, coin}, Child: 1, Dist: &model.Table{Values: []float64{.9, .1, .1, .9}}}}}
	r, err := compiler.Compile(ctx, m, compiler.Options{Queries: []string{"filter"}})
	if err != nil {
		log.Fatal(err)
	}
	report, err := verify.CheckSequences(ctx, r, answersAboutSequences(r, nil), verify.Options{Sets: 10, Tolerance: 1e-9})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("compared with", report.Reference)
	fmt.Println("right:", report.Failure == nil)
	// Output:
	// compared with static inference in the network of all slices
	// right: true
}

// TestRoundedSequences checks constant velocity that is measured with a variance of 1e-20 times
// that of the prior. Values of 1e6 with a deviation of 1e-4 are known to 1e-6 of it, so that
// answers within that are right, and others are wrong.
func TestRoundedSequences(t *testing.T) {
	m := &model.Model{Name: "scaled", Transition: &model.Transition{}}
	normal := func(child model.VarID, variance float64, parents ...model.VarID) *model.Factor {
		d := &model.Gaussian{Mean: []float64{0}, Var: []float64{variance}}
		for range parents {
			d.Coef = append(d.Coef, 1)
		}
		return &model.Factor{Scope: append(parents, child), Child: len(parents), Dist: d}
	}
	p, v, y := m.NewReal("p").ID, m.NewReal("v").ID, m.NewReal("y").ID
	m.Transition.Before = []model.VarID{p, v}
	m.Factors = []*model.Factor{normal(p, 1e12), normal(v, 1e12), normal(y, 1e-8, p)}
	m.Transition.Factors = []*model.Factor{normal(p, 0, 3, 4), normal(v, 1e-12, 4), normal(y, 1e-8, p)}
	r, _ := compile(t, m, "", "filter,smooth")
	for _, off := range []float64{0, 1} {
		change := func(a *verify.SequenceAnswer) { a.Filtered[5][1][0] += off }
		report, err := verify.CheckSequences(t.Context(), r, answersAboutSequences(r, change), verify.Options{Sets: 20, Tolerance: 1e-9})
		if err != nil {
			t.Fatal(err)
		}
		if (report.Failure != nil) != (off > 0) {
			t.Errorf("means that are off by %v: failure %+v", off, report.Failure)
		}
	}
}
