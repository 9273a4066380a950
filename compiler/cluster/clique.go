package cluster

import "github.com/pgmc-go/pgmc/ir/model"

// Clique is a cluster of the clique tree.
type Clique struct {
	Bucket    int           // the bucket of [Tree.Maximal] that it is
	Vars      []model.VarID // the bucket's cluster
	Separator []model.VarID // the variables that it shares with its parent; nil at a root
	Parent    int           // its number in the list of cliques; -1 at a root
}

// Cliques returns the clique tree of a bucket tree: the buckets of Maximal, in that order. Every
// other bucket becomes part of the first of its children that contains it.
func (t *Tree) Cliques() []Clique {
	into := make([]int, len(t.Buckets)) // by bucket: the child that contains it, or itself
	for i := range into {
		into[i] = i
	}
	for i, b := range t.Buckets {
		if b.Parent >= 0 && len(b.Separator) == len(t.Buckets[b.Parent].Separator)+1 && into[b.Parent] == b.Parent {
			into[b.Parent] = i
		}
	}
	number := make([]int, len(t.Buckets)) // by bucket: its clique
	var out []Clique
	for i := range t.Buckets { // children come before parents
		if into[i] == i {
			number[i] = len(out)
			out = append(out, Clique{Bucket: i, Vars: t.Scope(i), Parent: -1})
			continue
		}
		number[i] = number[into[i]]
	}
	for i, b := range t.Buckets {
		if b.Parent >= 0 && number[b.Parent] != number[i] {
			c := &out[number[i]]
			c.Separator, c.Parent = b.Separator, number[b.Parent]
		}
	}
	return out
}
