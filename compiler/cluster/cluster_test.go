package cluster_test

import (
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/cluster"
	"github.com/pgmc-go/pgmc/compiler/order"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// TestTree checks on random models what makes a bucket tree one: factors fit, messages fit, running intersection.
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
	}
}

func contains(set, part []model.VarID) bool {
	return !slices.ContainsFunc(part, func(v model.VarID) bool { return !slices.Contains(set, v) })
}

// running checks that the buckets with a variable are connected: all but one have it in the separator to their parent.
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
