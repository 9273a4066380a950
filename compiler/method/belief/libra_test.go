package belief_test

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/method/belief"
	"github.com/pgmc-go/pgmc/compiler/method/methodtest"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// libraBP is a second implementation of belief propagation as Libra's program bp does it, which
// explains its output. Factors are reduced by the evidence, all messages are computed from those of
// the previous iteration and begin uniform, and factors over one variable are factors like others.
// Libra stops after an iteration in which no marginal has a divergence of 1e-4 or more from the
// previous one, or after 50 iterations, and prints the marginals of the iteration before. So it
// prints messages that have not converged.
type libraBP struct {
	m       *model.Model
	factors []reduced
}

// reduced is a factor over the variables that were not observed: a sum of terms, each a number for
// certain states of some variables.
type reduced struct {
	scope []model.VarID
	terms []term
}

type term struct {
	value  float64
	states [][]bool // by variable of the scope; nil: any state
}

func newLibraBP(m *model.Model, evidence []int) *libraBP {
	l := &libraBP{m: m}
	for _, f := range m.Factors {
		var r reduced
		for _, t := range termsOf(m, f) {
			keep := true
			var states [][]bool
			for i, v := range f.Scope {
				if e := evidence[v]; e < 0 {
					states = append(states, t.states[i])
				} else {
					keep = keep && (t.states[i] == nil || t.states[i][e])
				}
			}
			if keep {
				r.terms = append(r.terms, term{t.value, states})
			}
		}
		for _, v := range f.Scope {
			if evidence[v] < 0 {
				r.scope = append(r.scope, v)
			}
		}
		if len(r.scope) > 0 {
			l.factors = append(l.factors, r)
		}
	}
	return l
}

// termsOf returns the rows of a table, the leaves of a tree, or features of which each joint state
// has one.
func termsOf(m *model.Model, f *model.Factor) (list []term) {
	one := func(axis, state int) []bool {
		states := make([]bool, m.Card(f.Scope[axis]))
		states[state] = true
		return states
	}
	switch d := f.Dist.(type) {
	case *model.Tree:
		var walk func(node int32, states [][]bool)
		walk = func(node int32, states [][]bool) {
			n := &d.Nodes[node]
			for s, x := range n.Leaf {
				leaf := slices.Clone(states)
				if f.Child >= 0 {
					leaf[f.Child] = one(f.Child, s)
				}
				list = append(list, term{x, leaf})
			}
			done := map[int32]bool{}
			for _, next := range n.Next {
				if done[next] {
					continue
				}
				done[next] = true
				below := slices.Clone(states)
				reach := make([]bool, len(n.Next))
				for s := range reach {
					reach[s] = n.Next[s] == next && (states[n.Axis] == nil || states[n.Axis][s])
				}
				below[n.Axis] = reach
				walk(next, below)
			}
		}
		walk(0, make([][]bool, len(f.Scope)))
	case *model.Features:
		for _, x := range d.List {
			states := make([][]bool, len(f.Scope))
			for _, lit := range x.Literals {
				s := one(lit.Axis, int(lit.State))
				for i := range s {
					s[i] = s[i] != lit.Not && (states[lit.Axis] == nil || states[lit.Axis][i])
				}
				states[lit.Axis] = s
			}
			list = append(list, term{math.Exp(x.Weight), states})
		}
	default:
		state := make([]int, len(m.Vars))
		for more := true; more; more = m.Next(f.Scope, state) {
			states := make([][]bool, len(f.Scope))
			for i, v := range f.Scope {
				states[i] = one(i, state[v])
			}
			list = append(list, term{m.Value(f, state), states})
		}
	}
	return list
}

// run iterates until the largest divergence is below the threshold, which ends Libra's run before
// the last iteration counts. With settle it iterates until the divergence is negligible, after
// which no marginal changes by 1e-6.
func (l *libraBP) run(settle bool) (marginals [][]float64, settled bool) {
	in := make([][][]float64, len(l.factors)) // messages to the factors, by place
	for k, f := range l.factors {
		for _, v := range f.scope {
			in[k] = append(in[k], l.uniform(v))
		}
	}
	threshold, rounds := 1e-4, 50
	if settle {
		threshold, rounds = 1e-15, 300
	}
	last := l.all()
	for range rounds {
		out := make([][][]float64, len(l.factors))
		next := l.all()
		for k := range l.factors {
			out[k] = l.send(&l.factors[k], in[k])
			for i, v := range l.factors[k].scope {
				for s, x := range out[k][i] {
					next[v][s] *= x
				}
				normalize(next[v]) // Libra normalizes once, in logarithms; the result is the same up to a power of two
			}
		}
		worst := 0.0
		for v, p := range last {
			kl := 0.0
			for s, x := range p {
				if x > 0 {
					kl += x * math.Log(x/next[v][s])
				}
			}
			worst = max(worst, kl)
		}
		if worst < threshold {
			return last, true
		}
		last = next
		for k := range l.factors {
			for i, v := range l.factors[k].scope {
				for s, x := range out[k][i] {
					in[k][i][s] = 0
					if x > 0 {
						in[k][i][s] = last[v][s] / x
					}
				}
				normalize(in[k][i])
			}
		}
	}
	return last, false
}

