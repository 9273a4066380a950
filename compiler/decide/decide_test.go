package decide_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/decide"
	"github.com/pgmc-go/pgmc/ir/model"
)

// tolerance is that of sums in another order.
const tolerance = 1e-12

// random returns a diagram of a few chance variables in between and around decisions. The chance
// variables of group i may have any earlier variable as a parent; decision i knows all of group i.
func random(seed uint64, decisions int) *model.Model {
	r := rand.New(rand.NewPCG(seed, 1))
	m := &model.Model{Diagram: &model.Diagram{}}
	subset := func(n, most int) (list []model.VarID) {
		for _, v := range r.Perm(n)[:min(n, r.IntN(most+1))] {
			list = append(list, model.VarID(v))
		}
		slices.Sort(list)
		return list
	}
	numbers := func(scope []model.VarID, f func() float64) []float64 {
		n, _ := m.TableSize(scope)
		list := make([]float64, n)
		for i := range list {
			list[i] = f()
		}
		return list
	}
	last := model.VarID(-1)
	for i := range decisions + 1 {
		var known []model.VarID
		for range 1 + r.IntN(2) {
			parents := subset(len(m.Vars), 3)
			v := m.NewVar(string(rune('a'+len(m.Vars))), []string{"0", "1", "2"}[:2+r.IntN(2)]...)
			scope := append(parents, v.ID)
			values := numbers(scope, func() float64 { return float64(r.IntN(4)) })
			for row := range slices.Chunk(values, m.Card(v.ID)) {
				row[r.IntN(len(row))]++
				sum := 0.0
				for _, x := range row {
					sum += x
				}
				for k := range row {
					row[k] /= sum
				}
			}
			m.Factors = append(m.Factors, &model.Factor{Scope: scope, Child: len(parents), Dist: &model.Table{Values: values}})
			if r.IntN(3) > 0 {
				known = append(known, v.ID)
			}
		}
		if i == decisions {
			break
		}
		if last >= 0 {
			known = append(known, last) // so that a path leads through all decisions
		}
		d := m.NewVar(string(rune('a'+len(m.Vars))), "0", "1")
		d.Given, last = true, d.ID
		m.Diagram.Decisions = append(m.Diagram.Decisions, &model.Decision{Var: d.ID, Known: known})
	}
	for range 2 {
		scope := subset(len(m.Vars), 3)
		m.Diagram.Utilities = append(m.Diagram.Utilities, &model.Utility{Name: "u", Scope: scope,
			Values: numbers(scope, func() float64 { return float64(r.IntN(21) - 10) })})
	}
	return m
}

// expected returns the sums, over the joint states that a decision maker who forgets nothing
// reaches, of probability and of probability times utility. It goes through the variables in the
// order in which they become known, as a decision tree does.
func expected(m *model.Model, likelihood [][]float64) (utility, probability float64) {
	var order []model.VarID
	for _, d := range m.Diagram.Decisions {
		for _, v := range append(slices.Clone(d.Known), d.Var) {
			if !slices.Contains(order, v) {
				order = append(order, v)
			}
		}
	}
	for _, v := range m.Vars {
		if !slices.Contains(order, v.ID) {
			order = append(order, v.ID)
		}
	}
	state := make([]int, len(m.Vars))
	var visit func(i int) (utility, probability float64)
	visit = func(i int) (utility, probability float64) {
		if i == len(order) {
			probability = 1
			for _, f := range m.Factors {
				probability *= m.Value(f, state)
			}
			for v, l := range likelihood {
				if l != nil {
					probability *= l[state[v]]
				}
			}
			return probability * sumOf(m, state), probability
		}
		v := order[i]
		open := m.Decides(v) != nil && likelihood[v] == nil
		for s := range m.Card(v) {
			state[v] = s
			u, p := visit(i + 1)
			if open && s > 0 {
				utility = max(utility, u)
			} else {
				utility, probability = utility+u, probability+p
			}
		}
		return utility, probability
	}
	return visit(0)
}

// sumOf returns the sum of the utilities of a joint state.
func sumOf(m *model.Model, state []int) (sum float64) {
	for _, u := range m.Diagram.Utilities {
		sum += at(m, u.Scope, u.Values, state)
	}
	return sum
}

// at returns the number of a joint state in a table.
func at[T any](m *model.Model, scope []model.VarID, values []T, state []int) T {
	i := 0
	for _, v := range scope {
		i = i*m.Card(v) + state[v]
	}
	return values[i]
}

// achieved returns the mean utility of policies, by enumeration of the joint states.
func achieved(t *testing.T, m *model.Model, likelihood [][]float64, s *decide.Solution) float64 {
	t.Helper()
	all := make([]model.VarID, len(m.Vars))
	for v := range all {
		all[v] = model.VarID(v)
	}
	utility, probability := 0.0, 0.0
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
		for _, x := range s.Policies {
			choice := at(m, x.Known, x.Choice, state)
			if choice < 0 && p > 0 && !earlierDiffers(m, s, x, state) {
				t.Errorf("a state of probability %g has no choice of %s", p, m.Vars[x.Decision].Name)
			}
			if choice != state[x.Decision] {
				p = 0
			}
		}
		utility, probability = utility+p*sumOf(m, state), probability+p
	}
	return utility / probability
}

