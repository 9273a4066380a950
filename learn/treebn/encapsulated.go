package treebn

import (
	"context"
	"encoding/binary"
	"math"
	"slices"
	"sync"

	"github.com/pgmc-go/pgmc/learn/hillclimb"
	"github.com/pgmc-go/pgmc/learn/internal/network"
	"github.com/pgmc-go/pgmc/learn/internal/treecpd"
	"github.com/pgmc-go/pgmc/learn/learner"
)

// families scores families by their trees.
type families struct {
	ctx        context.Context
	grower     *treecpd.Grower
	kappa      float64
	maxParents int
	prune      bool

	mu    sync.Mutex
	known map[string]float64 // by variable and parents
}

// Family returns the score of the tree of x that tests only parents.
func (f *families) Family(x int, parents ...int) float64 {
	key := keyOf(x, parents)
	f.mu.Lock()
	score, ok := f.known[key]
	f.mu.Unlock()
	if ok {
		return score
	}
	t := f.tree(x, parents)
	score = t.Size(f.keep(t)).Penalised(f.kappa)
	f.mu.Lock()
	f.known[key] = score
	f.mu.Unlock()
	return score
}

// Fits bounds the number of parents.
func (f *families) Fits(_ int, parents ...int) bool {
	return len(parents) <= f.maxParents
}

// tree grows the tree of x that tests only parents.
func (f *families) tree(x int, parents []int) *treecpd.Tree {
	t := f.grower.Root(x)
	least := treecpd.Least(f.kappa)
	if f.prune {
		least = math.Inf(-1)
	}
	f.grower.Finder().Grow(f.ctx, t, least, func(v int) bool { return slices.Contains(parents, v) })
	return t
}

// keep returns which splits of trees stay.
func (f *families) keep(trees ...*treecpd.Tree) treecpd.Keep {
	if f.prune {
		return treecpd.Pruned(trees, treecpd.Least(f.kappa))
	}
	return treecpd.All
}

// keyOf returns the key of a family.
func keyOf(x int, parents []int) string {
	key := binary.LittleEndian.AppendUint32(nil, uint32(x))
	for _, p := range slices.Sorted(slices.Values(parents)) {
		key = binary.LittleEndian.AppendUint32(key, uint32(p))
	}
	return string(key)
}

// encapsulated searches the edges of w anew for each kappa, the smallest first, until ctx ends.
func (l *Options) encapsulated(ctx context.Context, job *learner.Job, g *treecpd.Grower, w *treecpd.Network, kappas []float64, rules *network.Rules) {
	n := len(job.Train.Vars)
	most := l.bound(n)
	for _, kappa := range kappas {
		f := &families{ctx: ctx, grower: g, kappa: kappa, maxParents: most, prune: l.Prune, known: map[string]float64{}}
		parents, steps := hillclimb.Climb(ctx, job, f, n, rules, most)
		trees := make([]*treecpd.Tree, n)
		learner.Each(job.Cores, n, func(x int) { trees[x] = f.tree(x, parents[x]) })
		w.Path = append(w.Path, treecpd.Point{Kappa: kappa, Trees: trees, Keep: f.keep(trees...)})
		w.Steps += steps
	}
}
