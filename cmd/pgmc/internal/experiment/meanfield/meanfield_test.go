package meanfield

import (
	"math"
	"reflect"
	"testing"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/experiment"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/experiment/experimenttest"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// TestMeanFieldExperiment runs the quick form. The learned networks are near what others report for
// nltcs (BN test log-likelihoods of WinMine, -6.025, and of Libra, -6.0226; DN
// pseudo-log-likelihood of Libra at kappa 0.1, -4.9724), loopy and sampled answers are near exact
// ones, and all numbers but times are the same on one core and on two.
func TestMeanFieldExperiment(t *testing.T) {
	run := func(cores int) *Report {
		t.Helper()
		var r Result
		experimenttest.Quick(t, Run,
			experiment.Options{Engine: cli.Choice{Value: "interp"}}, cores, &r)
		if len(r.Sets) != 1 || r.Sets[0].Set != "nltcs" || len(r.Sets[0].Methods) != len(specs) {
			t.Fatalf("found %+v; want nltcs by all methods", r)
		}
		return r.Sets[0]
	}
	r := run(1)
	for _, c := range []struct {
		what            string
		got, want, part float64
	}{
		{"log-likelihood of the Bayesian network", r.WholeLL, -6.0226, 0.005},
		{"pseudo-log-likelihood of the dependency network", r.DN.PLL, -4.9724, 0.005},
		{"CMLL of belief propagation", average(r.method("BN.BP").CMLL), average(r.method(exactName).CMLL), 0.02},
		{"CMLL of Gibbs sampling", average(r.method("BN.Gibbs").CMLL), average(r.method(exactName).CMLL), 0.01},
		{"DN log-likelihood", r.DN.LL, r.BN.LL, 0.1},
	} {
		if !(math.Abs(c.got-c.want) <= c.part*math.Abs(c.want)) {
			t.Errorf("%s: %v; want %v", c.what, c.got, c.want)
		}
	}
	for i, n := range r.CutSweeps {
		if n%20 != 0 || n < 20 || n > mostSweeps {
			t.Errorf("fraction %d: cut to %d sweeps", i, n)
		}
	}
	timeless(r)
	if again := run(2); !reflect.DeepEqual(timeless(again), r) {
		t.Errorf("on two cores: %+v; on one %+v", again, r)
	}
}

// timeless removes everything that depends on times.
func timeless(r *Report) *Report {
	r.BN.Seconds, r.DN.Seconds, r.Cut, r.CutSweeps = 0, 0, nil, nil
	for _, m := range r.Methods {
		m.Seconds = nil
	}
	return r
}

// TestWorkers checks that packages answer as the interpreter does, and exact inference as
// enumeration.
func TestWorkers(t *testing.T) {
	if testing.Short() {
		t.Skip("builds packages")
	}
	m := irtest.Sprinkler()
	joint, err := brute.New(m)
	if err != nil {
		t.Fatal(err)
	}
	dependency, _, err := m.Dependency(1 << 10)
	if err != nil {
		t.Fatal(err)
	}
	var programs []program
	for _, f := range specs {
		asked := m
		if f.dependency {
			asked = dependency
		}
		opt := compiler.Options{Method: compiler.Named(f.method, f.options...)}
		if f.name == exactName {
			opt.Queries = []string{"marginals"}
		}
		r, err := compiler.Compile(t.Context(), asked, opt)
		if err != nil {
			t.Fatal(err)
		}
		programs = append(programs, program{f.name, f.method, r, &r.Program.Entries[0]})
	}
	built, err := newPackages(t.Context(), (&cli.App{}), programs, 2)
	if err != nil {
		t.Fatal(err)
	}
	defer built.close()
	inProcess := newInterpreted((&cli.App{}), programs, 2)
	qs := []Query{{Row: []int{0, 1, 0, 1}, Seed: 3}, {Row: []int{1, 0, 1, 1}, Known: []int{1, 2}, Seed: 4}, {Row: []int{1, 0, 0, 0}, Known: []int{3}, Seed: 5}}
	for i, p := range programs {
		for _, e := range []Effort{{}, {Sweeps: 40, BurnIn: 4}} {
			want, err := inProcess.ask(t.Context(), i, qs, e)
			if err != nil {
				t.Fatal(err)
			}
			got, err := built.ask(t.Context(), i, qs, e)
			if err != nil {
				t.Fatal(err)
			}
			for k := range qs {
				for v := range got[k].P {
					if !(math.Abs(got[k].P[v]-want[k].P[v]) <= 1e-12) {
						t.Errorf("%s, question %d, variable %d: %v; the interpreter says %v", p.name, k, v, got[k].P[v], want[k].P[v])
					}
					if exact := posteriorOf(joint, &qs[k], v); p.name == exactName && math.Abs(got[k].P[v]-exact) > 1e-12 {
						t.Errorf("question %d, variable %d: %v; want %v", k, v, got[k].P[v], exact)
					}
				}
			}
		}
	}
}

// posteriorOf returns the answer by enumeration.
func posteriorOf(joint *brute.Joint, q *Query, v int) float64 {
	e := brute.Evidence{Hard: map[model.VarID]int{}}
	for _, u := range q.Known {
		e.Hard[model.VarID(u)] = q.Row[u]
	}
	return joint.Posterior(model.VarID(v), e)[q.Row[v]]
}

// TestWins takes two sets with three rows each. The second method is better by 0.5 in each row of
// the first set, and varies in the other: one significant win and one that is not.
func TestWins(t *testing.T) {
	method := func(name string, rows ...float64) *Method {
		m := newMethod(name, 1)
		m.rows[0] = rows
		return m
	}
	x := &Result{Fractions: []float64{0.5}, Sets: []*Report{
		{Methods: []*Method{method("a", -1, -2, -1), method("b", -0.5, -1.5, -0.5)}},
		{Methods: []*Method{method("a", -1, -2, -1), method("b", -0.5, -2.3, -1.1)}},
	}}
	if got, want := x.wins("b", "a"), (Wins{"b", "a", []int{2}, []int{0}, []int{1}, []int{0}}); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v; want %+v", got, want)
	}
	if got, want := x.wins("a", "b"), (Wins{"a", "b", []int{0}, []int{2}, []int{0}, []int{1}}); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v; want %+v", got, want)
	}
}

// TestFieldMethod checks that an answer of 0.5 and 0.25 for two of three variables has a CMLL of
// (ln 0.5 + ln 0.25)/2, and differs from 0.5 and 0.75 by the square root of 1/8.
func TestFieldMethod(t *testing.T) {
	m := newMethod("m", 2)
	q := &Query{Row: []int{0, 1, 0}, Known: []int{1}}
	m.add(1, q, &Answer{P: []float64{0.5, 1, 0.25}, Seconds: 2, Settled: true}, &Answer{P: []float64{0.5, 1, 0.75}})
	if want := -1.5 * math.Ln2; math.Abs(m.CMLL[1]-want) > 1e-15 || math.Abs(m.RMS-math.Sqrt(0.125)) > 1e-15 {
		t.Errorf("CMLL %v, difference %v; want %v and %v", m.CMLL[1], m.RMS, want, math.Sqrt(0.125))
	}
	m.add(1, q, &Answer{P: []float64{1, 1, 1}}, &Answer{P: []float64{1, 1, 1}})
	if math.Abs(m.CMLL[1]+0.75*math.Ln2) > 1e-15 || m.Seconds[1] != 1 || m.Settled[1] != 0.5 || math.Abs(m.RMS-0.25) > 1e-15 {
		t.Errorf("after another one: %+v", m)
	}
}
