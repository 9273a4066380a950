package assemble

import (
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/price"
)

// Node is a node of a circuit: the element that it sets, and its terms. A term is one element, the
// second being negative, or the product of two; all terms of a node are of one kind.
type Node struct {
	Set   int
	Terms [][2]int32
}

// sums writes runs of nodes with equally many terms, as runtime/tape_sums.go has them.
func (a *Assembler) sums(s *ir.Sums) {
	if s.Max {
		start := a.begin(tapeMaxima)
		a.runs(a.nodes(s))
		a.end(start)
		return
	}
	start := a.begin(tapeSums)
	a.runsAndGroups(a.nodes(s))
	a.end(start)
}

// runsAndGroups writes nodes in runs of groups as far as possible, and else in runs of single
// nodes.
func (a *Assembler) runsAndGroups(nodes []Node) {
	from := 0 // the first node that is not written
	for i := 0; i < len(nodes); {
		n := groupsAt(nodes[i:])
		if n < minGroups {
			i += max(1, 4*n)
			continue
		}
		a.runs(nodes[from:i])
		from = i + 4*n
		a.groups(nodes[i:from])
		i = from
	}
	a.runs(nodes[from:])
}

// runs writes nodes in runs of equally many terms.
func (a *Assembler) runs(nodes []Node) {
	for from := 0; from < len(nodes); {
		kind, to := nodes[from].kind(), from+1
		for to < len(nodes) && nodes[to].kind() == kind {
			to++
		}
		a.words(kind, to-from)
		for _, n := range nodes[from:to] {
			a.code.Words = n.append(a.code.Words, 1)
		}
		from = to
	}
}

// minGroups is the smallest number of groups that make a run: fewer save less time than a change of
// runs takes.
const minGroups = 2

// groupsAt returns the number of groups of four at the start of nodes that can be one run.
func groupsAt(nodes []Node) (n int) {
	kind := nodes[0].kind()
	for ; len(nodes) >= 4 && isGroup(nodes[:4], kind); nodes = nodes[4:] {
		n++
	}
	return n
}

// isGroup reports whether nodes are of one kind, set consecutive elements, and can be computed at
// one time: none reads what an earlier one sets.
func isGroup(nodes []Node, kind int) bool {
	first := nodes[0].Set
	for i := range nodes {
		n := &nodes[i]
		if n.Set != first+i || n.kind() != kind {
			return false
		}
		for _, t := range n.Terms {
			for _, x := range t {
				if first <= int(x) && int(x) < n.Set {
					return false
				}
			}
		}
	}
	return true
}

// groups writes a run of groups of four nodes, all of one kind.
func (a *Assembler) groups(nodes []Node) {
	a.words(nodes[0].kind(), -len(nodes)/4)
	for ; len(nodes) > 0; nodes = nodes[4:] {
		a.words(nodes[0].Set)
		for t, term := range nodes[0].Terms {
			for side, x := range term {
				for k := range 4 {
					if x >= 0 {
						a.code.Words = append(a.code.Words, nodes[k].Terms[t][side])
					}
				}
			}
		}
	}
}

// nodes returns the nodes of s by offsets in work memory.
func (a *Assembler) nodes(s *ir.Sums) []Node {
	places := s.Places(a.program)
	offsets := map[ir.SpanID]int{}
	for _, p := range places {
		if id := s.SpanAt(p.Span); p.At == 0 {
			offsets[id] = a.copyAt(id)
		}
	}
	at := func(e int32) int32 {
		if e < 0 {
			return -1
		}
		return int32(offsets[s.SpanAt(places[e].Span)] + places[e].At)
	}
	nodes := make([]Node, len(s.Set))
	for i, e := range s.Set {
		nodes[i] = Node{int(at(e)), make([][2]int32, s.First[i+1]-s.First[i])}
		for k, t := range s.Terms[s.First[i]:s.First[i+1]] {
			nodes[i].Terms[k] = [2]int32{at(t[0]), at(t[1])}
		}
	}
	return nodes
}

// kind returns the number of terms, negative if they are single elements.
func (n *Node) kind() int {
	if n.Terms[0][1] < 0 {
		return -len(n.Terms)
	}
	return len(n.Terms)
}

// append appends the elements of n, each times scale.
func (n *Node) append(code []int32, scale int) []int32 {
	code = append(code, int32(n.Set*scale))
	for _, t := range n.Terms {
		code = append(code, t[0]*int32(scale))
		if t[1] >= 0 {
			code = append(code, t[1]*int32(scale))
		}
	}
	return code
}

func sumsPrice(_ *ir.Program, s *ir.Sums) Price {
	grouped := 0
	if !s.Max {
		grouped = groupedTerms(s)
	}
	ns := float64(price.Step.Term*float64(len(s.Terms)-grouped)) + float64(price.Step.GroupTerm*float64(grouped))
	return Price{NS: ns, Ops: s.Ops()}
}

// groupedTerms returns the number of terms of nodes that the tape can compute in groups, as far as
// that can be seen before places are known.
func groupedTerms(s *ir.Sums) (terms int) {
	for i := 0; i+4 <= len(s.Set); i++ {
		n := s.First[i+1] - s.First[i]
		same := s.Set[i+3] == s.Set[i]+3
		for k := i + 1; k < i+4; k++ {
			same = same && s.First[k+1]-s.First[k] == n && (s.Terms[s.First[k]][1] < 0) == (s.Terms[s.First[i]][1] < 0)
		}
		if same {
			terms += int(4 * n)
			i += 3
		}
	}
	return terms
}
