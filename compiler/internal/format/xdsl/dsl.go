package xdsl

import (
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/cpt"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/text"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/tokens"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// dsl reads the text of DSL into the nodes of a parser. It stops at the first error of syntax.
type dsl struct {
	tokens.Parser
	to *parser
}

func readDSL(src *format.Source, opt format.ReadOptions) (*model.Model, diag.List) {
	p := &dsl{tokens.New(src.Name, string(src.Data), true), newParser(src, opt)}
	p.to.List, p.to.Pos = &p.List, p.Pos
	p.network()
	return p.to.model()
}

// network reads the whole file, a net block. Nodes may be in submodels.
func (p *dsl) network() bool {
	if !p.Keyword("net") {
		return false
	}
	name, ok := p.Name("the name of the network")
	if !ok || !p.Punct("{") {
		return false
	}
	p.to.Model.Name = name.Text
	for depth := 1; depth > 0; {
		key := p.Tok
		switch {
		case p.Optional('}'):
			p.Optional(';')
			depth--
			continue
		case key.Kind != tokens.Word:
			return p.Fail(`a node, a field or "}"`)
		}
		p.Advance()
		switch strings.ToLower(key.Text) {
		case "node":
			ok = p.node()
		case "submodel":
			_, ok = p.Name("the name of the submodel")
			ok = ok && p.Punct("{")
			depth++
		default:
			ok = p.SkipField()
		}
		if !ok {
			return false
		}
	}
	if p.Tok.Kind != tokens.End {
		return p.Fail("the end of the file")
	}
	if len(p.to.nodes) == 0 {
		return p.Fail("a network of one node at least")
	}
	return true
}

// kinds holds the kinds of nodes by their types in DSL.
var kinds = map[string]string{"CPT": "cpt", "TRUTHTABLE": "deterministic", "NOISY_MAX": "noisymax"}

// node reads `ID { fields };`, after the word "node".
func (p *dsl) node() bool {
	id, ok := p.Name("the id of a node")
	if !ok || !p.Punct("{") {
		return false
	}
	n := &node{name: id.Text}
	n.Pos = p.Pos(id.Off)
	n.Child = cpt.Name{Text: id.Text, Pos: n.Pos}
	for p.Tok.Kind == tokens.Word {
		key := p.Tok.Text
		p.Advance()
		switch key {
		case "TYPE":
			ok = p.kind(n)
		case "PARENTS":
			ok = p.once(n, "parents") && p.Punct("=") && p.list(func(t tokens.Token) bool {
				n.Parents = append(n.Parents, cpt.Name{Text: strings.Clone(t.Text), Pos: p.Pos(t.Off)})
				return true
			}) && p.Punct(";")
		case "DEFINITION":
			ok = p.definition(n)
		default:
			ok = p.SkipField()
		}
		if !ok {
			return false
		}
	}
	if !p.Punct("}") {
		return false
	}
	p.Optional(';')
	if n.kind == "" {
		p.Errorf(n.Pos, "node %s has no TYPE; want CPT, TRUTHTABLE or NOISY_MAX", text.Quote(n.name))
		return false
	}
	if i := slices.Index(n.given, "probabilities"); i >= 0 && n.kind == "noisymax" {
		n.given[i] = "parameters"
	}
	p.to.add(n)
	return true
}

// kind reads `= TYPE;`.
func (p *dsl) kind(n *node) bool {
	if !p.Punct("=") {
		return false
	}
	if n.kind = kinds[p.Tok.Text]; n.kind == "" {
		p.Errorf(p.Pos(p.Tok.Off), "node %s is of the type %v; want CPT, TRUTHTABLE or NOISY_MAX", text.Quote(n.name), p.Tok)
		return false
	}
	return p.SkipField()
}

// once checks that a node has no list of the given name yet.
func (p *dsl) once(n *node, list string) bool {
	if slices.Contains(n.given, list) {
		return p.Fail("one list of " + list)
	}
	n.given = append(n.given, list)
	return true
}

// definition reads `= { lists };`.
func (p *dsl) definition(n *node) bool {
	if !p.Punct("={") {
		return false
	}
	for p.Tok.Kind == tokens.Word {
		key := p.Tok.Text
		p.Advance()
		ok := true
		switch key {
		case "NAMESTATES":
			ok = p.once(n, "states") && p.Punct("=") && p.list(func(t tokens.Token) bool {
				n.states = append(n.states, strings.Clone(t.Text))
				return true
			}) && p.Punct(";")
		case "PROBABILITIES":
			ok = p.numbers(n)
		case "RESULTINGSTATES", "STRENGTHS":
			ok = p.once(n, strings.ToLower(key)) && p.Punct("=") && p.list(func(t tokens.Token) bool {
				n.words = append(n.words, word{t.Text, t.Off})
				return p.to.bounded(len(n.words), t.Text, t.Off)
			}) && p.Punct(";")
		default:
			ok = p.SkipField()
		}
		if !ok {
			return false
		}
	}
	return p.Punct("};")
}

// numbers reads `= (numbers);`.
func (p *dsl) numbers(n *node) bool {
	ok := p.once(n, "probabilities") && p.Punct("=") && p.list(func(t tokens.Token) bool {
		x, err := text.Entry(t.Text)
		if err != nil {
			p.Errorf(p.Pos(t.Off), "found %v; want %v", t, err)
			return false
		}
		n.Values, n.Offsets = append(n.Values, x), append(n.Offsets, t.Off)
		return p.to.bounded(len(n.Values), t.Text, t.Off)
	})
	n.End, n.wordsEnd = p.Pos(p.Tok.Off), p.Tok.Off
	return ok && p.Punct(";")
}

// list reads `(a, b)` and calls entry for each element.
func (p *dsl) list(entry func(tokens.Token) bool) bool {
	if !p.Punct("(") {
		return false
	}
	for p.Tok.Kind != ')' {
		if p.Tok.Kind != tokens.Word && p.Tok.Kind != tokens.Quoted {
			return p.Fail("an entry of the list")
		}
		if !entry(p.Tok) {
			return false
		}
		p.Advance()
		if !p.Optional(',') && p.Tok.Kind != ')' {
			return p.Fail(`"," or ")"`)
		}
	}
	p.Advance()
	return true
}
