package decide_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/decide"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// compared makes costs of the first utility of a diagram, and effects of the others.
func compared(m *model.Model) *model.Model {
	m.Diagram.Criteria = []*model.Criterion{{Name: "cost", Scale: math.NaN(), Cost: 1}, {Name: "effect", Scale: math.NaN(), Effect: 1}}
	for i, u := range m.Diagram.Utilities {
		u.Criterion = []string{"cost", "effect"}[min(i, 1)]
	}
	return m
}

// options returns a diagram of one decision.
func options(cost, effect []float64) *model.Model {
	m := &model.Model{Diagram: &model.Diagram{}}
	d := m.NewVar("d", strings.Fields("none A B C D E")...).ID
	m.Vars[d].Given = true
	m.Diagram.Decisions = []*model.Decision{{Var: d}}
	for _, values := range [][]float64{cost, effect} {
		m.Diagram.Utilities = append(m.Diagram.Utilities, &model.Utility{Name: "u", Scope: []model.VarID{d}, Values: values})
	}
	return compared(m)
}

// therapies returns a diagram of a test of a disease and of two therapies.
func therapies() *model.Model {
	m := &model.Model{Diagram: &model.Diagram{}}
	disease, test := m.NewVar("disease", "absent", "present").ID, m.NewVar("test", "no", "yes").ID
	result, therapy := m.NewVar("result", "none", "-", "+").ID, m.NewVar("therapy", "none", "1", "2").ID
	m.Vars[test].Given, m.Vars[therapy].Given = true, true
	m.Factors = []*model.Factor{
		{Scope: []model.VarID{disease}, Dist: &model.Table{Values: []float64{.86, .14}}},
		{Scope: []model.VarID{disease, test, result}, Child: 2, Dist: &model.Table{Values: []float64{1, 0, 0, 0, .97, .03, 1, 0, 0, 0, .09, .91}}},
	}
	m.Diagram.Decisions = []*model.Decision{{Var: test}, {Var: therapy, Known: []model.VarID{test, result}}}
	m.Diagram.Utilities = []*model.Utility{
		{Name: "price", Scope: []model.VarID{test, therapy}, Values: []float64{0, 20000, 70000, 150, 20150, 70150}},
		{Name: "life", Scope: []model.VarID{disease, therapy}, Values: []float64{10, 9.9, 9.3, 1.2, 4, 6.5}},
	}
	return compared(m)
}