// earlierDiffers reports whether a decision before that of x is not chosen as its policy says.
func earlierDiffers(m *model.Model, s *decide.Solution, x *decide.Policy, state []int) bool {
	for _, y := range s.Policies {
		if y == x {
			return false
		}
		if at(m, y.Known, y.Choice, state) != state[y.Decision] {
			return true
		}
	}
	return false
}

// TestBrute compares random diagrams with decision trees, and the utility with that of the
// policies.
func TestBrute(t *testing.T) {
	for seed := range uint64(150) {
		m := random(seed, 1+int(seed%3))
		if list := m.Check(); list.HasErrors() {
			t.Fatal(list.Err())
		}
		likelihood := make([][]float64, len(m.Vars))
		if seed%2 == 1 { // a finding about the first variable, which no decision affects
			likelihood[0] = []float64{.25, .75, .5}[:m.Card(0)]
		}
		if seed%5 == 4 { // a decision that was taken
			likelihood[m.Diagram.Decisions[0].Var] = []float64{0, 1}
		}
		s, err := decide.Solve(t.Context(), m, likelihood, decide.Options{})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		u, p := expected(m, likelihood)
		if math.Abs(s.Utility-u/p) > tolerance*max(1, math.Abs(u/p)) {
			t.Errorf("seed %d: %.17g; want %.17g", seed, s.Utility, u/p)
		}
		if got := achieved(t, m, likelihood, s); math.Abs(got-s.Utility) > tolerance*max(1, math.Abs(got)) {
			t.Errorf("seed %d: the policies achieve %.17g; want %.17g", seed, got, s.Utility)
		}
		limited, err := decide.Solve(t.Context(), m, likelihood, decide.Options{Limited: true})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if got := achieved(t, m, likelihood, limited); math.Abs(got-limited.Utility) > tolerance*max(1, math.Abs(got)) || got > s.Utility+tolerance*max(1, math.Abs(got)) {
			t.Errorf("seed %d: with limited memory %.17g, and the policies achieve %.17g; want no more than %.17g", seed, limited.Utility, got, s.Utility)
		}
	}
}

// TestValue compares the value of information with the utility of the diagram in which the first
// decision knows the variable.
func TestValue(t *testing.T) {
	for seed := range uint64(60) {
		m := random(seed, 2)
		none := make([][]float64, len(m.Vars))
		before, p := expected(m, none)
		list, err := decide.Unaffected(m, none, decide.First)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range list {
			got, err := decide.Value(t.Context(), m, none, []model.VarID{v}, decide.First, decide.Options{})
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			first := m.Diagram.Decisions[0]
			known := first.Known
			first.Known = append([]model.VarID{v}, slices.DeleteFunc(slices.Clone(known), func(u model.VarID) bool { return u == v })...)
			after, _ := expected(m, none)
			first.Known = known
			if want := (after - before) / p; math.Abs(got-want) > 1e-11 {
				t.Errorf("seed %d, %s: %.17g; want %.17g", seed, m.Vars[v].Name, got, want)
			}
		}
	}
}

