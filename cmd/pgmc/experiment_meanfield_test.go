package main

import (
	"encoding/json"
	"math"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// TestMeanFieldExperiment runs the quick form: what was learned is near what others have of nltcs (BN test log-likelihoods of WinMine, -6.025, and
// of Libra, -6.0226; DN pseudo-log-likelihood of Libra at kappa 0.1, -4.9724), loopy and sampled answers near exact ones, and all numbers but
// times are the same on one core and on two.
func TestMeanFieldExperiment(t *testing.T) {
	run := func(cores string) *fieldReport {
		t.Helper()
		code, stdout, stderr := pgmc("", "experiment", "dn-mean-field", "--quick", "--engine", "interp", "--json", "--cpu", cores, "--data", filepath.Join(irtest.Shared(t), "data"))
		if code != cli.ExitDone {
			t.Fatalf("exit %d: %s", code, stderr)
		}
		var r fieldResult
		if err := json.Unmarshal([]byte(stdout), &r); err != nil {
			t.Fatal(err)
		}
		if len(r.Sets) != 1 || r.Sets[0].Set != "nltcs" || len(r.Sets[0].Methods) != len(fieldMethods) {
			t.Fatalf("found %s; want nltcs by all methods", stdout)
		}
		return r.Sets[0]
	}
	r := run("1")
	for _, c := range []struct {
		what            string
		got, want, part float64
	}{
		{"log-likelihood of the Bayesian network", r.WholeLL, -6.0226, 0.005},
		{"pseudo-log-likelihood of the dependency network", r.DN.PLL, -4.9724, 0.005},
		{"CMLL of belief propagation", average(r.method("BN.BP").CMLL), average(r.method(fieldExact).CMLL), 0.02},
		{"CMLL of Gibbs sampling", average(r.method("BN.Gibbs").CMLL), average(r.method(fieldExact).CMLL), 0.01},
		{"DN log-likelihood", r.DN.LL, r.BN.LL, 0.1},
	} {
		if !(math.Abs(c.got-c.want) <= c.part*math.Abs(c.want)) {
			t.Errorf("%s: %v; want %v", c.what, c.got, c.want)
		}
	}
	for i, n := range r.CutSweeps {
		if n%20 != 0 || n < 20 || n > fieldSweeps {
			t.Errorf("fraction %d: cut to %d sweeps", i, n)
		}
	}
	timeless(r)
	if again := run("2"); !reflect.DeepEqual(timeless(again), r) {
		t.Errorf("on two cores: %+v; on one %+v", again, r)
	}
}

// timeless takes away what hangs on times.
func timeless(r *fieldReport) *fieldReport {
	r.BN.Seconds, r.DN.Seconds, r.Cut, r.CutSweeps = 0, 0, nil, nil
	for _, m := range r.Methods {
		m.Seconds = nil
	}
	return r
}

// TestAskers wants the packages to answer as the interpreter does, and exact inference as enumeration.
func TestAskers(t *testing.T) {
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
	var programs []askedProgram
	for _, f := range fieldMethods {
		asked := m
		if f.dependency {
			asked = dependency
		}
		opt := compiler.Options{Method: compiler.Named(f.method, f.options...)}
		if f.name == fieldExact {
			opt.Queries = []string{"marginals"}
		}
		r, err := compiler.Compile(t.Context(), asked, opt)
		if err != nil {
			t.Fatal(err)
		}
		programs = append(programs, askedProgram{f.name, f.method, r, &r.Program.Entries[0]})
	}
	built, err := (&app{&cli.App{}}).newPackages(t.Context(), programs, 2)
	if err != nil {
		t.Fatal(err)
	}
	defer built.close()
	inProcess := (&app{&cli.App{}}).newInterpreted(programs, 2)
	qs := []inquiry{{Row: []int{0, 1, 0, 1}, Seed: 3}, {Row: []int{1, 0, 1, 1}, Known: []int{1, 2}, Seed: 4}, {Row: []int{1, 0, 0, 0}, Known: []int{3}, Seed: 5}}
	for i, p := range programs {
		for _, e := range []effort{{}, {Sweeps: 40, BurnIn: 4}} {
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
					if exact := posteriorOf(joint, &qs[k], v); p.name == fieldExact && math.Abs(got[k].P[v]-exact) > 1e-12 {
						t.Errorf("question %d, variable %d: %v; want %v", k, v, got[k].P[v], exact)
					}
				}
			}
		}
	}
}

