package decide

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/pgmc-go/pgmc/ir/model"
)

// machine returns a template of a machine that wears out: its state is seen, and it runs or is
// repaired.
func machine(horizon int, discount float64) *model.Model {
	m := &model.Model{Name: "machine"}
	state, action := m.NewVar("state", "good", "worn", "broken").ID, m.NewVar("action", "run", "repair").ID
	m.Vars[action].Given = true
	profit := &model.Utility{Name: "profit", Criterion: "money", Scope: []model.VarID{action, state}, Values: []float64{10, 6, 0, 2, 1, -3}}
	d := &model.Decision{Var: action, Known: []model.VarID{state}}
	m.Factors = []*model.Factor{{Scope: []model.VarID{state}, Dist: &model.Table{Values: []float64{1, 0, 0}}}}
	m.Diagram = &model.Diagram{Decisions: []*model.Decision{d}, Utilities: []*model.Utility{profit}, Horizon: horizon,
		Criteria: []*model.Criterion{{Name: "money", Scale: 1, Discount: discount}}}
	m.Transition = &model.Transition{Before: []model.VarID{action, state}, Decisions: []*model.Decision{d}, Utilities: []*model.Utility{profit},
		Factors: []*model.Factor{{Scope: []model.VarID{2, 3, state}, Child: 2, Dist: &model.Table{Values: []float64{
			.7, .2, .1, 0, .6, .4, 0, 0, 1, .95, .05, 0, .95, .05, 0, .95, .05, 0}}}}}
	return m
}

// tiger returns the template of Kaelbling, Littman and Cassandra (1998).
func tiger(horizon int, discount float64) *model.Model {
	m := &model.Model{Name: "tiger"}
	at, action, sound := m.NewVar("tiger", "left", "right").ID, m.NewVar("action", "listen", "left", "right").ID, m.NewVar("sound", "left", "right", "nothing").ID
	m.Vars[action].Given = true
	reward := &model.Utility{Name: "reward", Criterion: "reward", Scope: []model.VarID{action, at}, Values: []float64{-1, -1, -100, 10, 10, -100}}
	hear := &model.Factor{Scope: []model.VarID{action, at, sound}, Child: 2, Dist: &model.Table{Values: []float64{
		.85, .15, 0, .15, .85, 0, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1}}}
	m.Factors = []*model.Factor{{Scope: []model.VarID{at}, Dist: &model.Table{Values: []float64{.5, .5}}}, hear}
	m.Diagram = &model.Diagram{Decisions: []*model.Decision{{Var: action}}, Utilities: []*model.Utility{reward}, Horizon: horizon,
		Criteria: []*model.Criterion{{Name: "reward", Scale: 1, Discount: discount}}}
	m.Transition = &model.Transition{Before: []model.VarID{action, at, sound}, Utilities: []*model.Utility{reward},
		Decisions: []*model.Decision{{Var: action, Known: []model.VarID{5, 3}}},
		Factors: []*model.Factor{hear, {Scope: []model.VarID{3, 4, at}, Child: 2, Dist: &model.Table{Values: []float64{
			1, 0, 0, 1, .5, .5, .5, .5, .5, .5, .5, .5}}}}}
	return m
}

// checkedTemplate fails the test if a template is not valid.
func checkedTemplate(t *testing.T, m *model.Model) *model.Model {
	t.Helper()
	if list := m.Check(); list.HasErrors() {
		t.Fatal(list.Err())
	}
	return m
}

