package particle_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/compiler/method/particle"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// narrow returns a walk that is measured well: by y, with the given variance. X' is x + sin x, or
// x.
func narrow(sine bool, variance float64) *model.Model {
	next := &model.Func{Nodes: []model.FuncNode{{Op: model.FuncVar}, {Op: model.FuncVar}, {Op: model.FuncSin, A: 1}, {Op: model.FuncAdd, B: 2}}, Var: []float64{.5}}
	m := walk(next)
	if !sine {
		m = walk(&model.Gaussian{Mean: []float64{0}, Coef: []float64{1}, Var: []float64{.5}})
	}
	m.Factors[1].Dist = &model.Gaussian{Mean: []float64{0}, Coef: []float64{1}, Var: []float64{variance}}
	return m
}

var measured = []infer.Given{infer.Evidence{"y": .4}, infer.Evidence{"y": 1.7}, nil, infer.Evidence{"y": 2.8}, infer.Evidence{"y": 3.1}}

// TestFitted compares particles that are drawn near the posterior of a slice with exact answers,
// where all is linear, and with those of many particles that are drawn from the CPDs; and counts
// how many more of them count.
func TestFitted(t *testing.T) {
	for _, sine := range []bool{false, true} {
		m := narrow(sine, .01)
		var want []*infer.Marginals
		if sine {
			want = run(t, m, particle.Options{Particles: 200000, Seed: 7}, measured)
		} else {
			want = run(t, m, nil, measured)
		}
		crude := run(t, m, particle.Options{Particles: 400, Seed: 1}, measured)
		for _, by := range []string{"ekf", "ukf"} {
			const runs = 20
			var got [runs][]*infer.Marginals
			for r := range got {
				got[r] = run(t, m, particle.Options{Particles: 400, Proposal: by, Seed: uint64(r)}, measured)
			}
			for i := range want {
				var slice []*infer.Marginals
				for r := range got {
					slice = append(slice, got[r][i])
				}
				if sine {
					logs, means := 0.0, 0.0
					for _, m := range slice {
						logs, means = logs+m.LogProb/runs, means+m.Of("x").Mean/runs
					}
					if math.Abs(logs-want[i].LogProb) > .05 || math.Abs(means-want[i].Of("x").Mean) > .03 {
						t.Errorf("%s, slice %d: ln P and mean of x %v, %v; want %v, %v", by, i, logs, means, want[i].LogProb, want[i].Of("x").Mean)
					}
				} else if !within(t, fmt.Sprintf("%s, sine %v, slice %d", by, sine, i), slice, want[i]) {
					t.Errorf("%s, sine %v, slice %d: ln P differs much from seed to seed", by, sine, i)
				}
			}
			if few, many := crude[4].Report.ESS, got[0][4].Report.ESS; many < 2*few {
				t.Errorf("%s, sine %v: %v effective particles, and %v of those drawn from the CPDs; want twice as many", by, sine, many, few)
			}
		}
	}
}

// TestAhead checks that trial draws choose particles whose weights are much alike, if each goes on
// well or badly by what is known of it already.
func TestAhead(t *testing.T) {
	m := walk(&model.Gaussian{Mean: []float64{0}, Coef: []float64{3}, Var: []float64{.01}})
	given := []infer.Given{nil, infer.Evidence{"y": 6.}}
	count := func(ahead int) float64 {
		return run(t, m, particle.Options{Particles: 1000, Ahead: ahead, Seed: 1}, given)[1].Report.ESS
	}
	if without, with := count(0), count(3); with < 2*without {
		t.Errorf("%v effective particles with trial draws, and %v without; want twice as many", with, without)
	}
}

