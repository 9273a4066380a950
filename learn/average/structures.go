package average

import (
	"math/rand/v2"
	"slices"

	"github.com/pgmc-go/pgmc/learn/internal/graph"
	"github.com/pgmc-go/pgmc/learn/internal/network"
	"github.com/pgmc-go/pgmc/learn/score"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// structureWalk is a Markov chain over structures.
type structureWalk struct {
	s       *score.Cache
	rules   *network.Rules
	most    int // most parents
	parents [][]int
	moves   []move // all legal moves
	family  []float64
}

// move adds, deletes or reverses the edge from x to y.
type move struct {
	kind kind
	x, y int
}

type kind uint8

const (
	add kind = iota
	remove
	reverse
)

func newStructureWalk(s *score.Cache, rules *network.Rules, most int, parents [][]int) *structureWalk {
	w := &structureWalk{s: s, rules: rules, most: most, parents: parents}
	for x, p := range parents {
		w.family = append(w.family, s.Family(x, p...))
	}
	w.moves = w.legal(parents)
	return w
}

// scatter adds random edges, at most as many as there are variables.
func (w *structureWalk) scatter(rng *rand.Rand) *structureWalk {
	parents := w.parents
	for range parents {
		list := slices.DeleteFunc(w.legal(parents), func(m move) bool { return m.kind != add })
		if len(list) == 0 {
			break
		}
		parents, _ = apply(parents, list[rng.IntN(len(list))])
	}
	return newStructureWalk(w.s, w.rules, w.most, parents)
}

// legal lists the moves that make neither a cycle nor a family that is too large, and keep the
// rules.
func (w *structureWalk) legal(parents [][]int) (list []move) {
	n := len(parents)
	above := graph.Ancestors(parents)
	size := make([]int, n) // by variable: the joint states of its family
	for y, p := range parents {
		size[y] = w.s.Counter.Card(y)
		for _, u := range p {
			size[y] *= w.s.Counter.Card(u)
		}
	}
	room := func(y, x int) bool {
		return len(parents[y]) < w.most && !w.rules.Forbidden[[2]int{x, y}] && size[y]*w.s.Counter.Card(x) <= score.MaxFamily
	}
	for y := range n {
		for x := range n {
			switch {
			case x == y || above.Has(x, y):
			case w.rules.Required[[2]int{x, y}]:
			case slices.Contains(parents[y], x):
				list = append(list, move{remove, x, y})
				if room(x, y) && !above.Detour(parents, x, y) {
					list = append(list, move{reverse, x, y})
				}
			case room(y, x):
				list = append(list, move{add, x, y})
			}
		}
	}
	return list
}

// apply returns the structure after a move, and the variables of the families that it changes.
func apply(parents [][]int, m move) (after [][]int, changed []int) {
	after = slices.Clone(parents)
	with := func(y, x int) { after[y] = append(slices.Clone(after[y]), x) }
	without := func(y, x int) {
		after[y] = slices.DeleteFunc(slices.Clone(after[y]), func(u int) bool { return u == x })
	}
	switch m.kind {
	case add:
		with(m.y, m.x)
		return after, []int{m.y}
	case remove:
		without(m.y, m.x)
		return after, []int{m.y}
	}
	without(m.y, m.x)
	with(m.x, m.y)
	return after, []int{m.x, m.y}
}

// step proposes one of the legal moves. The acceptance probability includes the numbers of legal
// moves before and after, since they determine the proposal probabilities of the move and its
// inverse.
func (w *structureWalk) step(rng *rand.Rand) bool {
	if len(w.moves) == 0 {
		return false
	}
	parents, changed := apply(w.parents, w.moves[rng.IntN(len(w.moves))])
	var family [2]float64
	gain := 0.0
	for i, x := range changed {
		family[i] = w.s.Family(x, parents[x]...)
		gain += family[i] - w.family[x]
	}
	moves := w.legal(parents)
	gain += pgmrt.Ln(float64(len(w.moves)) / float64(len(moves)))
	if pgmrt.Ln(1-rng.Float64()) >= gain {
		return false
	}
	w.parents, w.moves = parents, moves
	for i, x := range changed {
		w.family[x] = family[i]
	}
	return true
}

func (w *structureWalk) sample(edges [][]float64) {
	for x, p := range w.parents {
		for _, u := range p {
			edges[x][u]++
		}
	}
}

func (w *structureWalk) draw(*rand.Rand) [][]int { return w.parents }

func (w *structureWalk) best() (parents [][]int, score float64) {
	for _, f := range w.family {
		score += f
	}
	return w.parents, score
}
