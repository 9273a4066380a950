package edgedel_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/cluster"
	"github.com/pgmc-go/pgmc/compiler/method/edgedel"
	"github.com/pgmc-go/pgmc/compiler/method/methodtest"
	"github.com/pgmc-go/pgmc/compiler/order"
	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

func TestContract(t *testing.T) {
	if exact, models := methodtest.Loop(t, edgedel.Method); exact < models/3 {
		t.Errorf("%d of %d models keep all edges; want at least a third to check exactness", exact, models)
	}
}

func TestBudgets(t *testing.T) {
	for _, options := range [][]string{{"max-cluster=1"}, {"max-cluster=8", "edges=information", "correction=general"}, {"max-cluster=8", "parameters=cliques"}} {
		methodtest.Loop(t, edgedel.Method, append(options, "iterations=30")...)
	}
}

// TestBelief deletes all edges, which is belief propagation: the same marginals and the Bethe
// estimate of ln P.
func TestBelief(t *testing.T) {
	converged := 0
	networks(t, 60, irtest.Options{NoZeros: true}, func(seed uint64, m *model.Model, e brute.Evidence) {
		want := query(t, m, e, "belief", "tolerance=1e-12")
		got := query(t, m, e, "edgedel", "max-cluster=1", "tolerance=1e-12")
		if want.err != nil || want.report.Status != pgmrt.Converged || got.report.Status != pgmrt.Converged {
			return
		}
		converged++
		irtest.CloseTo(t, got.logP, want.logP, 1e-8)
		for v := range m.Vars {
			irtest.Close(t, got.marginals[v], want.marginals[v], 1e-8)
		}
	})
	if converged < 55 {
		t.Errorf("both methods converged on %d of 60 networks; want at least 55", converged)
	}
}

// TestTrees deletes all edges of networks with at most one parent per variable, for which belief
// propagation is exact.
func TestTrees(t *testing.T) {
	networks(t, 40, irtest.Options{MaxParents: 1}, func(seed uint64, m *model.Model, e brute.Evidence) {
		exactly(t, m, e, query(t, m, e, "edgedel", "max-cluster=1"))
	})
}

func exactly(t *testing.T, m *model.Model, e brute.Evidence, got answer) {
	t.Helper()
	if got.err != nil || got.report.Status != pgmrt.Converged {
		t.Errorf("%+v, %v; want convergence", got.report, got.err)
		return
	}
	j := enumerate(t, m)
	irtest.CloseTo(t, got.logP, j.LogProb(e), 1e-9)
	for v, p := range got.marginals {
		irtest.Close(t, p, j.Posterior(model.VarID(v), e), 1e-9)
	}
}

// TestObserved deletes all edges out of observed variables, which changes nothing.
func TestObserved(t *testing.T) {
	networks(t, 40, irtest.Options{}, func(seed uint64, m *model.Model, e brute.Evidence) {
		var words []string
		for v := range e.Hard {
			words = append(words, fmt.Sprint(v))
		}
		if words == nil {
			return
		}
		for _, parameters := range []string{"bp", "posterior", "true"} {
			exactly(t, m, e, query(t, m, e, "edgedel", "max-cluster=100000", "parameters="+parameters, "observed="+strings.Join(words, ",")))
		}
	})
}

