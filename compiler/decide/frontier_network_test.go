package decide_test

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/decide"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// TestFrontierNetworks compares the frontiers of decision analysis networks with solutions for some
// numbers, and one with the threshold that OpenMarkov asserts: of random networks, by a tree of all
// histories, and of the collection.
func TestFrontierNetworks(t *testing.T) {
	random := 0
	for seed := range uint64(irtest.Count(t, 40, 300)) {
		m := compared(randomNetwork(seed))
		none := make([][]float64, len(m.Vars))
		list, err := decide.Frontier(t.Context(), m, none, 0, 8, decide.Options{})
		if newHistories(m).refuses() {
			continue
		}
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if len(list) > 1 {
			random++
		}
		for _, at := range []float64{0, .3, 1, 2, 5, 8} {
			onFrontier(t, at, list, newHistories(weighed(m, at)).value())
		}
	}
	if random < 5 {
		t.Errorf("%d frontiers have several strategies; want more", random)
	}
	files, err := filepath.Glob(filepath.Join(irtest.Shared(t), "data", "decision", "DAN-*[cC][eE]*.pgmx"))
	if err != nil || len(files) < 9 {
		t.Fatalf("found %d files, error %v", len(files), err)
	}
	for _, file := range files {
		m, name := load(t, file), filepath.Base(file)
		if strings.Contains(name, "CE-7") || strings.Contains(name, "CE-5") && !irtest.Long(t) || // these take minutes, or seconds
			!slices.ContainsFunc(m.Diagram.Criteria, func(c *model.Criterion) bool { return c.Effect != 0 }) {
			continue
		}
		none := make([][]float64, len(m.Vars))
		list, err := decide.Frontier(t.Context(), m, none, 0, 1e5, decide.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if name == "DAN-one-decision-CE.pgmx" && (len(list) != 2 || math.Abs(list[1].From-4./3) > 1e-9 || list[0].Cost != 2 || list[0].Effect != 3 || list[1].Cost != 10 || list[1].Effect != 9) {
			t.Errorf("%s: %+v; want the threshold 1.3333", name, list)
		}
		for _, at := range []float64{0, 1000, 20000, 1e5} {
			s, err := decide.Solve(t.Context(), weighed(m, at), none, decide.Options{})
			if err != nil {
				t.Fatal(err)
			}
			onFrontier(t, at, list, s.Utility)
		}
	}
}

// weighed returns a diagram with scales for a willingness to pay.
func weighed(m *model.Model, at float64) *model.Model {
	out, d := *m, *m.Diagram
	out.Diagram, d.Criteria = &d, nil
	for _, c := range m.Diagram.Criteria {
		x := *c
		x.Scale = at*c.Effect - c.Cost
		d.Criteria = append(d.Criteria, &x)
	}
	return &out
}

// onFrontier checks that the best strategy for a willingness to pay has a value.
func onFrontier(t *testing.T, at float64, list []decide.Trade, want float64) {
	t.Helper()
	for _, x := range list {
		u := at*x.Effect - x.Cost
		if eps := 1e-9 * max(1, math.Abs(want)); u > want+eps || x.From <= at && at <= x.To && u < want-eps {
			t.Errorf("%v by the strategy from %v to %v at %v; want %v", u, x.From, x.To, at, want)
		}
	}
}

// ExampleRivals compares the costs and effects of six therapies.
func ExampleRivals() {
	m := &model.Model{}
	therapy := m.NewVar("therapy", "none", "A", "B", "C", "D", "E")
	therapy.Given = true
	scope := []model.VarID{therapy.ID}
	m.Diagram = &model.Diagram{
		Decisions: []*model.Decision{{Var: therapy.ID}},
		Utilities: []*model.Utility{
			{Name: "price", Criterion: "money", Scope: scope, Values: []float64{0, 1000, 2500, 3000, 9000, 9500}},
			{Name: "life", Criterion: "health", Scope: scope, Values: []float64{8, 8.3, 8.35, 8.62, 8.7, 8.69}},
		},
		Criteria: []*model.Criterion{{Name: "money", Cost: 1}, {Name: "health", Effect: 1}},
	}
	none := make([][]float64, 1)
	frontier, err := decide.Frontier(context.Background(), m, none, 0, 100000, decide.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, x := range frontier {
		fmt.Printf("%s from %.0f to %.0f\n", m.States(therapy.ID)[x.Option], x.From, x.To)
	}
	rivals, err := decide.Rivals(context.Background(), m, none, 0, 100000, decide.Options{}, frontier)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, x := range rivals {
		fmt.Print(m.States(therapy.ID)[x.Option], " is dominated by")
		for _, i := range x.By {
			fmt.Print(" ", m.States(therapy.ID)[frontier[i].Option])
		}
		fmt.Println()
	}
	// Output:
	// none from 0 to 3333
	// A from 3333 to 6250
	// C from 6250 to 75000
	// D from 75000 to 100000
	// B is dominated by A C
	// E is dominated by D
}

// ExampleImposeSteps takes an umbrella if the forecast, which is always known, is rain.
func ExampleImposeSteps() {
	m := &model.Model{Kind: model.Bayes}
	forecast, umbrella := m.NewVar("forecast", "rain", "dry"), m.NewVar("umbrella", "take", "leave")
	umbrella.Given = true
	m.Factors = []*model.Factor{{Scope: []model.VarID{forecast.ID}, Dist: &model.Table{Values: []float64{.25, .75}}}}
	m.Diagram = &model.Diagram{
		Decisions: []*model.Decision{{Var: umbrella.ID}},
		Utilities: []*model.Utility{{Name: "comfort", Scope: []model.VarID{forecast.ID, umbrella.ID}, Values: []float64{5, -10, -1, 3}}},
		Asymmetry: &model.Asymmetry{Observed: []model.VarID{forecast.ID}},
	}
	known := []model.VarID{forecast.ID}
	s, err := decide.ImposeSteps(context.Background(), m, make([][]float64, 2), []decide.Step{
		{Known: known, States: []int{0}, Decision: umbrella.ID, Choice: 0},
		{Known: known, States: []int{1}, Decision: umbrella.ID, Choice: 1},
	}, decide.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(s.Utility)
	// Output: 3.5
}
