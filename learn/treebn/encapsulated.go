package treebn

import (
	"context"
	"encoding/binary"
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
	score = f.tree(x, parents).Size(treecpd.All).Penalised(f.kappa)
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
	f.grower.Finder().Grow(f.ctx, t, treecpd.Least(f.kappa), func(v int) bool { return slices.Contains(parents, v) })
	return t
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
func encapsulated(ctx context.Context, job *learner.Job, g *treecpd.Grower, w *treecpd.Network, kappas []float64, rules *network.Rules, maxParents int) {
	n := len(job.Train.Vars)
	for _, kappa := range kappas {
		f := &families{ctx: ctx, grower: g, kappa: kappa, maxParents: maxParents, known: map[string]float64{}}
		parents, steps := hillclimb.Climb(ctx, job, f, n, rules, maxParents)
		trees := make([]*treecpd.Tree, n)
		learner.Each(job.Cores, n, func(x int) { trees[x] = f.tree(x, parents[x]) })
		w.Path = append(w.Path, treecpd.Point{Kappa: kappa, Trees: trees, Keep: treecpd.All})
		w.Steps += steps
	}
}
