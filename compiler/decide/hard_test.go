package decide_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/decide"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// hard returns a diagram of 1 to 4 decisions with hard numbers: probabilities of 0, 1 and 1e-15,
// states that cannot be, rows of zeros, mostly of these, and utilities of 1/1024, 1 and 1048576.
func hard(seed uint64) *model.Model {
	r := rand.New(rand.NewPCG(seed, 11))
	m := &model.Model{Diagram: &model.Diagram{}}
	never := map[model.VarID]bool{} // variables whose first state cannot be
	size := 1
	add := func(given bool) model.VarID {
		n := 2
		if r.IntN(3) == 0 && size < 2000 {
			n = 3
		}
		size *= n
		v := m.NewVar(string(rune('a'+len(m.Vars))), []string{"0", "1", "2"}[:n]...)
		v.Given = given
		return v.ID
	}
	some := func(most int) (list []model.VarID) {
		for _, v := range r.Perm(len(m.Vars))[:min(len(m.Vars), r.IntN(most+1))] {
			list = append(list, model.VarID(v))
		}
		slices.Sort(list)
		return list
	}
	decisions := 1 + int(seed%4)
	last := model.VarID(-1)
	for i := range decisions + 1 {
		var known []model.VarID
		for range 1 + r.IntN(2) {
			parents := some(3)
			v := add(false)
			m.Factors = append(m.Factors, hardFactor(m, r, parents, v, never))
			if r.IntN(3) > 0 {
				known = append(known, v)
			}
		}
		if i == decisions {
			break
		}
		if last >= 0 {
			known = append(known, last)
		}
		last = add(true)
		m.Diagram.Decisions = append(m.Diagram.Decisions, &model.Decision{Var: last, Known: known})
	}
	for i := range 3 {
		u := &model.Utility{Name: string(rune('x' + i)), Scope: some(3)}
		n, _ := m.TableSize(u.Scope)
		for range n {
			u.Values = append(u.Values, math.Ldexp(float64(r.IntN(21)-10), []int{-10, 0, 20}[(i+int(seed/4))%3]))
		}
		m.Diagram.Utilities = append(m.Diagram.Utilities, u)
	}
	return m
}

// hardFactor returns the CPD of v.
func hardFactor(m *model.Model, r *rand.Rand, parents []model.VarID, v model.VarID, never map[model.VarID]bool) *model.Factor {
	f := &model.Factor{Scope: append(slices.Clone(parents), v), Child: len(parents)}
	table, state, n := &model.Table{}, make([]int, len(m.Vars)), m.Card(v)
	never[v] = r.IntN(4) == 0
	for more := true; more; more = m.Next(parents, state) {
		row := make([]float64, n)
		impossible := slices.ContainsFunc(parents, func(p model.VarID) bool { return never[p] && state[p] == 0 })
		if !(impossible && r.IntN(2) == 0) && r.IntN(100) > 0 {
			for k := range row {
				row[k] = []float64{0, 1e-15, 1, 2, 3}[r.IntN(5)]
			}
			row[1+r.IntN(n-1)] += float64(1 - r.IntN(2)/2)
			if never[v] {
				row[0] = 0
			}
			sum := 0.0
			for _, x := range row {
				sum += x
			}
			for k := range row {
				row[k] /= sum
			}
		}
		table.Values = append(table.Values, row...)
	}
	f.Dist = table
	return f
}

// joint is a joint state of positive probability.
type joint struct {
	state     []int
	p         float64
	utilities []float64 // and the sum
}

// joints lists the joint states of a diagram.
func joints(m *model.Model, likelihood [][]float64) (list []joint) {
	all := make([]model.VarID, len(m.Vars))
	for v := range all {
		all[v] = model.VarID(v)
	}
	state := make([]int, len(m.Vars))
	for more := true; more; more = m.Next(all, state) {
		p := 1.0
		for _, f := range m.Factors {
			p *= m.Value(f, state)
		}
		for v, l := range likelihood {
			if l != nil {
				p *= l[state[v]]
			}
		}
		if p > 0 {
			x := joint{slices.Clone(state), p, nil}
			for _, u := range m.Diagram.Utilities {
				x.utilities = append(x.utilities, at(m, u.Scope, u.Values, state))
			}
			x.utilities = append(x.utilities, sumOf(m, state))
			list = append(list, x)
		}
	}
	return list
}

// follow keeps the joint states in which all decisions except one follow the policies.
func follow(m *model.Model, list []joint, s *decide.Solution, except model.VarID) []joint {
	return slices.DeleteFunc(slices.Clone(list), func(x joint) bool {
		return slices.ContainsFunc(s.Policies, func(p *decide.Policy) bool {
			return p.Decision != except && at(m, p.Known, p.Choice, x.state) != x.state[p.Decision]
		})
	})
}