// TestUnchanged checks that a filter is what it was after a context that ends while it looks ahead,
// draws or moves particles.
func TestUnchanged(t *testing.T) {
	m := narrow(true, .01)
	for _, o := range []particle.Options{{Ahead: 2}, {Moves: 3, Enough: 1}, {Proposal: "ekf", Ahead: 1, Moves: 1, Enough: 1}} {
		o.Particles = 100
		e, err := infer.New(context.Background(), m, infer.Options{Method: o})
		if err != nil {
			t.Fatal(err)
		}
		f, err := e.Filter(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Step(context.Background(), measured[0]); err != nil {
			t.Fatal(err)
		}
		c := f.Clone()
		for _, checks := range []int{0, 50, 120, 190} {
			ctx := &countdown{Context: context.Background(), left: checks}
			if _, err := f.Step(ctx, measured[1]); !errors.Is(err, context.Canceled) || f.Len() != 1 {
				t.Errorf("%+v: error %v after %d checks and %d slices; want %v, after 1", o, err, checks, f.Len(), context.Canceled)
			}
		}
		a, err := f.Step(context.Background(), measured[1])
		if err != nil {
			t.Fatal(err)
		}
		if b, err := c.Step(context.Background(), measured[1]); err != nil || fmt.Sprint(a.List, a.LogProb, *a.Report) != fmt.Sprint(b.List, b.LogProb, *b.Report) {
			t.Errorf("%+v: after errors %v; of a clone without, %v, %v", o, a, b, err)
		}
	}
}

// countdown is a context that ends after it was asked some times.
type countdown struct {
	context.Context
	left int
}

// Err returns an error once it was asked often enough.
func (c *countdown) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// TestSmoothed compares smoothing by trajectories with exact answers, and its error with that of
// fewer particles (Koller and Friedman, exercise 15.7).
func TestSmoothed(t *testing.T) {
	ctx := context.Background()
	copies := narrow(false, .5) // z is what x was: a function
	z := copies.NewReal("z").ID
	x0 := &model.Factor{Scope: []model.VarID{z}, Dist: &model.Gaussian{Mean: []float64{0}, Var: []float64{1}}}
	copies.Factors = append(copies.Factors, x0)
	copies.Transition.Before = []model.VarID{0, z}
	copies.Transition.Factors[0].Scope = []model.VarID{3, 0}
	copies.Transition.Factors = append(copies.Transition.Factors,
		&model.Factor{Scope: []model.VarID{3, z}, Child: 1, Dist: &model.Gaussian{Mean: []float64{0}, Coef: []float64{1}, Var: []float64{0}}})
	for name, m := range map[string]*model.Model{"walk": narrow(false, .5), "jumps": jumps(), "copies": copies} {
		exact, err := infer.New(ctx, m, infer.Options{})
		if err != nil {
			t.Fatal(name, err)
		}
		want, err := exact.Smooth(ctx, measured)
		if err != nil {
			t.Fatal(name, err)
		}
		off := func(n int) (worst float64) {
			const runs = 4
			for seed := range uint64(runs) {
				e, err := infer.New(ctx, m, infer.Options{Method: particle.Options{Particles: n, Paths: n, Seed: seed}})
				if err != nil {
					t.Fatal(name, err)
				}
				got, err := e.Smooth(ctx, measured)
				if err != nil {
					t.Fatal(name, err)
				}
				sum := 0.0
				for i := range got {
					for k := range got[i].List {
						for j, p := range got[i].List[k].Numbers() {
							sum += math.Abs(p - want[i].List[k].Numbers()[j])
						}
					}
				}
				worst += sum / runs / float64(len(got))
				lagged(ctx, t, name, e, got)
			}
			return worst
		}
		if few, many := off(20), off(irtest.Count(t, 300, 1000)); many > .4*few || many > .4 {
			t.Errorf("%s: numbers are off by %v with 20 particles, and by %v with many; want much less", name, few, many)
		}
	}
}

// lagged checks that a lag of all slices gives what smoothing does.
func lagged(ctx context.Context, t *testing.T, what string, e *infer.Engine, want []infer.Marginals) {
	l, err := e.Lagged(ctx, len(want))
	if err != nil {
		t.Fatal(what, err)
	}
	for _, given := range measured {
		if _, err := l.Step(ctx, given); err != nil {
			t.Fatal(what, err)
		}
	}
	rest, err := l.Rest(ctx)
	if err != nil || len(rest) != len(want) {
		t.Fatal(what, len(rest), err)
	}
	for i := range rest {
		if fmt.Sprint(rest[i].List) != fmt.Sprint(want[i].List) {
			t.Errorf("%s: slice %d with a lag of all slices is %v; want %v", what, i, rest[i].List, want[i].List)
		}
	}
}

// TestPosteriorRefused checks the errors of models whose slices have no exact posterior.
func TestPosteriorRefused(t *testing.T) {
	curved := walk(&model.Func{Nodes: []model.FuncNode{{Op: model.FuncVar}, {Op: model.FuncSin}}, Var: []float64{.5}})
	soft := walk(&model.Gaussian{Mean: []float64{0}, Coef: []float64{1}, Var: []float64{1}})
	class := soft.NewVar("class", "low", "high").ID
	soft.Transition.Factors[0].Scope[0] = 3
	soft.Factors = append(soft.Factors, &model.Factor{Scope: []model.VarID{0, class}, Child: 1, Dist: &model.Softmax{Bias: []float64{0, .5}, Coef: []float64{0, 2}}})
	soft.Transition.Factors = append(soft.Transition.Factors, soft.Factors[2])
	for want, m := range map[string]*model.Model{
		`the mean of "x" is an expression; want bootstrap, or ekf or ukf`: curved,
		`the states of "class" depend on real variables; want bootstrap`:  soft,
	} {
		o := particle.NewOptions()
		o.Proposal = "posterior"
		_, err := compiler.Compile(t.Context(), m, compiler.Options{Method: o, Queries: []string{"filter"}})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v; want %s", err, want)
		}
	}
}
