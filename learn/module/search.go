package module

import (
	"context"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/score"
)

// module is a group of variables with the same parents, both ascending. An empty one has no
// parents.
type module struct{ members, parents []int }

// step changes modules: module k into a, and j, unless it is negative, into b.
type step struct {
	k, j int
	a, b module
}

// search climbs over modules.
type search struct {
	l     *Options
	s     *score.Scorer
	cores int
	kinds []int              // by variable: the number of its list of states
	known map[string]float64 // scores of modules
	list  []module
	steps int
}

// kindsOf numbers the lists of states of variables, and returns how many there are.
func kindsOf(vars []data.Var) (kinds []int, n int) {
	var lists [][]string
	for _, v := range vars {
		k := slices.IndexFunc(lists, func(s []string) bool { return slices.Equal(s, v.States) })
		if k < 0 {
			k = len(lists)
			lists = append(lists, v.States)
		}
		kinds = append(kinds, k)
	}
	return kinds, len(lists)
}

// search returns the best modules that it finds, in the order of their first variables, and the
// number of steps.
func (l *Options) search(ctx context.Context, job *learner.Job, s *score.Scorer, kinds []int) ([]module, int) {
	h := &search{l: l, s: s, cores: job.Cores, kinds: kinds, known: map[string]float64{}, list: first(s, kinds, l.Modules)}
	h.climb(ctx)
	best, total, rng := h.list, h.total(), rand.New(rand.NewPCG(job.Seed, 0))
	count := job.Counter(l.Restarts)
	for range l.Restarts {
		if ctx.Err() != nil {
			break
		}
		h.list = h.shaken(best, rng)
		h.climb(ctx)
		if x := h.total(); x > total+score.Tie(x, total) {
			best, total = h.list, x
		}
		count()
	}
	best = slices.DeleteFunc(slices.Clone(best), func(k module) bool { return len(k.members) == 0 })
	slices.SortFunc(best, func(a, b module) int { return a.members[0] - b.members[0] })
	return best, h.steps
}

// climb takes the best step until none improves the score.
func (h *search) climb(ctx context.Context) {
	for ctx.Err() == nil {
		steps := h.candidates()
		h.evaluate(ctx, steps)
		if ctx.Err() != nil {
			return
		}
		best := score.Best[int]{Tie: score.Tie(h.total())}
		best.Over = best.Tie
		for i, x := range steps {
			best.Add(i, h.gain(x))
		}
		i, _, ok := best.First()
		if !ok {
			return
		}
		h.list = slices.Clone(h.list)
		h.apply(h.list, steps[i])
		h.steps++
	}
}

func (h *search) apply(list []module, x step) {
	if list[x.k] = x.a; x.j >= 0 {
		list[x.j] = x.b
	}
}

// candidates lists the steps to networks without cycles and forbidden edges.
func (h *search) candidates() []step {
	var out []step
	add := func(x step) {
		for _, m := range []module{x.a, x.b} {
			if len(m.parents) > h.l.MaxParents || slices.ContainsFunc(m.members, func(v int) bool { return !h.s.Fits(v, m.parents...) }) {
				return
			}
		}
		list := slices.Clone(h.list)
		if h.apply(list, x); acyclic(list, len(h.kinds)) {
			out = append(out, x)
		}
	}
	empty := slices.IndexFunc(h.list, func(m module) bool { return len(m.members) == 0 })
	for k, m := range h.list {
		if len(m.members) == 0 {
			continue
		}
		for u := range len(h.kinds) {
			parents := toggled(m.parents, u)
			add(step{k: k, j: -1, a: module{m.members, parents}})
			if len(parents) > len(m.parents) {
				for _, w := range m.parents {
					add(step{k: k, j: -1, a: module{m.members, toggled(parents, w)}})
				}
			}
		}
		for _, v := range m.members {
			h.moves(k, v, empty, add)
		}
	}
	return out
}

// moves adds the steps that move a variable of module k to another module, or to an empty one. The
// variable may become a parent of its former module, and no longer be one of its new module.
func (h *search) moves(k, v, empty int, add func(step)) {
	m := h.list[k]
	left := []module{{members: toggled(m.members, v)}}
	if len(m.members) > 1 {
		left = []module{{left[0].members, m.parents}, {left[0].members, toggled(m.parents, v)}}
	}
	for j, to := range h.list {
		var joined []module
		switch {
		case len(to.members) > 0 && j != k && h.kinds[to.members[0]] == h.kinds[v]:
			parents := to.parents
			if slices.Contains(parents, v) {
				parents = toggled(parents, v)
			}
			joined = []module{{toggled(to.members, v), parents}}
		case j == empty && len(m.members) > 1:
			joined = []module{{members: []int{v}}, {[]int{v}, m.parents}}
		}
		for _, a := range left {
			for _, b := range joined {
				add(step{k, j, a, b})
			}
		}
	}
}

