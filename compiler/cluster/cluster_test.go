package cluster_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/cluster"
	"github.com/pgmc-go/pgmc/compiler/order"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// TestTree checks on random models what makes a bucket tree one: factors fit, messages fit, running
// intersection.
func TestTree(t *testing.T) {
	for seed := range uint64(200) {
		m := irtest.RandomModel(seed, irtest.Options{})
		scopes := [][]model.VarID{}
		for _, f := range m.Factors {
			scopes = append(scopes, f.Scope)
		}
		tree := cluster.New(len(m.Vars), scopes, order.Best(order.FromModel(m), order.Options{}).Order)
		for _, scope := range scopes {
			if i := tree.First(scope); i >= 0 && !contains(tree.Scope(i), scope) {
				t.Fatalf("seed %d: bucket %v does not hold the factor over %v", seed, tree.Scope(i), scope)
			}
		}
		for i, b := range tree.Buckets {
			if b.Parent >= 0 && !contains(tree.Scope(b.Parent), b.Separator) {
				t.Fatalf("seed %d: separator %v of bucket %d is not in its parent %v", seed, b.Separator, i, tree.Scope(b.Parent))
			}
		}
		running(t, tree, len(m.Vars))
		postOrder(t, tree)
		maximal(t, tree)
		cliques(t, tree, scopes, len(m.Vars))
	}
}

func contains(set, part []model.VarID) bool {
	return !slices.ContainsFunc(part, func(v model.VarID) bool { return !slices.Contains(set, v) })
}

// running checks that the buckets with a variable are connected: all but one have it in the
// separator to their parent.
func running(t *testing.T, tree *cluster.Tree, vars int) {
	for v := range vars {
		tops := 0
		for i, b := range tree.Buckets {
			if slices.Contains(tree.Scope(i), model.VarID(v)) && !slices.Contains(b.Separator, model.VarID(v)) {
				tops++
			}
		}
		if tops != 1 {
			t.Fatalf("variable %d leaves the tree %d times; want once", v, tops)
		}
	}
}

func postOrder(t *testing.T, tree *cluster.Tree) {
	place := make([]int, len(tree.Buckets))
	for i, b := range tree.PostOrder() {
		place[b] = i + 1
	}
	for i, b := range tree.Buckets {
		if place[i] == 0 || b.Parent >= 0 && place[b.Parent] < place[i] {
			t.Fatalf("bucket %d is missing or stands after its parent", i)
		}
	}
}

func maximal(t *testing.T, tree *cluster.Tree) {
	list := tree.Maximal()
	for i := range tree.Buckets {
		held := slices.ContainsFunc(list, func(k int) bool { return contains(tree.Scope(k), tree.Scope(i)) })
		if !held {
			t.Fatalf("no maximal cluster contains bucket %v", tree.Scope(i))
		}
	}
	for _, i := range list {
		for _, k := range list {
			if i != k && contains(tree.Scope(k), tree.Scope(i)) {
				t.Fatalf("maximal cluster %v lies in %v", tree.Scope(i), tree.Scope(k))
			}
		}
	}
}

// cliques checks what makes a clique tree one: the maximal clusters, a clique for each scope,
// separators that are what two neighbours share, and for each variable connected cliques.
func cliques(t *testing.T, tree *cluster.Tree, scopes [][]model.VarID, vars int) {
	list := tree.Cliques()
	tops := make([]int, vars)
	for i, c := range list {
		if !slices.Equal(c.Vars, tree.Scope(c.Bucket)) || i >= len(tree.Maximal()) || tree.Maximal()[i] != c.Bucket {
			t.Fatalf("clique %v is not maximal cluster %d of %v", c.Vars, i, tree.Maximal())
		}
		var shared []model.VarID
		for _, v := range c.Vars {
			if c.Parent < 0 || !slices.Contains(list[c.Parent].Vars, v) {
				tops[v]++
			} else {
				shared = append(shared, v)
			}
		}
		if len(shared) != len(c.Separator) || !contains(shared, c.Separator) {
			t.Fatalf("clique %v shares %v with its parent; the separator is %v", c.Vars, shared, c.Separator)
		}
	}
	for v, n := range tops {
		if n != 1 {
			t.Fatalf("the cliques of variable %d are in %d parts; want 1", v, n)
		}
	}
	for _, scope := range scopes {
		if !slices.ContainsFunc(list, func(c cluster.Clique) bool { return contains(c.Vars, scope) }) {
			t.Fatalf("no clique holds the factor over %v", scope)
		}
	}
}

// TestCliquesOfAsia compares with the clique tree of Lauritzen and Spiegelhalter 1988: six cliques,
// where the cycle of smoke, lung, either and bronc has the chord from lung to bronc.
func TestCliquesOfAsia(t *testing.T) {
	m := irtest.Asia()
	scopes := [][]model.VarID{}
	for _, f := range m.Factors {
		scopes = append(scopes, f.Scope)
	}
	got := map[string]bool{}
	for _, c := range cluster.New(len(m.Vars), scopes, []int{0, 6, 7, 2, 1, 3, 4, 5}).Cliques() { // asia, xray, dysp, smoke, ...
		var names []string
		for _, v := range c.Vars {
			names = append(names, m.Vars[v].Name)
		}
		slices.Sort(names)
		got[strings.Join(names, " ")] = true
	}
	for _, want := range []string{"asia tub", "either xray", "bronc dysp either", "bronc lung smoke", "either lung tub", "bronc either lung"} {
		if !got[want] {
			t.Errorf("no clique %s among %v", want, got)
		}
	}
	if len(got) != 6 {
		t.Errorf("%d cliques; want 6", len(got))
	}
}