// TestFrontier compares frontiers with known thresholds, costs and effects: of the collection, and
// of OpenMarkov's example.
func TestFrontier(t *testing.T) {
	cea := load(t, filepath.Join(irtest.Shared(t), "data", "decision", "ID-CEA-test-2therapies.pgmx"))
	for _, c := range []struct {
		name       string
		m          *model.Model
		thresholds []float64
		trades     [][2]float64
	}{
		{"options", options([]float64{0, 1000, 2500, 3000, 9000, 9500}, []float64{8, 8.3, 8.35, 8.62, 8.7, 8.69}),
			[]float64{3333.33333333, 6250, 75000}, [][2]float64{{0, 8}, {1000, 8.3}, {3000, 8.62}, {9000, 8.7}}},
		{"therapies", therapies(), []float64{9075.50686169, 25278.8594812}, [][2]float64{{0, 8.768}, {3214, 9.12214}, {10874, 9.42516}}},
		{"OpenMarkov", cea, []float64{11171.347829, 33383.534138}, [][2]float64{{0, 8.768}, {3874, 9.11478}, {13184, 9.39366}}},
	} {
		list, err := decide.Frontier(t.Context(), c.m, make([][]float64, len(c.m.Vars)), 0, 100000, decide.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if len(list) != len(c.trades) || list[0].From != 0 || list[len(list)-1].To != 100000 {
			t.Fatalf("%s: %+v; want %d strategies", c.name, list, len(c.trades))
		}
		for i, x := range list {
			if math.Abs(x.Cost-c.trades[i][0]) > 1e-6 || math.Abs(x.Effect-c.trades[i][1]) > 1e-9 {
				t.Errorf("%s: cost %v, effect %v; want %v", c.name, x.Cost, x.Effect, c.trades[i])
			}
			if i > 0 && (math.Abs(x.From-c.thresholds[i-1]) > 1e-9*x.From || list[i-1].To != x.From) {
				t.Errorf("%s: %v to %v, then %v; want the threshold %v", c.name, list[i-1].From, list[i-1].To, x.From, c.thresholds[i-1])
			}
		}
	}
}

// TestFrontierGrid compares the frontiers of random diagrams with solutions for many numbers.
func TestFrontierGrid(t *testing.T) {
	several := 0
	for seed := range uint64(irtest.Count(t, 40, 300)) {
		m := compared(random(seed, 1+int(seed%3)))
		none := make([][]float64, len(m.Vars))
		list, err := decide.Frontier(t.Context(), m, none, 0, 20, decide.Options{})
		if err != nil {
			t.Fatal(err)
		}
		rivals, err := decide.Rivals(t.Context(), m, none, 0, 20, decide.Options{}, list)
		if err != nil {
			t.Fatal(err)
		}
		if len(list) > 1 && len(rivals) > 0 {
			several++
		}
		r := rand.New(rand.NewPCG(seed, 3))
		for range 30 {
			at := 20 * r.Float64()
			m.Diagram.Criteria[0].Scale, m.Diagram.Criteria[1].Scale = -1, at
			want, err := decide.Solve(t.Context(), m, none, decide.Options{})
			if err != nil {
				t.Fatal(err)
			}
			compareOptions(t, m, at, list, rivals)
			for _, x := range list {
				u := at*x.Effect - x.Cost
				if u > want.Utility+1e-9 || x.From <= at && at <= x.To && u < want.Utility-1e-9 {
					t.Errorf("seed %d at %v: %v by the strategy from %v to %v; want %v", seed, at, u, x.From, x.To, want.Utility)
				}
			}
		}
	}
	if several < 5 {
		t.Errorf("%d frontiers have several strategies; want more", several)
	}
}

// compareOptions compares the value of each option of the first decision at some willingness to pay
// with the best of the strategies on and off the frontier that always take it, and the latter with
// what dominates them.
func compareOptions(t *testing.T, m *model.Model, at float64, list []decide.Trade, rivals []decide.Rival) {
	t.Helper()
	first := m.Diagram.Decisions[0].Var
	for k := range m.Card(first) {
		likelihood := make([][]float64, len(m.Vars))
		likelihood[first] = make([]float64, m.Card(first))
		likelihood[first][k] = 1
		want, err := decide.Solve(t.Context(), m, likelihood, decide.Options{})
		if err != nil {
			t.Fatal(err)
		}
		got := math.Inf(-1)
		for _, x := range list {
			if x.Option == k {
				got = max(got, at*x.Effect-x.Cost)
			}
		}
		for _, x := range rivals {
			if x.Option == k {
				got = max(got, at*x.Effect-x.Cost)
			}
		}
		if math.Abs(got-want.Utility) > 1e-9 {
			t.Errorf("option %d at %v: %v; want %v", k, at, got, want.Utility)
		}
	}
	all := slices.Clone(list)
	for _, x := range rivals {
		all = append(all, x.Trade)
	}
	for _, x := range rivals {
		better := false // at this willingness
		for _, i := range x.By {
			better = better || at*all[i].Effect-all[i].Cost >= at*x.Effect-x.Cost-1e-9
		}
		if !better && !(at > x.Beyond) && !(at < x.Beyond) {
			t.Errorf("%+v is better at %v than what dominates it", x, at)
		}
	}
}

// TestRivals checks what the strategies off two known frontiers are dominated by, and one that is
// better beyond the interval.
func TestRivals(t *testing.T) {
	six := options([]float64{0, 1000, 2500, 3000, 9000, 9500}, []float64{8, 8.3, 8.35, 8.62, 8.7, 8.69})
	for _, c := range []struct {
		name string
		m    *model.Model
		high float64
		want string
	}{
		{"K1", six, 100000, "2:1+2 5:3 "},
		{"up to 50000", six, 50000, "2:1+2 4:2>75000 5:4 "},
		{"tie", options([]float64{0, 5, 5, 10, 20, 20}, []float64{0, 1, 1, 2, 3, 2}), 100, "1:0=1 2:0=1 5:2 "},
		{"K2", therapies(), 100000, "1:0 0:2 "},
	} {
		none := make([][]float64, len(c.m.Vars))
		list, err := decide.Frontier(t.Context(), c.m, none, 0, c.high, decide.Options{})
		if err != nil {
			t.Fatal(err)
		}
		rivals, err := decide.Rivals(t.Context(), c.m, none, 0, c.high, decide.Options{}, list)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, r := range rivals {
			got += fmt.Sprint(r.Option, ":", r.By[0])
			if len(r.By) > 1 {
				got += fmt.Sprint([]string{"+", "="}[map[bool]int{true: 1}[r.Equal]], r.By[1])
			}
			if !math.IsNaN(r.Beyond) {
				got += fmt.Sprintf(">%.7g", r.Beyond)
			}
			got += " "
		}
		if got != c.want {
			t.Errorf("%s: %s; want %s", c.name, got, c.want)
		}
	}
}

// total adds a utility that is a function of the others.
func total(t *testing.T, m *model.Model, text string) {
	nodes, err := model.ParseFunc(text, m.Diagram.FunctionNames())
	if err != nil {
		t.Fatal(err)
	}
	m.Diagram.Utilities = append(m.Diagram.Utilities, &model.Utility{Name: "total", Function: &model.Func{Nodes: nodes}})
}

// TestFrontierLimited compares the frontier of a diagram with limited memory that has to be searched
// with the best of all strategies, and refuses one that is not proven.
func TestFrontierLimited(t *testing.T) {
	m := compared(load(t, filepath.Join(irtest.Shared(t), "data", "decide", "random-diagrams", "rand-003.pgmc.json")))
	none := make([][]float64, len(m.Vars))
	for _, scale := range []float64{0, 1, 5} {
		m.Diagram.Criteria[0].Scale, m.Diagram.Criteria[1].Scale = -1, scale
		x, err := decide.Solve(t.Context(), m, none, decide.Options{Limited: true, Best: true})
		if err != nil {
			t.Fatal(err)
		}
		list, err := decide.Frontier(t.Context(), m, none, scale, scale, decide.Options{Limited: true, Best: true})
		if err != nil || len(list) != 1 || math.Abs(scale*list[0].Effect-list[0].Cost-x.Utility) > 1e-9 {
			t.Errorf("at %v: %+v, error %v; want %v", scale, list, err, x.Utility)
		}
	}
	_, err := decide.Frontier(t.Context(), m, none, 0, 5, decide.Options{Limited: true})
	if want := "with limited memory, the strategy for a willingness to pay of 0 is not proven to be the best; want best"; err == nil || err.Error() != want {
		t.Errorf("got %v\nwant %s", err, want)
	}
}

// TestFrontierErrors checks what cannot be compared.
func TestFrontierErrors(t *testing.T) {
	for _, c := range []struct {
		change    func(m *model.Model)
		low, high float64
		options   decide.Options
		want      string
	}{
		{func(*model.Model) {}, 5, 1, decide.Options{}, "the willingness to pay is from 5 to 1; want two numbers, 0 or more, ascending"},
		{func(*model.Model) {}, -1, 1, decide.Options{}, "the willingness to pay is from -1 to 1; want two numbers, 0 or more, ascending"},
		{func(*model.Model) {}, 0, 1, decide.Options{RiskTolerance: 1}, "costs and effects are compared by their means; want no tolerance of risk"},
		{func(m *model.Model) { m.Diagram.Utilities[0].Criterion = "" }, 0, 1, decide.Options{}, `utility "price" has no criterion that counts as a cost or an effect; want one`},
		{func(m *model.Model) { m.Diagram.Criteria[1].Effect = 0; m.Diagram.Criteria[1].Cost = 1 }, 0, 1, decide.Options{}, "no criterion counts as an effect; want one"},
		{func(m *model.Model) { total(t, m, "price + life"); m.Diagram.Utilities[0].Criterion = "" }, 0, 1, decide.Options{}, `utility "price" has no criterion that counts as a cost or an effect; want one`},
		{func(m *model.Model) { total(t, m, "price + life + 7") }, 0, 1, decide.Options{}, `utility "constant" has no criterion that counts as a cost or an effect; want one`},
		{func(m *model.Model) { total(t, m, "price*life") }, 0, 1, decide.Options{}, `utility "total" has no criterion that counts as a cost or an effect; want one`},
	} {
		m := therapies()
		c.change(m)
		if _, err := decide.Frontier(t.Context(), m, make([][]float64, len(m.Vars)), c.low, c.high, c.options); err == nil || err.Error() != c.want {
			t.Errorf("%v; want %s", err, c.want)
		}
	}
	m := therapies()
	if _, err := decide.Solve(t.Context(), m, make([][]float64, len(m.Vars)), decide.Options{}); err == nil || !strings.HasPrefix(err.Error(), `the criterion "cost" has no scale`) {
		t.Errorf("no scale: %v", err)
	}
}
