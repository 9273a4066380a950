package belief_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/method/belief"
	"github.com/pgmc-go/pgmc/compiler/method/methodtest"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// TestJunctionTree checks join graphs without splits, which are junction trees.
func TestJunctionTree(t *testing.T) {
	if exact, models := methodtest.Loop(t, belief.Method, "regions=join"); exact < models*19/20 {
		t.Errorf("%d of %d models are exact; want nearly all", exact, models)
	}
}

// TestRegions uses few iterations, since what it checks holds after any number of them.
func TestRegions(t *testing.T) {
	for _, options := range [][]string{{"regions=factors", "iterations=10", "damping=0.5"}, {"regions=join", "max-cluster=6", "schedule=residual", "iterations=10"}} {
		t.Run(options[0], func(t *testing.T) { methodtest.Loop(t, belief.Method, options...) })
	}
}

// TestLibDAIRegions compares with libDAI. On the plaquettes of the grid messages need damping.
// HAK_DELTA is left out: its clusters, each a variable and all its neighbours, have several fixed
// points, and other messages find others.
func TestLibDAIRegions(t *testing.T) {
	for _, c := range []struct{ row, regions, damping string }{{"GBP_MIN", "factors", "0"}, {"GBP_BETHE", "factors", "0"}, {"GBP_LOOP3", "loop3", "0"},
		{"HAK_MIN", "factors", "0"}, {"HAK_BETHE", "factors", "0"}, {"HAK_LOOP3", "loop3", "0"}, {"HAK_LOOP4", "loop4", "0.5"}, {"HAK_LOOP5", "loop5", "0.5"}} {
		t.Run(c.row, func(t *testing.T) {
			methodtest.LibDAI(t, belief.Method, c.row, "regions="+c.regions, "damping="+c.damping, "iterations=10000")
		})
	}
}

// TestExclusiveFeatures has features on forty variables of which one holds at a time: the first
// variable that is on, or none. Decomposed they are a tree, so that one iteration is exact. The
// weight of variable i alone is 2^(39-i), its mass e^1 for all i, and all off weighs 1.
func TestExclusiveFeatures(t *testing.T) {
	const n = 40
	m := &model.Model{Name: "first", Kind: model.Markov}
	f := &model.Factor{Child: -1}
	d := &model.Features{}
	for i := range n {
		f.Scope = append(f.Scope, m.NewVar(fmt.Sprint("x", i), "off", "on").ID)
		x := model.Feature{Weight: 1 - float64(n-1-i)*math.Ln2, Literals: []model.Literal{{Axis: i, State: 1}}}
		for k := range i {
			x.Literals = append(x.Literals, model.Literal{Axis: k, State: 0})
		}
		d.List = append(d.List, x)
	}
	none := model.Feature{}
	for k := range n {
		none.Literals = append(none.Literals, model.Literal{Axis: k, State: 0})
	}
	d.List = append(d.List, none)
	f.Dist = d
	m.Factors = []*model.Factor{f}
	r, got := settle(t, m)
	if r.Status != pgmrt.Converged {
		t.Fatalf("%+v", r)
	}
	// The first is on with probability e/(40e + 1). The last is on if it is the first one on, or
	// with probability 1/2 after another.
	all := n*math.E + 1
	irtest.CloseTo(t, got[0][1], math.E/all, 1e-12)
	irtest.CloseTo(t, got[n-1][1], (math.E+(n-1)*math.E/2)/all, 1e-12)
}