// reachable reports whether choices reach a row of zeros: the states of its parents are possible.
func reachable(m *model.Model) bool {
	for i, f := range m.Factors {
		before := &model.Model{Vars: m.Vars[:f.ChildVar()], Factors: m.Factors[:i], Diagram: &model.Diagram{}} // in the order of the variables
		for _, x := range joints(before, nil) {
			sum := 0.0
			state := append(x.state, 0)
			for state[f.ChildVar()] = range m.Card(f.ChildVar()) {
				sum += m.Value(f, state)
			}
			if sum == 0 {
				return true
			}
		}
	}
	return false
}

// TestHard compares random diagrams with hard numbers with sums over the joint states and with a
// decision tree: the maximum expected utility, moments, the distribution, and each case.
func TestHard(t *testing.T) {
	refused, impossible, cases, zeros, counted := 0, 0, 0, 0, 0
	for seed := range uint64(irtest.Count(t, 60, 500)) {
		m := hard(seed)
		if list := m.Check(); list.HasErrors() {
			t.Fatal(list.Err())
		}
		normal, list := m.NormalizeRows(model.RowsNormalize)
		if want := reachable(m); list.HasErrors() != want {
			t.Fatalf("seed %d: error %v; rows of zeros are reached: %v", seed, list.Err(), want)
		} else if want {
			refused++
			continue
		}
		likelihood := make([][]float64, len(m.Vars))
		if seed%3 == 1 {
			likelihood[0] = []float64{.25, 1e-12, .5}[:m.Card(0)]
			likelihood[0][seed%2] = 0
		}
		s, err := decide.Solve(t.Context(), normal, likelihood, decide.Options{})
		all := joints(normal, likelihood)
		if len(all) == 0 {
			if impossible++; !errors.Is(err, decide.ErrImpossible) {
				t.Errorf("seed %d: error %v; want impossible evidence", seed, err)
			}
			continue
		}
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		h := &hardness{t: t, m: normal, s: s, seed: seed, sizes: make([]float64, len(m.Diagram.Utilities)+1)}
		for i, u := range m.Diagram.Utilities {
			h.sizes[i] = max(math.Abs(slices.Max(u.Values)), math.Abs(slices.Min(u.Values)))
			h.sizes[len(h.sizes)-1] += h.sizes[i]
		}
		for _, f := range normal.Factors {
			for row := range slices.Chunk(f.Dist.(*model.Table).Values, m.Card(f.ChildVar())) {
				if slices.Max(row) == 0 {
					zeros++
				}
			}
		}
		if best, ok := enumerated(normal, all); ok {
			h.near("utility of all strategies", s.Utility, best, h.sizes[len(h.sizes)-1])
			counted++
		}
		u, p := expected(normal, likelihood)
		h.near("utility", s.Utility, u/p, h.sizes[len(h.sizes)-1])
		h.moments(follow(normal, all, s, -1))
		for i, q := range s.Policies {
			cases += h.cases(i, follow(normal, all, s, q.Decision))
		}
	}
	if refused == 0 || impossible == 0 || cases < 150 || zeros < 10 || counted < 15 {
		t.Errorf("%d diagrams are refused, in %d the evidence is impossible, %d cases, %d rows of zeros and all strategies of %d were compared; want more", refused, impossible, cases, zeros, counted)
	}
	t.Logf("%d diagrams are refused, in %d the evidence is impossible, %d cases, %d rows of zeros and all strategies of %d were compared", refused, impossible, cases, zeros, counted)
}

// strategies yields the choices of each strategy of a decision maker who forgets nothing, by
// decision and number of the joint state of all it knows; ok is false if there are more than 3000.
func strategies(m *model.Model) (known [][]model.VarID, list [][][]int, ok bool) {
	list, ok = [][][]int{{}}, true
	var past []model.VarID
	for _, d := range m.Diagram.Decisions {
		for _, v := range d.Known {
			if !slices.Contains(past, v) {
				past = append(slices.Clip(past), v)
			}
		}
		known = append(known, past)
		n, _ := m.TableSize(past)
		if math.Pow(float64(m.Card(d.Var)), float64(n))*float64(len(list)) > 3000 {
			return nil, nil, false
		}
		var next [][][]int
		for _, s := range list {
			choice := make([]int, n)
			for more := true; more; {
				next = append(next, append(slices.Clip(s), slices.Clone(choice)))
				more = false
				for k := range choice {
					if choice[k]++; choice[k] < m.Card(d.Var) {
						more = true
						break
					}
					choice[k] = 0
				}
			}
		}
		list, past = next, append(slices.Clip(past), d.Var)
	}
	return known, list, ok
}