// TestMachine compares the induction with values by dynamic programming over three states.
func TestMachine(t *testing.T) {
	for _, c := range []struct {
		horizon  int
		discount float64
		want     float64
	}{{1, 1, 10}, {3, 1, 25.58}, {10, 1, 78.3632019043}, {10, .9, 51.4863449196}, {200, 1, 1510.2032}, {2000, 1, 15075.0032}} {
		x, err := Induct(context.Background(), checkedTemplate(t, machine(c.horizon, c.discount)), make([][]float64, 2), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(x.First.Utility-c.want) > 1e-10*c.want || len(x.Later) != c.horizon-1 {
			t.Errorf("horizon %d, discount %v: %v with %d later policies, want %v", c.horizon, c.discount, x.First.Utility, len(x.Later), c.want)
		}
	}
}

// TestTiger compares the diagram of all slices with the values of the partly observed problem.
func TestTiger(t *testing.T) {
	for discount, wants := range map[float64][]float64{
		1:   {-1, -2, 2.72, 2.42125, 3.60915, 5.61881875, 6.246349875, 7.09661553125},
		.95: {-1, -1.95, 2.3098, 1.79554421875, 2.76309619312, 4.42853131502},
	} {
		for i, want := range wants {
			if i > 5 && os.Getenv("PGMC_LONG") == "" {
				break
			}
			m := checkedTemplate(t, tiger(i+1, discount))
			if _, err := Induct(context.Background(), m, make([][]float64, 3), Options{}); i > 0 && !errors.Is(err, ErrHidden) {
				t.Errorf("induction: %v; want ErrHidden", err)
			}
			all := m.Unroll(i + 1)
			x, err := Solve(context.Background(), all, make([][]float64, len(all.Vars)), Options{})
			if err != nil {
				t.Fatal(err)
			}
			if math.Abs(x.Utility-want) > 1e-9 {
				t.Errorf("%d steps, discount %v: %v, want %v", i+1, discount, x.Utility, want)
			}
		}
	}
}

// randomTemplate returns a template with a state that is seen, a hidden cause in each slice, one or
// two decisions in a slice, perhaps one that is taken once, and utilities of two criteria, one of
// which is a function.
func randomTemplate(rng *rand.Rand) *model.Model {
	m := &model.Model{Name: "random"}
	states := func(n int) (list []string) {
		for i := range n {
			list = append(list, fmt.Sprint(i))
		}
		return list
	}
	numbers := func(scope ...model.VarID) (list []float64) {
		n := 1
		for _, v := range scope {
			n *= m.Card(v % model.VarID(len(m.Vars)))
		}
		for range n {
			list = append(list, math.Exp(4*rng.NormFloat64()))
		}
		return list
	}
	state, hidden := m.NewVar("state", states(2+rng.IntN(2))...).ID, m.NewVar("hidden", states(2)...).ID
	first, second, once := m.NewVar("first", states(2+rng.IntN(2))...).ID, m.NewVar("second", states(2)...).ID, m.NewVar("once", states(2)...).ID
	for _, v := range []model.VarID{first, second, once} {
		m.Vars[v].Given = true
	}
	// Numbers from 5 on are the variables of the slice before.
	before := []model.VarID{state, first, second}
	cpd := func(scope ...model.VarID) *model.Factor {
		n, table := m.Card(scope[len(scope)-1]), []float64{}
		rows := 1
		for _, v := range scope[:len(scope)-1] {
			if v >= 5 {
				v = before[v-5]
			}
			rows *= m.Card(v)
		}
		for range rows {
			sum, row := 0.0, numbers(scope[len(scope)-1])
			if rng.IntN(6) == 0 {
				row[rng.IntN(n)] = 0
			}
			for _, x := range row {
				sum += x
			}
			for _, x := range row {
				table = append(table, x/sum)
			}
		}
		return &model.Factor{Scope: scope, Child: len(scope) - 1, Dist: &model.Table{Values: table}}
	}
	d := []*model.Decision{{Var: first, Known: []model.VarID{state}}, {Var: second, Known: []model.VarID{state, first}}}
	utilities := func() []*model.Utility {
		return []*model.Utility{
			{Name: "a", Criterion: "a", Scope: []model.VarID{state, first, hidden}, Values: numbers(state, first, hidden)},
			{Name: "b", Criterion: "b", Scope: []model.VarID{second, once}, Values: numbers(second, once)},
			{Name: "c", Criterion: "b", Function: &model.Func{Nodes: []model.FuncNode{{Op: model.FuncVar, Axis: 0}, {Op: model.FuncVar, Axis: 1}, {Op: model.FuncMul, A: 0, B: 1}}}},
		}
	}
	m.Factors = []*model.Factor{cpd(state), cpd(once, state, hidden)}
	m.Diagram = &model.Diagram{Decisions: []*model.Decision{{Var: once, Once: true}, {Var: first, Known: []model.VarID{state, once}}, d[1]}, Utilities: utilities(), Horizon: 1 + rng.IntN(4),
		Criteria: []*model.Criterion{{Name: "a", Scale: -1, Discount: rng.Float64()}, {Name: "b", Scale: 2, Discount: .5 + rng.Float64()/2}}}
	if rng.IntN(2) == 0 {
		m.Diagram.Decisions[0] = &model.Decision{Var: once, Once: true, Known: []model.VarID{state}}
	}
	m.Transition = &model.Transition{Before: before, Decisions: d, Utilities: utilities(),
		Factors: []*model.Factor{cpd(once, 5, 6, 7, state), cpd(once, state, hidden)}}
	return m
}

// TestInduct compares the induction with the solution of the diagram of all slices, and the utility
// of its policies there, on random templates.
func TestInduct(t *testing.T) {
	rng, ctx := rand.New(rand.NewPCG(3, 5)), context.Background()
	for i := range 60 {
		m := checkedTemplate(t, randomTemplate(rng))
		all := m.Unroll(m.Diagram.Horizon)
		if list := all.Check(); list.HasErrors() {
			t.Fatal(list.Err())
		}
		likelihood := make([][]float64, len(all.Vars))
		switch i % 3 {
		case 0:
			likelihood[0] = []float64{.25, .75, .5}[:m.Card(0)]
			likelihood[4] = []float64{0, 1}
		case 1:
			if prior, _ := m.Factors[0].Table(); prior[1] > 0 {
				likelihood[0] = []float64{0, .5, 0}[:m.Card(0)]
			}
		}
		want, err := Solve(ctx, all, likelihood, Options{})
		if err != nil {
			t.Fatal(err)
		}
		x, err := induct(ctx, m, likelihood[:len(m.Vars)], Options{}, i%2*small)
		if err != nil {
			t.Fatal(err)
		}
		tolerance := 1e-9 * (1 + math.Abs(want.Utility))
		if math.Abs(x.First.Utility-want.Utility) > tolerance {
			t.Errorf("template %d: %v, want %v", i, x.First.Utility, want.Utility)
		}
		y, err := Impose(ctx, all, likelihood, append(x.First.Policies, x.Later...), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(y.Utility-want.Utility) > tolerance {
			t.Errorf("template %d: the policies are worth %v, want %v", i, y.Utility, want.Utility)
		}
	}
}
