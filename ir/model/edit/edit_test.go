package edit_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/model/edit"
)

const limit = 1 << 16

// id returns the variable with a name.
func id(t testing.TB, m *model.Model, name string) model.VarID {
	t.Helper()
	v, ok := m.VarByName(name)
	if !ok {
		t.Fatalf("no variable %q", name)
	}
	return v.ID
}

// is returns states of variables: "smoke=yes lung=no".
func is(t testing.TB, m *model.Model, text string) (list []edit.State) {
	t.Helper()
	for _, pair := range strings.Fields(text) {
		a, b, _ := strings.Cut(pair, "=")
		v := id(t, m, a)
		s, ok := m.StateByName(v, b)
		if !ok {
			t.Fatalf("%s has no state %q", a, b)
		}
		list = append(list, edit.State{Var: v, State: s})
	}
	return list
}

// done returns a function that takes the result of an operation which must not fail.
func done(t testing.TB) func(*model.Model, []edit.Effect, error) *model.Model {
	return func(m *model.Model, _ []edit.Effect, err error) *model.Model {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
}

func values(t testing.TB, m *model.Model, name string) []float64 {
	t.Helper()
	list, ok := m.CPD(id(t, m, name)).Table()
	if !ok {
		t.Fatalf("the CPD of %s is no table", name)
	}
	return list
}

func TestSetState(t *testing.T) {
	m := irtest.Asia()
	lung := id(t, m, "lung")
	got := done(t)(edit.SetState(m, lung, 0, is(t, m, "smoke=yes"), .9))
	if want := []float64{.9, .1, .01, .99}; !slices.Equal(values(t, got, "lung"), want) {
		t.Errorf("got %v; want %v", values(t, got, "lung"), want)
	}
	if values(t, m, "lung")[0] != .1 {
		t.Error("the model itself changed")
	}
	grade := irtest.Student()
	g := id(t, grade, "grade")
	first := grade.States(g)[0]
	before := slices.Clone(values(t, grade, "grade"))
	got = done(t)(edit.SetState(grade, g, 0, nil, .5)) // in all rows
	after := values(t, got, "grade")
	for r := 0; r < len(before); r += 3 {
		if after[r] != .5 || !irtest.Near(after[r+1]/after[r+2], before[r+1]/before[r+2], 1e-13) || !irtest.Near(after[r]+after[r+1]+after[r+2], 1, 1e-14) {
			t.Errorf("row %d is %v and was %v; want %s=.5 and the others in proportion", r/3, after[r:][:3], before[r:][:3], first)
		}
	}
}

// TestErrors compares the messages of operations that fail.
func TestErrors(t *testing.T) {
	m := irtest.Asia()
	three := done(t)(edit.Add(m, model.Var{Name: "Z", Domain: model.Discrete{States: []string{"a", "b", "c"}}}))
	certain := done(t)(edit.SetRow(three, id(t, three, "Z"), nil, []float64{1, 0, 0}))
	v := func(name string) model.VarID { return id(t, certain, name) }
	on := func(text string) []edit.State { return is(t, certain, text) }
	for _, c := range []struct {
		name string
		run  func() (*model.Model, []edit.Effect, error)
		want string
	}{
		{"sum", func() (*model.Model, []edit.Effect, error) {
			return edit.SetRow(certain, v("lung"), on("smoke=yes"), []float64{.7, .6})
		}, `in the row of "lung" with smoke=yes: the numbers sum to 1.3; want 1`},
		{"range", func() (*model.Model, []edit.Effect, error) { return edit.SetState(certain, v("asia"), 0, nil, 1.5) },
			`in the row of "asia": found the probability 1.5; want 0 to 1`},
		{"zeros", func() (*model.Model, []edit.Effect, error) { return edit.SetState(certain, v("Z"), 0, nil, .9) },
			`in the row of "Z": found the probability 0.9, and the other states are all 0, so that nothing says how they share 0.1; want the whole row`},
		{"no parent", func() (*model.Model, []edit.Effect, error) {
			return edit.SetState(certain, v("lung"), 0, on("asia=yes"), .1)
		}, `"asia" is no parent of "lung"; its parents: "smoke"`},
		{"twice", func() (*model.Model, []edit.Effect, error) {
			return edit.SetState(certain, v("lung"), 0, on("smoke=yes smoke=no"), .1)
		}, `"smoke" is there twice; want one state of it`},
		{"numbers", func() (*model.Model, []edit.Effect, error) {
			return edit.SetRow(certain, v("lung"), nil, []float64{1})
		}, `found 1 of 2 numbers, one for each state of "lung"`},
		{"table size", func() (*model.Model, []edit.Effect, error) {
			return edit.Replace(certain, v("lung"), &model.Table{Values: []float64{.5, .5}})
		}, `CPD of "lung" has 2 numbers; want 4, one for each joint state`},
		{"table row", func() (*model.Model, []edit.Effect, error) {
			return edit.Replace(certain, v("dysp"), &model.Table{Values: []float64{.5, .5, .5, .5, .5, .4, 1, 0}})
		}, `in the row of "dysp" with either=no, bronc=yes: the numbers sum to 0.9; want 1`},
		{"taken", func() (*model.Model, []edit.Effect, error) { return edit.Rename(certain, v("lung"), "tub") },
			`there is a variable "tub" already; want another name`},
		{"empty name", func() (*model.Model, []edit.Effect, error) { return edit.Add(certain, model.Var{Domain: model.Real{}}) },
			`the name of a variable is empty`},
		{"cycle", func() (*model.Model, []edit.Effect, error) {
			return edit.AddEdge(certain, v("dysp"), v("smoke"), limit)
		},
			`the edge dysp->smoke makes a cycle: smoke -> bronc -> dysp -> smoke`},
		{"itself", func() (*model.Model, []edit.Effect, error) { return edit.AddEdge(certain, v("Z"), v("Z"), limit) },
			`the edge Z->Z joins a variable to itself`},
		{"there", func() (*model.Model, []edit.Effect, error) {
			return edit.AddEdge(certain, v("smoke"), v("lung"), limit)
		},
			`the edge smoke->lung is there already`},
		{"not there", func() (*model.Model, []edit.Effect, error) {
			return edit.RemoveEdge(certain, v("asia"), v("lung"), nil, limit)
		}, `there is no edge asia->lung`},
		{"too large", func() (*model.Model, []edit.Effect, error) { return edit.AddEdge(certain, v("Z"), v("dysp"), 20) },
			`the edge Z->dysp: the table of "dysp" would have e^3.2 numbers; the limit is 20`},
		{"states", func() (*model.Model, []edit.Effect, error) {
			return edit.SetStates(certain, v("Z"), []edit.NewState{{"a", 0}, {"a", -1}}, limit)
		}, `variable "Z" has two states called "a"`},
		{"no states", func() (*model.Model, []edit.Effect, error) { return edit.SetStates(certain, v("Z"), nil, limit) },
			`variable "Z" has no states; want at least one`},
		{"markov", func() (*model.Model, []edit.Effect, error) {
			return edit.SetState(irtest.Misconception(), 0, 0, nil, .5)
		},
			`a Markov network has no CPD of "A"; want a network of CPDs`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, _, err := c.run(); err == nil || err.Error() != c.want {
				t.Errorf("got %v\nwant %s", err, c.want)
			}
		})
	}
}

