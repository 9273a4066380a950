package ldfm_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// observation is the evidence of a test: a state or a value, by variable.
type observation map[model.VarID]float64

// integrated returns the posteriors by enumeration of states and sums over a grid of real values:
// by variable the probability of each state, or the mean and the variance. A real variable has that
// many values from -20 to 20.
func integrated(m *model.Model, e observation, steps int) [][]float64 {
	const most = 20.0
	n := len(m.Vars)
	state, x := make([]int, n), make([]float64, n)
	sums, total, tree := make([][]float64, n), 0.0, model.NewSpanning(n)
	for v := range sums {
		sums[v] = make([]float64, m.Width(model.VarID(v)))
	}
	at, place := m.ForestOffsets(), m.RealPlaces()
	add := func() {
		log := tree.Load(m.Forest(), at, state)
		log += tree.Densities(m.Forest(), at, state, place, x)
		w := math.Exp(log + tree.Factor())
		total += w
		for v := range sums {
			if m.IsReal(model.VarID(v)) {
				sums[v][0] += w * x[v]
				sums[v][1] += w * x[v] * x[v]
			} else {
				sums[v][state[v]] += w
			}
		}
	}
	var choose func(v int)
	choose = func(v int) {
		if v == n {
			add()
			return
		}
		id := model.VarID(v)
		known, observed := e[id]
		switch {
		case m.IsReal(id) && observed:
			x[v] = known
			choose(v + 1)
		case m.IsReal(id):
			for k := range steps {
				x[v] = most * (2*(float64(k)+.5)/float64(steps) - 1)
				choose(v + 1)
			}
		default:
			for s := range m.Card(id) {
				if !observed || int(known) == s {
					state[v] = s
					choose(v + 1)
				}
			}
		}
	}
	choose(0)
	for v := range sums {
		for i := range sums[v] {
			sums[v][i] /= total
		}
		if m.IsReal(model.VarID(v)) {
			sums[v][1] -= sums[v][0] * sums[v][0]
		}
	}
	return sums
}