// posteriorOf is the answer by enumeration.
func posteriorOf(joint *brute.Joint, q *inquiry, v int) float64 {
	e := brute.Evidence{Hard: map[model.VarID]int{}}
	for _, u := range q.Known {
		e.Hard[model.VarID(u)] = q.Row[u]
	}
	return joint.Posterior(model.VarID(v), e)[q.Row[v]]
}

// Two sets with three rows each, where the second method is better by 0.5 in each row of the first set, and now worse, now better in the other: a win
// that is significant and one that is not.
func TestWins(t *testing.T) {
	method := func(name string, rows ...float64) *fieldMethod {
		m := newFieldMethod(name, 1)
		m.rows[0] = rows
		return m
	}
	x := &fieldResult{Fractions: []float64{0.5}, Sets: []*fieldReport{
		{Methods: []*fieldMethod{method("a", -1, -2, -1), method("b", -0.5, -1.5, -0.5)}},
		{Methods: []*fieldMethod{method("a", -1, -2, -1), method("b", -0.5, -2.3, -1.1)}},
	}}
	if got, want := x.wins("b", "a"), (fieldWins{"b", "a", []int{2}, []int{0}, []int{1}, []int{0}}); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v; want %+v", got, want)
	}
	if got, want := x.wins("a", "b"), (fieldWins{"a", "b", []int{0}, []int{2}, []int{0}, []int{1}}); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v; want %+v", got, want)
	}
}

// An answer of 0.5 and 0.25 for two of three variables has a CMLL of (ln 0.5 + ln 0.25)/2; beside 0.5 and 0.75 it is off by the root of 1/8.
func TestFieldMethod(t *testing.T) {
	m := newFieldMethod("m", 2)
	q := &inquiry{Row: []int{0, 1, 0}, Known: []int{1}}
	m.add(1, q, &told{P: []float64{0.5, 1, 0.25}, Seconds: 2, Settled: true}, &told{P: []float64{0.5, 1, 0.75}})
	if want := -1.5 * math.Ln2; math.Abs(m.CMLL[1]-want) > 1e-15 || math.Abs(m.RMS-math.Sqrt(0.125)) > 1e-15 {
		t.Errorf("CMLL %v, difference %v; want %v and %v", m.CMLL[1], m.RMS, want, math.Sqrt(0.125))
	}
	m.add(1, q, &told{P: []float64{1, 1, 1}}, &told{P: []float64{1, 1, 1}})
	if math.Abs(m.CMLL[1]+0.75*math.Ln2) > 1e-15 || m.Seconds[1] != 1 || m.Settled[1] != 0.5 || math.Abs(m.RMS-0.25) > 1e-15 {
		t.Errorf("after another one: %+v", m)
	}
}

// TestStructureExperiment runs the quick form: the distances of learners are far below that of a tree where they should be, and the
// order of the true network, with enough rows, is worth most of the edges.
func TestStructureExperiment(t *testing.T) {
	code, stdout, stderr := pgmc("", "experiment", "structure", "--quick", "--json", "--data", filepath.Join(irtest.Shared(t), "data"))
	if code != cli.ExitDone {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	var r structureResult
	if err := json.Unmarshal([]byte(stdout), &r); err != nil {
		t.Fatal(err)
	}
	if r.Network != "alarm" || r.Edges != 46 || r.Rows != 1000 || len(r.Learned) != len(structureLearners) {
		t.Fatalf("found %s; want all learners on 1,000 rows of alarm, which has 46 edges", stdout)
	}
	tree := r.Learned[0]
	if tree.Edges != 36 {
		t.Errorf("the tree has %d edges; want 36", tree.Edges)
	}
	for _, x := range r.Learned {
		if x.SHD != x.Missing+x.Extra+x.Directions {
			t.Errorf("%s: %+v does not add up", x.Learner, x)
		}
		if most, ok := map[string]int{"K2, true order": 15, "search over orders": 30, "GES": 15}[x.Learner]; ok && x.SHD > most {
			t.Errorf("%s: distance %d; want %d at most", x.Learner, x.SHD, most)
		}
		if strings.HasPrefix(x.Learner, "hill") && x.BDeu <= tree.BDeu {
			t.Errorf("%s: BDeu %v; the tree has %v", x.Learner, x.BDeu, tree.BDeu)
		}
	}
}