// TestRemove removes a root, which leaves the marginals of all others as they are if its children
// had no other parents that depend on it.
func TestRemove(t *testing.T) {
	m := irtest.Asia()
	before := marginals(t, m)
	asia := id(t, m, "asia")
	got := done(t)(edit.Remove(m, asia, before["asia"], limit))
	after := marginals(t, got)
	if len(after) != 7 {
		t.Fatalf("%d variables; want 7", len(after))
	}
	for name, list := range after {
		irtest.Close(t, list, before[name], 1e-14)
	}
	by := done(t)(edit.Remove(m, asia, nil, limit))
	irtest.Close(t, values(t, by, "tub"), []float64{.03, .97}, 1e-15)
}

func marginals(t testing.TB, m *model.Model) map[string][]float64 {
	t.Helper()
	j, err := brute.New(m)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]float64{}
	for v, list := range j.Marginals(brute.Evidence{}) {
		out[m.Vars[v].Name] = list
	}
	return out
}

// TestRandom applies operations to models with CPDs of every kind, and compares every value of the
// changed CPDs with the definition of the operation.
func TestRandom(t *testing.T) {
	kinds := map[string]int{}
	for seed := range uint64(300) {
		o := irtest.Options{Kinds: []model.Kind{model.Bayes}, MaxVars: 6, MaxJoint: 4000}
		m := irtest.RandomModel(seed, o)
		r := rand.New(rand.NewPCG(seed, 3))
		v := model.VarID(r.IntN(len(m.Vars)))
		for _, f := range m.Factors {
			if slices.Contains(f.Scope, v) {
				kinds[f.Dist.Kind()]++
			}
		}
		checkAddEdge(t, m, v, model.VarID(r.IntN(len(m.Vars))))
		checkRemoveEdges(t, m, v)
		checkStates(t, m, v, r)
		if !reflect.DeepEqual(m, irtest.RandomModel(seed, o)) {
			t.Fatalf("seed %d: the model itself changed", seed)
		}
		if t.Failed() {
			t.Fatalf("seed %d, variable %d", seed, v)
		}
	}
	for _, kind := range []string{"table", "deterministic", "noisy-max", "tree", "features"} {
		if kinds[kind] < 20 {
			t.Errorf("%d CPDs of kind %s; want 20", kinds[kind], kind)
		}
	}
}