// sampled runs the chains of the only query and returns the answers by variable.
func sampled(t *testing.T, machine *eval.Machine, program *ir.Program, m *model.Model, e observation, seed uint64) ([][]float64, pgmrt.SampleReport) {
	t.Helper()
	machine.ClearEvidence()
	for v, x := range e {
		var err error
		if m.IsReal(v) {
			err = machine.ObserveReal(v, x)
		} else {
			err = machine.Observe(v, int(x))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	r, err := machine.RunChain(context.Background(), &program.Entries[0], pgmrt.ChainOptions{Seed: seed})
	if err != nil {
		t.Fatal(err)
	}
	list := make([][]float64, len(m.Vars))
	for o, id := range program.Entries[0].Outs {
		list[program.Spans[id].Var] = machine.Posterior(o)
	}
	return list, r
}

// TestRealAgainstIntegration compares posteriors of states, and means and variances of real
// variables, with numerical integration over the sum over all trees. They must be within five
// standard errors of the worst. The models are LDFM and LDFM-S of states and one or two real
// variables, with either observed or not.
func TestRealAgainstIntegration(t *testing.T) {
	for i, c := range []struct {
		cards []int
		e     observation
	}{
		{[]int{2, 0}, nil},
		{[]int{2, 2, 0}, nil},
		{[]int{2, 2, 0}, observation{2: 1.5}},
		{[]int{2, 0, 3}, observation{0: 1}},
		{[]int{2, 0, 2, 0}, nil},
		{[]int{2, 0, 2, 0}, observation{1: -.7}},
		{[]int{2, 0, 0, 2}, observation{0: 0, 2: 2.5}},
		{[]int{0, 0}, nil},
		{[]int{0, 0, 0}, observation{1: 1}},
	} {
		for _, stop := range []bool{false, true} {
			m := irtest.RandomRealForest(uint64(i), c.cards, stop)
			if list := m.Check(); list.HasErrors() {
				t.Fatal(list.Err())
			}
			machine, program := compiled(t, m, "iterations=20000", "burn-in=200")
			got, r := sampled(t, machine, program, m, c.e, 3)
			if r.Status != pgmrt.Converged || r.Residual > .05 {
				t.Errorf("model %d, stop weights %v: %+v", i, stop, r)
			}
			for v, want := range integrated(m, c.e, 200) {
				id := model.VarID(v)
				switch x, observed := c.e[id]; {
				case m.IsReal(id) && observed:
					if got[v][0] != x || got[v][1] != 0 {
						t.Errorf("model %d: %v of what is observed at %v", i, got[v], x)
					}
				case m.IsReal(id):
					// Squares have heavier tails: in measurements, a variance has up to seven times
					// the relative error of a mean.
					if math.Abs(got[v][0]-want[0]) > 5*r.Residual*math.Sqrt(want[1]) || math.Abs(got[v][1]-want[1]) > 35*r.Residual*want[1] {
						t.Errorf("model %d, stop weights %v: mean and variance of %v are %v; want %v within 5 times %v", i, stop, v, got[v], want, r.Residual)
					}
				default:
					for s, p := range want {
						if math.Abs(got[v][s]-p) > 5*r.Residual+1e-9 {
							t.Errorf("model %d, stop weights %v: P(%v=%d) is %v; want %v within 5 times %v", i, stop, v, s, got[v][s], p, r.Residual)
						}
					}
				}
			}
		}
	}
}

// TestFarEvidence has a value far from what the other variables predict, whose density underflows
// to 0. The chain must find initial states, and the other variables have the posterior of the
// weights of their trees alone.
func TestFarEvidence(t *testing.T) {
	m := irtest.RandomRealForest(2, []int{2, 0, 0}, false)
	machine, program := compiled(t, m)
	got, _ := sampled(t, machine, program, m, observation{1: 1e25}, 1)
	for v, row := range got {
		for _, x := range row {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				t.Errorf("variable %d has %v", v, row)
			}
		}
	}
}

// TestRealText checks that a printed program with real variables parses to itself.
func TestRealText(t *testing.T) {
	_, program := compiled(t, irtest.RandomRealForest(3, []int{2, 0, 3, 0}, true))
	var first, again bytes.Buffer
	if err := program.Print(&first); err != nil {
		t.Fatal(err)
	}
	parsed, err := ir.Parse(bytes.NewReader(first.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(parsed.Verify(), parsed.Print(&again)); err != nil || !bytes.Equal(first.Bytes(), again.Bytes()) {
		t.Errorf("%v, or printed again, it differs", err)
	}
}

func TestRefusesReal(t *testing.T) {
	m := irtest.RandomRealForest(1, []int{2, 0}, false)
	for _, c := range []struct {
		opt  compiler.Options
		want string
	}{
		{compiler.Options{Method: compiler.Named("", "sampler=gibbs")}, `sampler gibbs sums the tree out, and variable "x1" is real-valued, whose density is then a mixture over too many trees; want sampler tree`},
		{compiler.Options{Method: compiler.Named("", "sampler=determinant")}, "sampler determinant sums the tree out"},
		{compiler.Options{Method: compiler.Named("jointree")}, "and this is one; ldfm does"},
		{compiler.Options{Queries: []string{"mpe"}}, "#P-hard"},
	} {
		if _, err := compiler.Compile(context.Background(), m, c.opt); !strings.Contains(fmt.Sprint(err), c.want) {
			t.Errorf("%v; want %s", err, c.want)
		}
	}
	machine, _ := compiled(t, m)
	for v, x := range []float64{1, math.NaN()} {
		if err := machine.ObserveReal(model.VarID(v), x); err == nil {
			t.Errorf("variable %d takes the value %v", v, x)
		}
	}
	if err := machine.Observe(1, 0); err == nil {
		t.Error("a real variable takes a state")
	}
	if err := machine.Likelihood(1, []float64{1, 1}); err == nil {
		t.Error("a real variable takes a likelihood")
	}
}
