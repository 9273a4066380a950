package verify_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/compiler/verify"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// compile compiles queries of m by the named method; "" is the compiler's choice.
func compile(t *testing.T, m *model.Model, method string, queries ...string) (*compiler.Result, compiler.Options) {
	t.Helper()
	opt := compiler.Options{Queries: queries}
	if method != "" {
		opt.Method = compiler.Named(method)
	}
	r, err := compiler.Compile(t.Context(), m, opt)
	if err != nil {
		t.Fatal(err)
	}
	return r, opt
}

// byEngine answers by an engine for r.
func byEngine(r *compiler.Result) func(context.Context, *infer.Findings) verify.Answer {
	e := infer.Of(r, 0)
	return func(ctx context.Context, f *infer.Findings) (a verify.Answer) {
		all, err := e.Marginals(ctx, f)
		if err != nil {
			return verify.Answer{Err: err}
		}
		a.LogProb = all.LogProb
		for i := range all.List {
			a.Marginals = append(a.Marginals, all.List[i].Numbers())
		}
		if all.Report != nil {
			a.Status = all.Report.Status
			return a
		}
		best, err := e.MPE(ctx, f)
		if err != nil {
			return verify.Answer{Err: err}
		}
		a.MPELogProb = best.LogProb
		for _, s := range best.States {
			a.MPE = append(a.MPE, s.Index)
		}
		return a
	}
}

// TestCheck checks right answers: small models by enumeration, larger ones by another order, an
// approximate method by itself.
func TestCheck(t *testing.T) {
	large := irtest.Asia()
	for seed := uint64(1); len(large.Vars) < 14; seed++ {
		large = irtest.RandomModel(seed, irtest.Options{Kinds: []model.Kind{model.Bayes}, MaxVars: 16, MaxJoint: 1 << 24, TablesOnly: true})
	}
	for _, c := range []struct {
		name, method, reference string
		m                       *model.Model
		queries                 []string
	}{
		{"small", "", "enumeration", irtest.Asia(), []string{"marginals", "mpe"}},
		{"large", "", "another order", large, []string{"marginals", "mpe"}},
		{"belief", "belief", "by method belief", irtest.Asia(), nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, opt := compile(t, c.m, c.method, c.queries...)
			got, err := verify.Check(t.Context(), r, verify.OneByOne(byEngine(r)), verify.Options{Compile: opt, Sets: 30, Tolerance: 1e-9})
			if err != nil {
				t.Fatal(err)
			}
			if got.Failure != nil || got.Sets != 30 || !strings.Contains(got.Reference, c.reference) {
				t.Errorf("found %+v, failure %+v", got, got.Failure)
			}
			if got.Impossible == 0 || got.Impossible > 20 {
				t.Errorf("%d of 30 sets are impossible; want some and not most", got.Impossible)
			}
		})
	}
}

// TestWrongAnswers changes one answer, each time in another way.
func TestWrongAnswers(t *testing.T) {
	r, opt := compile(t, irtest.Asia(), "", "marginals", "mpe")
	for _, c := range []struct {
		what   string
		change func(a *verify.Answer)
	}{
		{"the error is", func(a *verify.Answer) { a.Err = errors.New("tired") }},
		{"the log-probability is", func(a *verify.Answer) { a.LogProb -= 1e-6 }},
		{"P(asia=yes) is", func(a *verify.Answer) { a.Marginals[0][0] += 1e-6 }},
		{"the log-probability of the best completion is", func(a *verify.Answer) { a.MPELogProb++ }},
		{"the log-probability of the completion that was given is", func(a *verify.Answer) { a.MPE[0] = 1 - a.MPE[0] }},
	} {
		t.Run(c.what, func(t *testing.T) {
			right, n := byEngine(r), 0
			answer := func(ctx context.Context, f *infer.Findings) verify.Answer {
				a := right(ctx, f)
				if n++; n == 3 {
					c.change(&a)
				}
				return a
			}
			got, err := verify.Check(t.Context(), r, verify.OneByOne(answer), verify.Options{Compile: opt, Sets: 5, Tolerance: 1e-9})
			if err != nil {
				t.Fatal(err)
			}
			if f := got.Failure; f == nil || f.Set != 3 || !strings.HasPrefix(f.What, c.what) {
				t.Errorf("the failure is %+v; want one of set 3: %s", f, c.what)
			}
		})
	}
}

// TestNothing checks that too few answers are an error, and that there may be nothing to compare.
func TestNothing(t *testing.T) {
	r, opt := compile(t, irtest.Asia(), "", "sample")
	got, err := verify.Check(t.Context(), r, nil, verify.Options{Compile: opt, Sets: 5})
	if err != nil || got.Reference != "" || got.Sets != 0 {
		t.Errorf("found %+v, %v; want nothing compared", got, err)
	}
	r, opt = compile(t, irtest.Asia(), "", "logprob")
	none := func(context.Context, []*infer.Findings) ([]verify.Answer, error) { return nil, nil }
	if _, err := verify.Check(t.Context(), r, none, verify.Options{Compile: opt, Sets: 5}); err == nil {
		t.Error("no error without answers")
	}
	if w := verify.WantedOf(r); w.Nothing() || w.Marginals || !w.LogProb || w.MPE {
		t.Errorf("wanted of %s: %+v", fmt.Sprint(ir.LogProb), w)
	}
}