// TestErrors checks what is refused.
func TestErrors(t *testing.T) {
	oil := func() *model.Model {
		m := &model.Model{}
		test, oil, result, drill := m.NewVar("test", "yes", "no"), m.NewVar("oil", "dry", "wet"), m.NewVar("result", "-", "+"), m.NewVar("drill", "yes", "no")
		test.Given, drill.Given = true, true
		m.Factors = []*model.Factor{
			{Scope: []model.VarID{oil.ID}, Dist: &model.Table{Values: []float64{.5, .5}}},
			{Scope: []model.VarID{test.ID, oil.ID, result.ID}, Child: 2, Dist: &model.Table{Values: []float64{.9, .1, .2, .8, .5, .5, .5, .5}}},
		}
		m.Diagram = &model.Diagram{
			Decisions: []*model.Decision{{Var: test.ID}, {Var: drill.ID, Known: []model.VarID{test.ID, result.ID}}},
			Utilities: []*model.Utility{{Name: "cost", Scope: []model.VarID{drill.ID, oil.ID}, Values: []float64{-7, 10, 0, 0}}},
		}
		return m
	}
	for _, c := range []struct {
		name, want string
		change     func(m *model.Model, likelihood [][]float64)
		options    decide.Options
	}{
		{name: "none", want: "the model has no decisions and no utilities; want an influence diagram", change: func(m *model.Model, _ [][]float64) { m.Diagram = nil }},
		{name: "no order", want: `nothing orders the decisions "test" and "drill", connected by "oil"; want a path between them, or decide with limited, by which decisions know their parents alone`,
			change: func(m *model.Model, l [][]float64) {
				m.Diagram.Decisions[1].Known = nil
				m.Diagram.Utilities = append(m.Diagram.Utilities, &model.Utility{Name: "more", Scope: []model.VarID{2}, Values: []float64{1, 0}})
			}},
		{name: "no order of one utility", want: `nothing orders the decisions "test" and "drill", connected by one utility or CPD; want a path`,
			change: func(m *model.Model, l [][]float64) {
				m.Diagram.Decisions[1].Known = nil
				m.Diagram.Utilities = append(m.Diagram.Utilities, &model.Utility{Name: "more", Scope: []model.VarID{0, 3}, Values: []float64{1, 0, 0, 0}})
			}},
		{name: "affected", want: `evidence about "result" depends on decision "test", which is open; want evidence about that, too`,
			change: func(_ *model.Model, l [][]float64) { l[2] = []float64{1, 0} }},
		{name: "soft decision", want: `evidence about the decision "test" has 2 states; want one`,
			change: func(_ *model.Model, l [][]float64) { l[0] = []float64{1, .5} }},
		{name: "control", want: `variable "drill" is given and no decision; want evidence about it`,
			change: func(m *model.Model, _ [][]float64) { m.Diagram.Decisions = m.Diagram.Decisions[:1] }},
		{name: "overflow", want: `the utilities are too large to be added: utility "more" is -1.7e+308 at oil=wet; want a sum of magnitudes below 1.8e308`,
			change: func(m *model.Model, _ [][]float64) {
				m.Diagram.Utilities[0].Values[1] = 1e308
				m.Diagram.Utilities = append(m.Diagram.Utilities, &model.Utility{Name: "more", Scope: []model.VarID{1}, Values: []float64{2, -1.7e308}})
			}},
		{name: "impossible", want: "the evidence is impossible", change: func(m *model.Model, l [][]float64) {
			m.Factors[0].Dist = &model.Table{Values: []float64{1, 0}}
			l[1] = []float64{0, 1}
		}},
		{name: "large", want: "the decisions need a table of 16 entries", options: decide.Options{MaxTable: 4},
			change: func(m *model.Model, _ [][]float64) {}},
	} {
		m := oil()
		likelihood := make([][]float64, len(m.Vars))
		c.change(m, likelihood)
		_, err := decide.Solve(t.Context(), m, likelihood, c.options)
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: %v; want %s", c.name, err, c.want)
		}
	}
	if _, err := decide.Value(t.Context(), oil(), make([][]float64, 4), []model.VarID{2}, decide.First, decide.Options{}); err == nil || err.Error() != `variable "result" depends on decision "test", and cannot be known before it; want variables that it does not affect` {
		t.Errorf("value of an affected variable: %v", err)
	}
}

// TestLongChain compares a Markov decision process of 4000 steps with dynamic programming: the work
// grows with the number of decisions, and with no high power of it.
func TestLongChain(t *testing.T) {
	const steps = 4000
	m := &model.Model{Diagram: &model.Diagram{}}
	move := []float64{.9, .1, .8, .2, .3, .7, 1, 0} // by state, decision and next state
	gain := []float64{3, 1, -1, 0}                  // by state and decision
	state := m.NewVar("s0", "good", "bad").ID
	m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{state}, Dist: &model.Table{Values: []float64{.5, .5}}})
	for range steps {
		d := m.NewVar("d"+strconv.Itoa(len(m.Vars)), "run", "repair")
		d.Given = true
		m.Diagram.Decisions = append(m.Diagram.Decisions, &model.Decision{Var: d.ID, Known: []model.VarID{state}})
		m.Diagram.Utilities = append(m.Diagram.Utilities, &model.Utility{Name: "u", Scope: []model.VarID{state, d.ID}, Values: gain})
		next := m.NewVar("s"+strconv.Itoa(len(m.Vars)), "good", "bad").ID
		m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{state, d.ID, next}, Child: 2, Dist: &model.Table{Values: move}})
		state = next
	}
	got, err := decide.Solve(t.Context(), m, make([][]float64, len(m.Vars)), decide.Options{})
	if err != nil {
		t.Fatal(err)
	}
	value := [2]float64{}
	for i := range steps {
		var next [2]float64
		var choice []int
		for s := range 2 {
			of := func(d int) float64 { return gain[2*s+d] + move[4*s+2*d]*value[0] + move[4*s+2*d+1]*value[1] }
			choice = append(choice, 0)
			if next[s] = of(0); of(1) > next[s] {
				next[s], choice[s] = of(1), 1
			}
		}
		value = next
		if p := got.Policies[steps-1-i]; i < steps-1 && len(p.Known) == 1 && !slices.Equal(p.Choice, choice) {
			t.Errorf("%d steps before the end: %v; want %v", i, p.Choice, choice)
		}
	}
	if want := (value[0] + value[1]) / 2; math.Abs(got.Utility-want) > 1e-12*want {
		t.Errorf("utility %v; want %v", got.Utility, want)
	}
}