// checkAddEdge checks that a new parent changes no value.
func checkAddEdge(t *testing.T, m *model.Model, from, to model.VarID) {
	t.Helper()
	got, _, err := edit.AddEdge(m, from, to, limit)
	if err != nil {
		return // a cycle, or an edge that is there
	}
	f, g := m.CPD(to), got.CPD(to)
	state := make([]int, len(m.Vars))
	for more := true; more; more = m.Next(g.Scope, state) {
		irtest.CloseTo(t, got.Value(g, state), m.Value(f, state), 1e-14)
	}
}

// checkRemoveEdges checks that values are weighted means.
func checkRemoveEdges(t *testing.T, m *model.Model, from model.VarID) {
	t.Helper()
	weights := marginals(t, m)[m.Vars[from].Name]
	for _, f := range m.Factors {
		to := f.ChildVar()
		if to == from || !slices.Contains(f.Scope, from) {
			continue
		}
		got := done(t)(edit.RemoveEdge(m, from, to, weights, limit))
		g, state := got.CPD(to), make([]int, len(m.Vars))
		for more := true; more; more = m.Next(g.Scope, state) {
			want := 0.0
			for s, w := range weights {
				state[from] = s
				want += w * m.Value(f, state)
			}
			state[from] = 0
			irtest.CloseTo(t, got.Value(g, state), want, 1e-13)
		}
	}
}

// checkStates reverses the states of a variable, adds one between them and drops the last, and
// checks the values for the states that stay.
func checkStates(t *testing.T, m *model.Model, v model.VarID, r *rand.Rand) {
	t.Helper()
	var list []edit.NewState
	for s := m.Card(v) - 1; s >= 0; s-- {
		list = append(list, edit.NewState{Name: m.States(v)[s], From: s})
	}
	list = slices.Insert(list, r.IntN(len(list)), edit.NewState{Name: "new", From: -1})
	got := done(t)(edit.SetStates(m, v, list, limit))
	for _, f := range m.Factors {
		if !slices.Contains(f.Scope, v) {
			continue
		}
		g, state := got.CPD(f.ChildVar()), make([]int, len(m.Vars))
		for more := true; more; more = got.Next(g.Scope, state) {
			now := state[v]
			want := 0.0
			switch from := list[now].From; {
			case from >= 0:
				state[v] = from
				want = m.Value(f, state)
			case f.ChildVar() != v:
				continue // a row of a new state
			}
			state[v] = now
			irtest.CloseTo(t, got.Value(g, state), want, 1e-13)
		}
	}
	if m.Card(v) < 2 {
		return
	}
	less := done(t)(edit.SetStates(m, v, []edit.NewState{{"only", 1}}, limit))
	for _, f := range less.Factors {
		state := make([]int, len(m.Vars))
		for more := true; more; more = less.Next(f.Scope, state) {
			if f.ChildVar() == v && less.Value(f, state) != 1 {
				t.Errorf("the only state has the probability %v", less.Value(f, state))
			}
		}
	}
}

func ExampleAddEdge() {
	m := &model.Model{Name: "rain", Kind: model.Bayes}
	edits := []func() (*model.Model, []edit.Effect, error){
		func() (*model.Model, []edit.Effect, error) {
			return edit.Add(m, model.Var{Name: "rain", Domain: model.Discrete{States: []string{"yes", "no"}}})
		},
		func() (*model.Model, []edit.Effect, error) {
			return edit.Add(m, model.Var{Name: "wet", Domain: model.Discrete{States: []string{"yes", "no"}}})
		},
		func() (*model.Model, []edit.Effect, error) { return edit.AddEdge(m, 0, 1, 1000) },
		func() (*model.Model, []edit.Effect, error) {
			return edit.SetState(m, 1, 0, []edit.State{{Var: 0, State: 0}}, .9)
		},
	}
	for _, do := range edits {
		next, effects, err := do()
		if err != nil {
			fmt.Println(err)
			return
		}
		for _, e := range effects {
			fmt.Println(e)
		}
		m = next
	}
	values, _ := m.CPD(1).Table()
	fmt.Println(values)
	// Output:
	// CPD of "rain": it is new; 1 row is uniform
	// CPD of "wet": it is new; 1 row is uniform
	// CPD of "wet": its rows are repeated for the states of "rain"
	// CPD of "wet": 1 row is set
	// [0.9 0.1 0.5 0.5]
}

func ExampleSetStates() {
	m := irtest.Asia()
	smoke, _ := m.VarByName("smoke")
	m, effects, err := edit.SetStates(m, smoke.ID, []edit.NewState{{Name: "often", From: 0}, {Name: "rarely", From: 1}, {Name: "never", From: -1}}, 1000)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, e := range effects {
		fmt.Println(e)
	}
	values, _ := m.CPD(smoke.ID).Table()
	fmt.Println(values)
	// Output:
	// CPD of "smoke": the states of "smoke" that stay keep their proportions; new ones have the probability 0 where others are above 0
	// CPD of "lung": its rows are kept for the states of "smoke" that stay; 1 row is uniform
	// CPD of "bronc": its rows are kept for the states of "smoke" that stay; 1 row is uniform
	// [0.5 0.5 0]
}