// toggled returns an ascending list with x if it has none, and otherwise without it.
func toggled(list []int, x int) []int {
	i, has := slices.BinarySearch(list, x)
	out := slices.Clone(list)
	if has {
		return slices.Delete(out, i, i+1)
	}
	return slices.Insert(out, i, x)
}

// acyclic reports whether modules of n variables have no cycle: it removes modules without parents
// that are left, and their variables, as long as there are some.
func acyclic(list []module, n int) bool {
	gone := make([]bool, n)
	for left, before := n, n+1; left < before; {
		before = left
		for _, m := range list {
			if len(m.members) > 0 && !gone[m.members[0]] && !slices.ContainsFunc(m.parents, func(u int) bool { return !gone[u] }) {
				for _, v := range m.members {
					gone[v] = true
				}
				left -= len(m.members)
			}
		}
		if left == 0 {
			return true
		}
	}
	return false
}

// evaluate scores the modules of steps that have not been scored before.
func (h *search) evaluate(ctx context.Context, steps []step) {
	var todo []module
	var keys []string
	for _, x := range steps {
		for _, m := range []module{x.a, x.b} {
			key := m.key()
			if _, known := h.known[key]; !known && len(m.members) > 0 {
				h.known[key] = 0
				todo, keys = append(todo, m), append(keys, key)
			}
		}
	}
	scores := make([]float64, len(todo))
	learner.Each(h.cores, len(todo), func(i int) {
		if ctx.Err() == nil {
			scores[i] = h.s.Pooled(todo[i].members, todo[i].parents...)
		}
	})
	for i, key := range keys {
		if h.known[key] = scores[i]; ctx.Err() != nil {
			delete(h.known, key)
		}
	}
}

// key returns a text that tells modules apart.
func (m module) key() string {
	var key []byte
	for _, v := range m.members {
		key = binary.LittleEndian.AppendUint32(key, uint32(v))
	}
	key = binary.LittleEndian.AppendUint32(key, math.MaxUint32)
	for _, u := range m.parents {
		key = binary.LittleEndian.AppendUint32(key, uint32(u))
	}
	return string(key)
}

// score returns the score of a module.
func (h *search) score(m module) float64 {
	if len(m.members) == 0 {
		return 0
	}
	x, known := h.known[m.key()]
	if !known {
		x = h.s.Pooled(m.members, m.parents...)
		h.known[m.key()] = x
	}
	return x
}

// gain returns the change of the score by a step.
func (h *search) gain(x step) float64 {
	sum := h.score(x.a) - h.score(h.list[x.k])
	if x.j >= 0 {
		sum += h.score(x.b) - h.score(h.list[x.j])
	}
	return sum
}

func (h *search) total() float64 {
	sum := 0.0
	for _, m := range h.list {
		sum += h.score(m)
	}
	return sum
}

// shaken returns modules in which all variables, or about a half or a third, are in other modules
// of their kind, at random, and about half of the modules have no parents.
func (h *search) shaken(list []module, rng *rand.Rand) []module {
	out, share := slices.Clone(list), 1+rng.IntN(3)
	for v := range len(h.kinds) {
		if rng.IntN(share) > 0 {
			continue
		}
		k := slices.IndexFunc(out, func(m module) bool { return slices.Contains(m.members, v) })
		j := rng.IntN(len(out))
		if to := out[j].members; j != k && (len(to) == 0 || h.kinds[to[0]] == h.kinds[v]) {
			out[k].members, out[j].members = toggled(out[k].members, v), toggled(to, v)
		}
	}
	parents := make([][]int, len(out))
	for k := range out {
		if len(out[k].members) > 0 && rng.IntN(2) == 0 {
			parents[k] = out[k].parents
		}
		out[k].parents = nil
	}
	for k := range out {
		out[k].parents = parents[k]
		bad := slices.ContainsFunc(out[k].members, func(v int) bool { return !h.s.Fits(v, parents[k]...) })
		if bad || !acyclic(out, len(h.kinds)) {
			out[k].parents = nil
		}
	}
	return out
}
