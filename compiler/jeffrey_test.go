package compiler_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// cloth returns a model of a piece of cloth inspected by candlelight: Jeffrey 1983, The Logic of
// Decision, section 11.1. The probabilities that it is sold are those of Chan and Darwiche 2005, On
// the revision of probabilistic beliefs using uncertain evidence, example 1.
func cloth() *model.Model {
	m := &model.Model{Name: "cloth"}
	c, s := m.NewVar("colour", "green", "blue", "violet"), m.NewVar("sold", "no", "yes")
	m.Factors = []*model.Factor{
		{Scope: []model.VarID{c.ID}, Dist: &model.Table{Values: []float64{.3, .3, .4}}},
		{Scope: []model.VarID{c.ID, s.ID}, Child: 1, Dist: &model.Table{Values: []float64{.6, .4, .6, .4, .2, .8}}},
	}
	return m
}

// burglary returns the network of Pearl 1988, Probabilistic Reasoning in Intelligent Systems,
// section 2.2: an alarm that a neighbour hears.
func burglary(t *testing.T) *model.Model {
	return network(t, cpd{"burglary", []float64{1e-4}}, cpd{"alarm burglary", []float64{.01, .95}})
}

// fitter compiles jeffrey for m.
func fitter(t *testing.T, m *model.Model) func(targets ...[]float64) ([][]float64, pgmrt.Report, error) {
	t.Helper()
	r, err := compiler.Compile(context.Background(), m, compiler.Options{Queries: []string{"jeffrey"}, Check: true})
	if err != nil {
		t.Fatal(err)
	}
	machine, e := eval.New(r.Program, r.Model), &r.Program.Entries[0]
	return func(targets ...[]float64) (posteriors [][]float64, report pgmrt.Report, err error) {
		report, _, err = machine.Jeffrey(context.Background(), e, targets)
		if err != nil {
			return nil, report, err
		}
		for i := range e.Outs {
			posteriors = append(posteriors, machine.Posterior(i))
		}
		return posteriors, report, nil
	}
}

func TestJeffrey(t *testing.T) {
	none := []float64(nil)
	for _, c := range []struct {
		name    string
		m       *model.Model
		targets [][]float64
		of      int
		want    float64 // probability of the last state of variable of
	}{
		{"before the candle", cloth(), nil, 1, .56},                                     // .3·.4 + .3·.4 + .4·.8
		{"by candlelight", cloth(), [][]float64{{.7, .25, .05}, none}, 1, .42},          // .7·.4 + .25·.4 + .05·.8
		{"it is violet", cloth(), [][]float64{{0, 0, 1}, none}, 1, .8},                  // as an observation
		{"backwards", cloth(), [][]float64{none, {.5, .5}}, 0, .5*.08/.44 + .5*.32/.56}, // P(violet | sold or not)
		// If the alarm sounded with probability 0.8, the probability of a burglary is
		// 0.8·P(burglary | alarm) + 0.2·P(burglary | none).
		{"alarm at 0.8", burglary(t), [][]float64{none, {.2, .8}}, 0, .8*.95e-4/(.95e-4+.01*.9999) + .2*.05e-4/(.05e-4+.99*.9999)},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, report, err := fitter(t, c.m)(c.targets...)
			if err != nil || report.Status != pgmrt.Converged {
				t.Fatalf("%+v, %v", report, err)
			}
			p := got[c.of]
			irtest.CloseTo(t, p[len(p)-1], c.want, 1e-12)
		})
	}
}

// TestJeffreyIsNoLikelihood shows that the same numbers mean something else as likelihoods: if the
// neighbour calls 4 times as probably when the alarm sounds, the probability of a burglary is
// 0.000374 (Pearl 1988, section 2.2.2).
func TestJeffreyIsNoLikelihood(t *testing.T) {
	for _, c := range []struct {
		m          *model.Model
		target, of int
		l          []float64
		want, tol  float64
	}{
		{burglary(t), 1, 0, []float64{.2, .8}, .000374, 5e-7},
		{cloth(), 0, 1, []float64{.7, .25, .05}, .13 / .305, 1e-12}, // weights .21, .075 and .02
	} {
		r, err := compiler.Compile(context.Background(), c.m, compiler.Options{Queries: []string{"jeffrey"}})
		if err != nil {
			t.Fatal(err)
		}
		machine := eval.New(r.Program, r.Model)
		if err := machine.Likelihood(model.VarID(c.target), c.l); err != nil {
			t.Fatal(err)
		}
		if err := machine.Run(&r.Program.Entries[0]); err != nil {
			t.Fatal(err)
		}
		p := machine.Posterior(c.of)
		irtest.CloseTo(t, p[len(p)-1], c.want, c.tol)
	}
}

// TestProportionalFitting fits margins of a and b; c is true if a equals b. The ratio of odds of a
// and b, .4·.3/(.2·.1) = 6, does not change. With both margins even, p = P(a, b) satisfies p/(.5-p)
// = √6, and P(c) = 2p.
func TestProportionalFitting(t *testing.T) {
	m := network(t, cpd{"a", []float64{.4}}, cpd{"b a", []float64{.2 / .6, .3 / .4}}, cpd{"c a b", []float64{1, 0, 0, 1}})
	got, report, err := fitter(t, m)([]float64{.5, .5}, []float64{.5, .5}, nil)
	if err != nil || report.Residual > pgmrt.FitTolerance || report.Iterations < 2 {
		t.Fatalf("%+v, %v", report, err)
	}
	irtest.CloseTo(t, got[2][1], math.Sqrt(6)/(1+math.Sqrt(6)), 1e-11)
}

func TestJeffreyRefused(t *testing.T) {
	copied := network(t, cpd{"a", []float64{.5}}, cpd{"b a", []float64{0, 1}}) // b is a
	for _, c := range []struct {
		name    string
		m       *model.Model
		targets [][]float64
		want    error
	}{
		{"sum", cloth(), [][]float64{{.5, .4, .2}}, pgmrt.ErrLikelihood},
		{"negative", cloth(), [][]float64{{1.5, -.5, 0}}, pgmrt.ErrLikelihood},
		{"NaN", cloth(), [][]float64{{math.NaN(), .5, .5}}, pgmrt.ErrLikelihood},
		{"length", cloth(), [][]float64{{.5, .5}}, pgmrt.ErrLikelihood},
		{"impossible state", network(t, cpd{"a", []float64{0}}), [][]float64{{.5, .5}}, pgmrt.ErrInconsistent},
		{"two of a kind", copied, [][]float64{{.5, .5}, {.3, .7}}, pgmrt.ErrInconsistent},
		{"nothing left", copied, [][]float64{{1, 0}, {0, 1}}, pgmrt.ErrInconsistent},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, report, err := fitter(t, c.m)(c.targets...); !errors.Is(err, c.want) || report.Status != pgmrt.NotConverged {
				t.Errorf("%+v, %v; want %v", report, err, c.want)
			}
		})
	}
	r, err := compiler.Compile(context.Background(), cloth(), compiler.Options{Queries: []string{"jeffrey"}})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := eval.New(r.Program, r.Model).Jeffrey(ctx, &r.Program.Entries[0], [][]float64{{.7, .25, .05}}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