// TestFixedPoint checks the equation of section 4 at convergence: the network that is simplified by
// the resulting posteriors has these posteriors.
func TestFixedPoint(t *testing.T) {
	networks(t, 40, irtest.Options{}, func(seed uint64, m *model.Model, e brute.Evidence) {
		edges := oneEach(m, seed, 4)
		if edges == nil {
			return
		}
		got := query(t, m, e, "edgedel", "parameters=posterior", "delete="+edgedel.Option(edges))
		if got.err != nil || got.report.Status != pgmrt.Converged {
			t.Errorf("%+v, %v; want convergence", got.report, got.err)
			return
		}
		simple, err := edgedel.Simplify(m, edges, func(v model.VarID) []float64 { return got.marginals[v] }, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		j := enumerate(t, simple)
		irtest.CloseTo(t, got.logP, j.LogProb(e), 1e-6)
		for v, p := range got.marginals {
			irtest.Close(t, p, j.Posterior(model.VarID(v), e), 1e-6)
		}
	})
}

// TestPrior compares the evidence-free baseline with a network whose CPDs are P(x|u), by
// enumeration. If the parents that a CPD keeps determine each other's states, evidence may need
// rows of probability 0; positive random numbers exclude such networks.
func TestPrior(t *testing.T) {
	networks(t, 40, irtest.Options{NoZeros: true}, func(seed uint64, m *model.Model, e brute.Evidence) {
		edges := oneEach(m, seed, 4)
		if edges == nil {
			return
		}
		full := enumerate(t, m)
		simple, err := edgedel.Simplify(m, edges, func(v model.VarID) []float64 { return full.Posterior(v, brute.Evidence{}) }, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range edges {
			f := simple.Factors[d.Factor]
			values := full.JointPosterior(f.Scope, brute.Evidence{})
			parents := full.JointPosterior(f.Parents(), brute.Evidence{})
			state := make([]int, len(m.Vars))
			for i := range values {
				at := 0
				for _, p := range f.Parents() {
					at = at*m.Card(p) + state[p]
				}
				values[i] /= parents[at]
				m.Next(f.Scope, state)
			}
			f.Dist = &model.Table{Values: values}
		}
		exactly(t, simple, e, query(t, m, e, "edgedel", "parameters=prior", "delete="+edgedel.Option(edges)))
	})
}

// TestChoose checks that every cluster is within the budget, if no single variable exceeds it.
func TestChoose(t *testing.T) {
	for seed := range uint64(100) {
		m := irtest.RandomModel(seed, irtest.Options{Kinds: []model.Kind{model.Bayes}, MaxStates: 4, MaxVars: 14, MaxJoint: 1 << 14})
		best := order.Best(order.FromModel(m), order.Options{Steps: 0})
		for _, budget := range []float64{4, 12, 40} {
			for _, information := range []bool{false, true} {
				edges := edgedel.Choose(m, best.Order, budget, nil, edgedel.Price(m, information, 1<<20))
				if largest := largestCluster(m, best.Order, edges); largest > budget {
					t.Errorf("seed %d: a cluster of %v after deleting %d edges; want at most %v", seed, largest, len(edges), budget)
				}
				if before := largestCluster(m, best.Order, nil); before <= budget && len(edges) > 0 {
					t.Errorf("seed %d: %d edges deleted, where the largest cluster had %v", seed, len(edges), before)
				}
			}
		}
	}
}

func largestCluster(m *model.Model, order []int, edges []edgedel.Edge) float64 {
	scopes := make([][]model.VarID, len(m.Factors))
	for n, f := range m.Factors {
		scopes[n] = slices.DeleteFunc(slices.Clone(f.Scope), func(v model.VarID) bool { return slices.Contains(edges, edgedel.Edge{Factor: n, Parent: v}) })
	}
	tree := cluster.New(len(m.Vars), scopes, order)
	largest := 0.0
	for i := range tree.Buckets {
		size := 1.0
		for _, v := range tree.Scope(i) {
			size *= float64(m.Card(v))
		}
		largest = max(largest, size)
	}
	return largest
}

// TestInformation checks that the edge with more information is kept: of two copies of a parent,
// one is exact and one is noise.
func TestInformation(t *testing.T) {
	n := network{&model.Model{Name: "two parents"}}
	a, b := n.add("a", []float64{0.5}), n.add("b", []float64{0.5})
	n.add("x", []float64{0.95, 0.9, 0.1, 0.05}, a, b) // depends on a, hardly on b
	if edges := edgedel.Choose(n.Model, []int{0, 1, 2}, 4, nil, edgedel.Price(n.Model, true, 100)); len(edges) != 1 || edges[0].Parent != b {
		t.Errorf("deleted %v; want the edge from b, variable %d", edges, b)
	}
}