// enumerated returns the largest mean utility of all strategies, if there are not too many.
func enumerated(m *model.Model, all []joint) (best float64, ok bool) {
	known, list, ok := strategies(m)
	best = math.Inf(-1)
	for _, s := range list {
		p, u := 0.0, 0.0
		for _, x := range all {
			follows := true
			for i, d := range m.Diagram.Decisions {
				follows = follows && at(m, known[i], s[i], x.state) == x.state[d.Var]
			}
			if follows {
				p, u = p+x.p, u+x.p*x.utilities[len(x.utilities)-1]
			}
		}
		best = max(best, u/p)
	}
	return best, ok
}

// hardness compares a solution.
type hardness struct {
	t     *testing.T
	m     *model.Model
	s     *decide.Solution
	seed  uint64
	sizes []float64 // the largest magnitudes of the utilities, and their sum
}

// near compares numbers up to rounding of some of a size.
func (h *hardness) near(what string, got, want, size float64) {
	h.t.Helper()
	if !(math.Abs(got-want) <= 1e-12*size) {
		h.t.Errorf("seed %d, %s: %v; want %v, of size %v", h.seed, what, got, want, size)
	}
}

// moments compares means, variances and the distribution.
func (h *hardness) moments(list []joint) {
	h.t.Helper()
	all, masses := 0.0, map[float64]float64{}
	for _, x := range list {
		all += x.p
		masses[x.utilities[len(h.sizes)-1]] += x.p // exact: few bits
	}
	for i, size := range h.sizes {
		got, err := h.s.Moments(h.t.Context())
		if i < len(h.m.Diagram.Utilities) {
			got, err = h.s.MomentsOf(h.t.Context(), i)
		}
		if err != nil {
			h.t.Fatal(err)
		}
		mean, variance := 0.0, 0.0
		for _, x := range list {
			mean += x.p / all * x.utilities[i]
		}
		for _, x := range list {
			variance += x.p / all * (x.utilities[i] - mean) * (x.utilities[i] - mean)
		}
		h.near("mean", got.Mean, mean, size)
		h.near("variance", got.Variance, variance, 100*variance+size*math.Sqrt(variance)+1e-12*size*size)
	}
	got, err := h.s.Distribution(h.t.Context())
	if err != nil || len(got) != len(masses) {
		h.t.Fatalf("seed %d: distribution of %d values, error %v; want %d", h.seed, len(got), err, len(masses))
	}
	for _, x := range got {
		h.near("probability of a total", x.Probability, masses[x.Utility]/all, 10*masses[x.Utility]/all)
	}
}

// cases compares the cases of a decision and returns how many they are. The list has those joint
// states in which the other decisions follow their policies.
func (h *hardness) cases(i int, list []joint) int {
	h.t.Helper()
	c, err := h.s.Cases(h.t.Context(), i)
	if err != nil {
		h.t.Fatal(err)
	}
	n, size := h.m.Card(c.Decision), h.sizes[len(h.sizes)-1]
	type sums struct{ p, u []float64 }
	want, all := map[string]*sums{}, 0.0
	for _, x := range list {
		key, d := given(h.m, c.Known, x.state), x.state[c.Decision]
		if want[key] == nil {
			want[key] = &sums{make([]float64, n), make([]float64, n)}
		}
		want[key].p[d] += x.p
		want[key].u[d] += x.p * x.utilities[len(h.sizes)-1]
		all += x.p / float64(n) // each option has the same probability
	}
	if len(c.List) != len(want) {
		h.t.Errorf("seed %d, decision %d: %d cases; want %d", h.seed, c.Decision, len(c.List), len(want))
	}
	state := make([]int, len(h.m.Vars))
	for _, x := range c.List {
		for k, v := range c.Known {
			state[v] = x.Given[k]
		}
		w := want[given(h.m, c.Known, state)]
		if w == nil {
			h.t.Fatalf("seed %d, decision %d: the case %v cannot occur", h.seed, c.Decision, x.Given)
		}
		h.near("probability of a case", x.Probability, w.p[0]/all, 10*x.Probability)
		for k := range n {
			h.near("option", x.Utilities[k], w.u[k]/w.p[k], size)
			if x.Utilities[k] > x.Utilities[x.Choice]+1e-12*size {
				h.t.Errorf("seed %d, decision %d: option %d is better than the choice %d: %v", h.seed, c.Decision, k, x.Choice, x.Utilities)
			}
		}
	}
	return len(c.List)
}

// given names the states of variables.
func given(m *model.Model, vars []model.VarID, state []int) (key string) {
	for _, v := range vars {
		key += m.States(v)[state[v]]
	}
	return key
}
