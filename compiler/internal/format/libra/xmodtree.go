package libra

import (
	"slices"

	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/text"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/xmltext"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// vertex is a node of a tree in XML. A leaf has probabilities.
type vertex struct {
	pos      diag.Pos
	axis     int
	branches []branch
	probs    []float64
}

type branch struct {
	states []int32
	to     *vertex
}

// decisionTree reads the elements that WinMine puts around a tree.
func (x *notebook) decisionTree(e xmltext.Element, s *scope, child model.VarID) (f *model.Factor, ok bool) {
	root, ok := x.Child(e)
	if !ok {
		if !x.Broken() {
			x.Errorf(e.Pos, "<%s> is empty; want a <Vertex> or a <Leaf>", e.Name)
		}
		return nil, false
	}
	if f, ok = x.treeFactor(root, s, child); !ok {
		return nil, false
	}
	if second, more := x.Child(e); more {
		x.Errorf(second.Pos, "found <%s> besides the root of the tree; want one root", second.Name)
		return nil, false
	}
	return f, !x.Broken()
}

// treeFactor returns the CPD of child from the tree with the root e.
func (x *notebook) treeFactor(e xmltext.Element, s *scope, child model.VarID) (*model.Factor, bool) {
	v := x.vertex(e, s, child)
	if v == nil {
		return nil, false
	}
	d := &model.Tree{}
	f := x.factor(s, child, d)
	v.flatten(x.m, s, d, f)
	return f, true
}

// vertex reads a <Vertex> or a <Leaf>. It returns nil after an error.
func (x *notebook) vertex(e xmltext.Element, s *scope, child model.VarID) *vertex {
	v := &vertex{pos: e.Pos}
	switch e.Name {
	case "Leaf":
		for {
			c, ok := x.Child(e)
			if !ok {
				break
			}
			if c.Name == "Multinomial" && v.probs == nil {
				if v.probs, ok = x.multinomial(c, child); !ok {
					return nil
				}
			}
		}
		if v.probs == nil && !x.Broken() {
			x.Errorf(e.Pos, "<Leaf> has no <Multinomial>; want one")
		}
		if v.probs == nil {
			return nil
		}
		return v
	case "Vertex":
		return x.split(e, v, s, child)
	}
	x.Errorf(e.Pos, "found <%s>; want <Vertex> or <Leaf>", e.Name)
	return nil
}

// split reads the branches of a vertex.
func (x *notebook) split(e xmltext.Element, v *vertex, s *scope, child model.VarID) *vertex {
	at, ok := x.ref(e, "split")
	if !ok {
		return nil
	}
	axis, known := s.axis[at]
	if !known {
		x.Errorf(e.Pos, "the tree of %s splits by %s; want one of its inputs", text.Quote(x.m.Vars[child].Name), text.Quote(x.m.Vars[at].Name))
		return nil
	}
	v.axis = axis
	card := x.m.Card(at)
	if !x.cells.Take(card) {
		x.Errorf(e.Pos, "the trees so far have more branches than a file of this size may declare")
		return nil
	}
	above := x.open[at]
	taken := make([]bool, card)
	for {
		c, ok := x.Child(e)
		if !ok {
			break
		}
		if c.Name != "Branch" {
			continue
		}
		b, ok := x.branch(c, at, taken, s, child)
		x.open[at] = above
		if !ok {
			return nil
		}
		v.branches = append(v.branches, b)
	}
	if x.Broken() || !x.others(e, v, at, taken) {
		return nil
	}
	return v
}

// branch reads the states, by their indices, that lead into a <Branch>, and its content.
func (x *notebook) branch(e xmltext.Element, at model.VarID, taken []bool, s *scope, child model.VarID) (b branch, ok bool) {
	for {
		c, more := x.Child(e)
		if !more {
			break
		}
		if b.to != nil {
			x.Errorf(c.Pos, "found <%s> after what the <Branch> leads to; want nothing more", c.Name)
			return b, false
		}
		if c.Name != "Values" {
			x.open[at] = make([]bool, x.m.Card(at))
			for _, n := range b.states {
				x.open[at][n] = true
			}
			if b.to = x.vertex(c, s, child); b.to == nil {
				return b, false
			}
			continue
		}
		good := true
		_, clean := x.Words(c, func(w string, off int) bool {
			n, isState := x.state(w, at, off)
			if good = isState; !good {
				return false
			}
			if taken[n] {
				x.Errorf(x.Decoder.Pos(off), "state %d is in two branches; want one", n)
				good = false
				return false
			}
			taken[n] = true
			b.states = append(b.states, int32(n))
			return true
		})
		if !good || !clean {
			return b, false
		}
	}
	if b.to == nil && !x.Broken() {
		x.Errorf(e.Pos, "<Branch> leads nowhere; want a <Vertex> or a <Leaf>")
	}
	return b, b.to != nil
}

// others assigns the states without a branch to the last branch. The tests above must exclude them.
func (x *notebook) others(e xmltext.Element, v *vertex, at model.VarID, taken []bool) bool {
	if len(v.branches) == 0 {
		x.Errorf(e.Pos, "<Vertex> has no <Branch>; want some")
		return false
	}
	last := &v.branches[len(v.branches)-1]
	for n := range taken {
		if taken[n] {
			continue
		}
		if x.open[at] == nil || x.open[at][n] {
			x.Errorf(e.Pos, "no branch for state %d of %s; want each state in a branch", n, text.Quote(x.m.Vars[at].Name))
			return false
		}
		last.states = append(last.states, int32(n))
	}
	for _, b := range v.branches {
		if len(b.states) == 0 {
			x.Errorf(b.to.pos, "no state leads here; want <Values> before it")
			return false
		}
	}
	if b := v.branches; len(b) == 2 && len(b[1].states) == 1 && len(b[0].states) > 1 {
		slices.Reverse(b) // Libra writes one state, then all others
	}
	return true
}

// flatten appends v and all nodes below it to d.
func (v *vertex) flatten(m *model.Model, s *scope, d *model.Tree, f *model.Factor) {
	if v.probs != nil {
		d.Nodes = append(d.Nodes, model.TreeNode{Leaf: v.probs})
		f.RowPos = append(f.RowPos, v.pos)
		return
	}
	next := make([]int32, m.Card(s.vars[v.axis]))
	d.Nodes = append(d.Nodes, model.TreeNode{Axis: v.axis, Next: next})
	for _, b := range v.branches {
		for _, n := range b.states {
			next[n] = int32(len(d.Nodes))
		}
		b.to.flatten(m, s, d, f)
	}
}