// send returns the messages of a factor.
func (l *libraBP) send(f *reduced, in [][]float64) (out [][]float64) {
	for _, v := range f.scope {
		out = append(out, make([]float64, l.m.Card(v)))
	}
	mass := make([]float64, len(f.scope))
	for _, t := range f.terms {
		for i := range f.scope {
			mass[i] = 0
			for s, x := range in[i] {
				if t.states[i] == nil || t.states[i][s] {
					mass[i] += x
				}
			}
		}
		for i := range f.scope {
			others := t.value
			for j, x := range mass {
				if j != i {
					others *= x
				}
			}
			for s := range out[i] {
				if t.states[i] == nil || t.states[i][s] {
					out[i][s] += others
				}
			}
		}
	}
	for _, p := range out {
		normalize(p)
	}
	return out
}

func (l *libraBP) uniform(v model.VarID) []float64 {
	n := l.m.Card(v)
	return slices.Repeat([]float64{1 / float64(n)}, n)
}

func (l *libraBP) all() (list [][]float64) {
	for v := range l.m.Vars {
		list = append(list, l.uniform(model.VarID(v)))
	}
	return list
}

func normalize(p []float64) {
	sum := 0.0
	for _, x := range p {
		sum += x
	}
	for i := range p {
		if sum > 0 {
			p[i] /= sum
		}
	}
}

// bpCase is a case of Libra's tests of bp: the names of the files that it reads and of its output.
type bpCase struct {
	model, evidence, queries string
	same                     bool // the first row of evidence is that of all queries
	log                      string
}

// bpCases holds all of Libra's cases except those of networks without cycles, which are in
// TestLibra.
var bpCases = []bpCase{
	{"inference/test1.bif", "inference/test1.ev", "inference/test1.q", false, "inference/test3.log"},
	{"inference/test1.mn", "inference/test1.ev", "inference/test1.q", false, "inference/test3b.log"},
	{"inference/test1-f.mn", "inference/test1.ev", "inference/test1.q", false, "inference/test3b.log"},
	{"inference/test1-ev1.mn", "inference/test1.ev1", "inference/test1.q1", false, "inference/test6.log"},
	{"acbn/alarm.bif", "", "", false, "inference/test7.log"},
	{"inference/alarm.mn.gz", "", "", false, "inference/test7b.log"},
	{"inference/alarm-f.mn.gz", "", "", false, "inference/test7b.log"},
	{"acbn/alarm.bif", "inference/alarm.ev", "", false, "inference/test8.log"},
	{"inference/alarm.mn.gz", "inference/alarm.ev", "", false, "inference/test8b.log"},
	{"inference/alarm-f.mn.gz", "inference/alarm.ev", "", false, "inference/test8b.log"},
	{"acbn/alarm.bif", "inference/alarm.ev", "inference/alarm.q", false, "inference/test9.log"},
	{"inference/alarm.mn.gz", "inference/alarm.ev", "inference/alarm.q", false, "inference/test9b.log"},
	{"inference/alarm-f.mn.gz", "inference/alarm.ev", "inference/alarm.q", false, "inference/test9b.log"},
	{"inference/alarm-ev1.mn.gz", "", "", false, "inference/test10.log"},
	{"inference/alarm-ev1.mn.gz", "inference/alarm.ev1", "", false, "inference/test11.log"},
	{"inference/alarm-ev1.mn.gz", "inference/alarm.ev1", "inference/alarm.q1", false, "inference/test12.log"},
	{"inference/msweb.xmod.gz", "", "", false, "inference/test13.log"},
	{"inference/msweb.mn.gz", "", "", false, "inference/test13b.log"},
	{"inference/msweb-f.mn.gz", "", "", false, "inference/test13c.log"},
	{"inference/msweb.xmod.gz", "inference/msweb.ev", "", false, "inference/test14.log.gz"},
	{"inference/msweb.mn.gz", "inference/msweb.ev", "", false, "inference/test14b.log.gz"},
	{"inference/msweb-f.mn.gz", "inference/msweb.ev", "", false, "inference/test14c.log.gz"},
	{"inference/msweb.xmod.gz", "inference/msweb.ev", "../examples/msweb.q", false, "inference/test15.log"},
	{"inference/msweb.mn.gz", "inference/msweb.ev", "../examples/msweb.q", false, "inference/test15b.log"},
	{"inference/msweb-f.mn.gz", "inference/msweb.ev", "../examples/msweb.q", false, "inference/test15b.log"},
	{"inference/msweb-ev1.mn.gz", "", "", false, "inference/test16.log"},
	{"inference/msweb-ev1.mn.gz", "../examples/msweb.ev", "", false, "inference/test17.log.gz"},
	{"inference/msweb-ev1.mn.gz", "../examples/msweb.ev", "../examples/msweb.q", false, "inference/test18.log"},
	{"acopt/msweb-cl.xmod.gz", "", "", false, "manual/test21.log"},
	{"acopt/msweb-cl.xmod.gz", "", "../examples/msweb.q", true, "manual/test22.log"},
	{"../examples/msweb.xmod.gz", "manual/msweb.ev1", "../examples/msweb.q", false, "manual/test23.log"},
	{"../examples/msweb.xmod.gz", "manual/msweb.ev1", "../examples/msweb.q", true, "manual/test24.log"},
	{"manual/msweb.mn.gz", "", "", false, "manual/test31.log"},
	{"mn/msweb-cl.mn.gz", "", "", false, "mn/test9.log"},
	{"mn/msweb-cl.mn.gz", "", "../examples/msweb.q", true, "mn/test10.log"},
	{"manual/msweb.mn.gz", "manual/msweb.ev1", "../examples/msweb.q", false, "mn/test11.log"},
	{"manual/msweb.mn.gz", "manual/msweb.ev1", "../examples/msweb.q", true, "mn/test12.log"},
}

