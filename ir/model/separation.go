package model

import "slices"

// ActiveTrail gives a shortest trail from a to b along which one may tell of the other when the variables of given are
// known, and nil where a and b are separated: where that is so, they are independent given those, whatever the numbers
// are. It reads the graph alone, so that it misses the independences that numbers make, such as those of deterministic
// CPDs. a and b are different and not in given; the model is a Bayesian or a Markov network.
//
// In a Bayesian network, separation is d-separation: a trail is active where each of its colliders (both edges point at
// it) is given or has a given descendant, and no other of its variables is given. In a Markov network, a path is active
// where none of its variables is given.
//
// Source: Koller and Friedman, algorithm 3.1 and section 4.3.1; the ball of Shachter 1998, Bayes-Ball.
func (g *Graph) ActiveTrail(a, b VarID, given []VarID) []VarID {
	s := &ball{g: g, given: make([]bool, g.len()), from: make([]int, 2*g.len()), passed: map[*Factor]bool{}}
	for _, v := range given {
		s.given[v] = true
	}
	s.opens = g.ancestors(given)
	for i := range s.from {
		s.from[i] = unseen
	}
	return s.roll(a, b)
}

func (g *Graph) len() int { return max(len(g.shared), len(g.Parents)) }

// Opener gives the first variable of given that is v or a descendant of v, and so opens v as a collider; ok is false where
// none is.
func (g *Graph) Opener(v VarID, given []VarID) (opener VarID, ok bool) {
	for _, e := range given {
		if g.ancestors([]VarID{e})[v] {
			return e, true
		}
	}
	return -1, false
}

// ancestors marks vars and their ancestors.
func (g *Graph) ancestors(vars []VarID) []bool {
	in := make([]bool, g.len())
	for list := slices.Clone(vars); len(list) > 0; {
		v := list[len(list)-1]
		list = list[:len(list)-1]
		if !in[v] && g.Kind == Bayes {
			list = append(list, g.Parents[v]...)
		}
		in[v] = true
	}
	return in
}

// ball is a search over pairs of a variable and the direction in which the ball came. A shortest walk of the ball visits no
// variable twice. For let it pass v twice. If it came from a child first, it could at once have gone on as it does the
// second time. If it came from a parent first and went on to a child, it turned below v, at a collider that is given or
// has a given descendant, which is a descendant of v too: the ball could have turned at v.
type ball struct {
	g     *Graph
	given []bool
	opens []bool // given, or with a given descendant
	from  []int  // by 2*variable + direction: the pair before it; start or unseen
	queue []int

	passed map[*Factor]bool // potentials, all of whose variables were visited
}

// The directions of arrival; edges of a Markov network have no direction, and count as fromChild.
const (
	fromChild  = 0
	fromParent = 1
)

const (
	unseen = -1
	start  = -2
)

// roll searches from a, breadth first, until it meets b.
func (s *ball) roll(a, b VarID) []VarID {
	s.from[2*a+fromChild] = start
	s.queue = []int{int(2*a + fromChild)}
	for len(s.queue) > 0 {
		at := s.queue[0]
		s.queue = s.queue[1:]
		v, direction := VarID(at/2), at%2
		if v == b {
			return s.trail(at)
		}
		switch {
		case s.g.Kind == Markov && s.given[v]:
		case s.g.Kind == Markov:
			for _, f := range s.g.shared[v] {
				if !s.passed[f] {
					s.passed[f] = true
					s.visit(at, f.Scope, fromChild)
				}
			}
		case direction == fromChild && !s.given[v]:
			s.visit(at, s.g.Parents[v], fromChild)
			s.visit(at, s.g.Children[v], fromParent)
		case direction == fromParent:
			if s.opens[v] {
				s.visit(at, s.g.Parents[v], fromChild)
			}
			if !s.given[v] {
				s.visit(at, s.g.Children[v], fromParent)
			}
		}
	}
	return nil
}

// visit notes that the ball may come from the pair at to vars.
func (s *ball) visit(at int, vars []VarID, direction int) {
	for _, v := range vars {
		if next := 2*int(v) + direction; s.from[next] == unseen {
			s.from[next] = at
			s.queue = append(s.queue, next)
		}
	}
}

// trail lists the variables on the way to a pair.
func (s *ball) trail(at int) []VarID {
	var out []VarID
	for ; at != start; at = s.from[at] {
		out = append(out, VarID(at/2))
	}
	slices.Reverse(out)
	return out
}
