package model

import "slices"

// ActiveTrail returns a shortest active trail from a to b when the variables of given are observed,
// and nil if given separates a and b. Separated variables are independent given these, for any
// numbers. ActiveTrail uses only the graph, so it misses independences that depend on numbers, such
// as in deterministic CPDs. a and b must differ and not be in given; the model must be a Bayesian
// or a Markov network.
//
// In a Bayesian network, separation is d-separation: a trail is active if each of its colliders
// (both edges point at it) is observed or has an observed descendant, and no other of its variables
// is observed. In a Markov network, a path is active if none of its variables is observed.
//
// Source: Koller and Friedman, algorithm 3.1 and section 4.3.1; Shachter 1998, Bayes-Ball.
func (g *Graph) ActiveTrail(a, b VarID, given []VarID) []VarID {
	return g.ball(given).roll([]VarID{a}, b)
}

// Reached marks the variables to which an active trail leads from one of vars when the variables of
// given are observed, and vars themselves. No variable of vars may be in given.
func (g *Graph) Reached(vars, given []VarID) []bool {
	s := g.ball(given)
	s.roll(vars, -1)
	in := make([]bool, g.len())
	for at, from := range s.from {
		if from != unseen && !s.given[at/2] {
			in[at/2] = true
		}
	}
	return in
}

func (g *Graph) ball(given []VarID) *ball {
	s := &ball{g: g, given: make([]bool, g.len()), from: make([]int, 2*g.len()), passed: map[*Factor]bool{}}
	for _, v := range given {
		s.given[v] = true
	}
	s.opens = g.ancestors(given)
	for i := range s.from {
		s.from[i] = unseen
	}
	return s
}

func (g *Graph) len() int { return max(len(g.shared), len(g.Parents)) }

// Opener returns the first variable of given that is v or a descendant of v, and so activates v as
// a collider; ok is false if there is none.
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

// ball is the search of Bayes-Ball over pairs of a variable and the direction in which the ball
// arrived. A shortest walk of the ball visits no variable twice. Suppose it passes v twice. If it
// first came from a child, it could have continued at once as it does the second time. If it first
// came from a parent and went on to a child, it turned below v, at a collider that is observed or
// has an observed descendant, which is a descendant of v too: the ball could have turned at v.
type ball struct {
	g     *Graph
	given []bool
	opens []bool // observed, or with an observed descendant
	from  []int  // by 2*variable + direction: the previous pair; start or unseen
	queue []int

	passed map[*Factor]bool // potentials whose variables were all visited
}

// The directions of arrival. Edges of a Markov network have no direction and count as fromChild.
const (
	fromChild  = 0
	fromParent = 1
)

const (
	unseen = -1
	start  = -2
)

// roll searches from some variables, breadth first, until it reaches b, or everything if that is
// negative.
func (s *ball) roll(from []VarID, b VarID) []VarID {
	for _, a := range from {
		s.from[2*a+fromChild] = start
		s.queue = append(s.queue, int(2*a+fromChild))
	}
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

// visit records that the ball may go from the pair at to each of vars.
func (s *ball) visit(at int, vars []VarID, direction int) {
	for _, v := range vars {
		if next := 2*int(v) + direction; s.from[next] == unseen {
			s.from[next] = at
			s.queue = append(s.queue, next)
		}
	}
}

// trail returns the variables on the way to a pair.
func (s *ball) trail(at int) []VarID {
	var out []VarID
	for ; at != start; at = s.from[at] {
		out = append(out, VarID(at/2))
	}
	slices.Reverse(out)
	return out
}