// TestLibraRounds checks both halves of the explanation: Libra's messages at the end of its run
// give its output, and their limit is the result of method belief. The second half is for models
// whose factors the method does not decompose, and for rows on which both converge.
func TestLibraRounds(t *testing.T) {
	for _, c := range bpCases {
		t.Run(c.log+" "+c.model, func(t *testing.T) {
			if strings.Contains(c.model, "msweb") {
				irtest.SkipUnlessLong(t)
			}
			c.check(t)
		})
	}
}

func (c *bpCase) check(t *testing.T) {
	m := methodtest.LibraModel(t, c.model)
	evidence := []string{""}
	if c.evidence != "" {
		evidence = methodtest.LibraRows(t, c.evidence)
	}
	var queries []string
	if c.queries != "" {
		queries = methodtest.LibraRows(t, c.queries)
	}
	if c.same {
		evidence = evidence[:1]
	}
	var all, settled [][][]float64
	for _, row := range evidence {
		e := states(row, len(m.Vars))
		l := newLibraBP(m, e)
		p, _ := l.run(false)
		all = append(all, certain(p, e))
		if p, ok := l.run(true); ok {
			settled = append(settled, certain(p, e))
		} else {
			settled = append(settled, nil)
		}
	}
	if queries != nil {
		c.likelihoods(t, m, all, evidence, queries)
	} else {
		c.marginals(t, all)
	}
	c.settled(t, settled)
}

// states parses states separated by commas; -1 means unknown.
func states(row string, n int) []int {
	out := slices.Repeat([]int{-1}, n)
	for v, s := range strings.Split(row, ",") {
		if state, err := strconv.Atoi(s); err == nil {
			out[v] = state
		}
	}
	return out
}

// certain sets the marginals of observed variables to their states.
func certain(p [][]float64, evidence []int) [][]float64 {
	for v, e := range evidence {
		if e >= 0 {
			clear(p[v])
			p[v][e] = 1
		}
	}
	return p
}

func (c *bpCase) marginals(t *testing.T, got [][][]float64) {
	want := (&methodtest.LibraCase{Log: c.log}).Want(t)
	if len(got) != len(want) {
		t.Fatalf("%d rows of evidence; Libra answered %d", len(got), len(want))
	}
	for i := range want {
		for v, p := range want[i] {
			for s, w := range p {
				if !methodtest.LibraNear(got[i][v][s], w) {
					t.Errorf("row %d, variable %d: %v; Libra has %v", i, v, got[i][v], p)
				}
			}
		}
	}
}

// likelihoods compares the sums of the log marginals of a query's states, without those of observed
// variables.
func (c *bpCase) likelihoods(t *testing.T, m *model.Model, got [][][]float64, evidence, queries []string) {
	want := methodtest.LibraRows(t, c.log)
	for i, row := range queries {
		k := i % len(evidence)
		e, sum := states(evidence[k], len(m.Vars)), 0.0
		for v, s := range states(row, len(m.Vars)) {
			if s >= 0 && e[v] < 0 {
				sum += math.Log(got[k][v][s])
			}
		}
		if w, err := strconv.ParseFloat(want[i], 64); err != nil || math.Abs(sum-w) > 6e-7 {
			t.Errorf("row %d: %.6f; Libra has %s", i, sum, want[i])
		}
	}
}

// settled compares with method belief.
func (c *bpCase) settled(t *testing.T, want [][][]float64) {
	run := methodtest.LibraCase{Model: c.model, Evidence: c.evidence}
	got := run.Run(t, belief.Method, pgmrt.LoopOptions{Iterations: 300, Tolerance: 1e-9})
	for i, row := range want {
		for v, p := range row {
			irtest.Close(t, got[i][v], p, 1e-6)
		}
	}
}
