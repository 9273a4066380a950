package xdsl

import (
	"math"

	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/text"
	"github.com/pgmc-go/pgmc/ir/model"
)

// factor returns the CPD of a node.
func (p *parser) factor(n *node) (f *model.Factor, ok bool) {
	f, ok = p.Family(&n.Table)
	if !ok {
		return nil, false
	}
	if n.kind == "equation" {
		f.Dist, ok = p.gaussian(n, f)
		return f, ok
	}
	for i, v := range f.Scope[:f.Child] {
		if p.Model.IsReal(v) {
			p.List.Errorf(n.Parents[i].Pos, "found the equation %s as a parent of a discrete node; want discrete parents", text.Quote(n.Parents[i].Text))
			return nil, false
		}
	}
	switch n.kind {
	case "cpt":
		return p.Factor(&n.Table)
	case "noisymax":
		f.Dist, ok = p.noisyMax(n, f)
	default:
		f.Dist, ok = p.deterministic(n, f)
	}
	return f, ok
}

// deterministic looks up the states of a deterministic node.
func (p *parser) deterministic(n *node, f *model.Factor) (d *model.Deterministic, ok bool) {
	id := text.Quote(n.Child.Text)
	index := make(map[string]int32, len(n.states))
	for i, s := range n.states {
		if _, dup := index[s]; dup {
			p.List.Errorf(n.Pos, "node %s has two states with the id %s", id, text.Quote(s))
			return nil, false
		}
		index[s] = int32(i)
	}
	rows, fits := p.Model.TableSize(f.Parents())
	switch {
	case !fits || rows > p.MaxEntries:
		p.List.Errorf(n.Pos, "CPD of %s would have %.3g states; the limit is %d", id, math.Exp(p.Model.LogTableSize(f.Parents())), p.MaxEntries)
		return nil, false
	case !p.count(n, rows, "states", "one for each joint state of the parents"):
		return nil, false
	}
	d = &model.Deterministic{States: make([]int32, rows)}
	for i, w := range n.words {
		d.States[i], ok = index[w.text]
		if !ok {
			p.List.Errorf(p.Pos(w.off), "found %s; want a state of %s", text.Quote(w.text), id)
			return nil, false
		}
	}
	return d, true
}

// count checks the number of words in the list of a node.
func (p *parser) count(n *node, want int, what, why string) bool {
	const message = "found %d %s; want %d, %s"
	switch got := len(n.words); {
	case got > want:
		p.List.Errorf(p.Pos(n.words[want].off), message, got, what, want, why)
	case got < want:
		p.List.Errorf(p.Pos(n.wordsEnd), message, got, what, want, why)
	default:
		return true
	}
	return false
}
