package xdsl

import (
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/cpt"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/text"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/xmltext"
)

// node is a node as the file gives it.
type node struct {
	cpt.Table          // its id, parents and numbers
	kind      string   // the name of the element
	states    []string // their ids
	words     []word   // resultingstates or strengths
	wordsEnd  int      // offset of the end of the list
	given     []string // the names of the lists it has
	equation  equation // of an equation node

	name   string   // of the variable: the id or pgmc_name
	names  []string // of the states
	latent bool
	order  []int // indices of the variable and of the CPD; nil if not given
}

// word is a word in a list, with its offset.
type word struct {
	text string
	off  int
}

// lists holds the lists of each kind of node besides its states. All but strengths are required.
var lists = map[string][]string{
	"cpt":           {"probabilities"},
	"deterministic": {"resultingstates"},
	"noisymax":      {"parameters", "strengths"},
	"equation":      {},
	"decision":      {},
	"utility":       {"utilities"},
	"mau":           {"weights"},
}

// node reads a node. The names that it refers to are looked up later.
func (p *parser) node(element xmltext.Element) {
	n := &node{kind: element.Name}
	n.Pos = element.Pos
	n.Child.Pos = element.Pos
	n.Child.Text, _ = element.Attr("id")
	n.name = n.Child.Text
	id := text.Quote(n.name)
	for {
		e, ok := p.dec.Child(element)
		if !ok {
			break
		}
		switch {
		case is(e, "state"):
			p.state(n, e)
		case is(e, "property"):
			p.property(n, e)
		case is(e, "parents", "probabilities", "resultingstates", "strengths", "parameters", "utilities", "weights"):
			p.part(n, e)
		case is(e, "definition"):
			p.definition(n, e)
		}
	}
	if p.dec.Broken() {
		return
	}
	if _, dynamic := element.Attr("dynamic"); dynamic {
		p.List.Errorf(n.Pos, "node %s is of a dynamic network; want one without time: unroll it in GeNIe", id)
		return
	}
	p.add(n)
}

// add checks that a node is complete, and keeps it.
func (p *parser) add(n *node) {
	id := text.Quote(n.Child.Text)
	switch first := p.first[n.Child.Text]; {
	case n.Child.Text == "":
		p.List.Errorf(n.Pos, "found an element %s without an id; want one", n.kind)
		return
	case first != nil:
		p.List.Errorf(n.Pos, "node %s is declared twice; first at %v", id, first.Pos)
	case n.kind == "equation" && (n.states != nil || strings.TrimSpace(n.equation.text) == ""):
		p.List.Errorf(n.Pos, "equation %s has states or no definition; want a definition alone", id)
	case n.kind != "equation" && n.kind != "utility" && n.kind != "mau" && len(n.states) == 0:
		p.List.Errorf(n.Pos, "node %s has no state; want at least one", id)
	}
	for _, list := range lists[n.kind] {
		if list != "strengths" && !slices.Contains(n.given, list) {
			p.List.Errorf(n.Pos, "%s %s has no %s; want them", n.kind, id, list)
		}
	}
	switch {
	case n.names == nil:
		n.names = n.states
	case len(n.names) != len(n.states):
		p.List.Errorf(n.Pos, "node %s has %d states, but the property %s names %d; want as many", id, len(n.states), statesKey, len(n.names))
	}
	p.first[n.Child.Text] = n
	p.nodes = append(p.nodes, n)
}

// state reads the id of a state.
func (p *parser) state(n *node, e xmltext.Element) {
	id, _ := e.Attr("id")
	if id == "" {
		p.List.Errorf(e.Pos, "found a state of %s without an id; want one", text.Quote(n.Child.Text))
	}
	n.states = append(n.states, id)
}

// part reads a list of parents, numbers or words.
func (p *parser) part(n *node, e xmltext.Element) {
	switch {
	case e.Name != "parents" && !slices.Contains(lists[n.kind], e.Name):
		p.List.Errorf(e.Pos, "found %s in a %s; want %s", e.Name, n.kind, append(lists[n.kind], "definition")[0])
		return
	case slices.Contains(n.given, e.Name):
		p.List.Errorf(e.Pos, "found a second list of %s; want one", e.Name)
		return
	}
	n.given = append(n.given, e.Name)
	switch e.Name {
	case "parents":
		p.dec.Words(e, func(s string, off int) bool {
			n.Parents = append(n.Parents, cpt.Name{Text: s, Pos: p.Pos(off)})
			return true
		})
	case "probabilities", "parameters", "utilities", "weights":
		p.numbers(n, e)
	default:
		n.wordsEnd, _ = p.dec.Words(e, func(s string, off int) bool {
			n.words = append(n.words, word{s, off})
			return p.bounded(len(n.words), s, off)
		})
	}
}

// numbers reads the numbers of a table.
func (p *parser) numbers(n *node, e xmltext.Element) {
	end, _ := p.dec.Words(e, func(s string, off int) bool {
		x, err := text.Entry(s)
		if err != nil {
			p.List.Errorf(p.Pos(off), "found %s; want %v", text.Quote(s), err)
			return false
		}
		n.Values, n.Offsets = append(n.Values, x), append(n.Offsets, off)
		return p.bounded(len(n.Values), s, off)
	})
	n.End = p.Pos(end)
}

// bounded checks that a list with length entries up to s is within the limit.
func (p *parser) bounded(length int, s string, off int) bool {
	if length > p.MaxEntries {
		p.List.Errorf(p.Pos(off), "found %s; want a list of at most %d", text.Quote(s), p.MaxEntries)
		return false
	}
	return true
}
