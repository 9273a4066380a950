package net

import (
	"fmt"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/cpt"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/text"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// parser reads the blocks and then builds the factors, because a potential may precede the nodes
// that it names.
type parser struct {
	lexer
	diag.List
	opt        format.ReadOptions
	tok        token // the current token
	m          *model.Model
	byName     map[string]model.VarID // by the identifier of the node
	utilities  []cpt.Name
	decisions  []cpt.Name
	potentials []*potential
	temporals  []temporal
	headed     bool // there was a net or a class
	inClass    bool // the class is still open
}

func read(src *format.Source, opt format.ReadOptions) (*model.Model, diag.List) {
	p := &parser{
		opt:    opt.WithDefaults(),
		lexer:  newLexer(src.Name, string(src.Data)),
		m:      &model.Model{Kind: model.Bayes, File: src.Name},
		byName: map[string]model.VarID{},
	}
	p.blocks()
	p.domains()
	if p.HasErrors() {
		return nil, p.List // the potentials would only repeat that a node is missing
	}
	file := cpt.File{Model: p.m, Names: p.byName, Pos: p.pos, ReadOptions: p.opt, List: &p.List}
	for _, q := range p.potentials {
		child, known := p.byName[q.Child.Text]
		_, utility := p.utility(q.Child.Text)
		switch {
		case known && p.m.Vars[child].Given:
			file.Decision(&q.Table)
		case !q.data:
			p.Errorf(q.Pos, "potential of %s has no data; want data = (...)", text.Quote(q.Child.Text))
		case utility:
			p.gain(&file, q)
		case known && p.m.IsReal(child):
			p.gaussian(&file, q)
		case q.normals != nil:
			p.Errorf(p.pos(q.normals[0].off), "found a normal distribution for %s; want numbers, since it has states", text.Quote(q.Child.Text))
		case p.discreteParents(q):
			f, ok := file.Factor(&q.Table)
			if ok && p.nested(q, f.Scope, "numbers") {
				p.scale(f)
				p.m.Factors = append(p.m.Factors, f)
			}
		}
	}
	p.withoutPotential(&file)
	p.transition()
	return p.m, p.List
}

// advance steps to the next token.
func (p *parser) advance() { p.tok = p.next() }

// here returns the position of the current token.
func (p *parser) here() diag.Pos { return p.pos(p.tok.off) }

// fail reports the current token, or its fault. It returns false.
func (p *parser) fail(want string) bool {
	if p.tok.kind == bad {
		p.Errorf(p.here(), "%s", p.tok.text)
	} else {
		p.Errorf(p.here(), "found %s; want %s", p.tok.describe(), want)
	}
	return false
}

// punct consumes the given punctuation.
func (p *parser) punct(k kind) bool {
	if p.tok.kind != k {
		return p.fail(text.Quote(string(rune(k))))
	}
	p.advance()
	return true
}

// atBlock reports whether a block starts here.
func (p *parser) atBlock() bool {
	return p.tok.is("net", "class", "potential", "instance", "temporal") || p.atNode()
}

// atNode reports whether the block of a node, of any kind, starts here.
func (p *parser) atNode() bool {
	return p.tok.is("node", "discrete", "continuous", "decision", "utility", "function")
}

// blocks reads the file. After an error it continues at the next block.
func (p *parser) blocks() {
	p.advance()
	for p.tok.kind != end && !p.Full() {
		from := p.tok.off
		if !p.block() {
			for p.tok.kind != end && !(p.tok.fresh && p.atBlock() && p.tok.off > from) {
				p.advance()
			}
		}
	}
	switch {
	case p.HasErrors():
	case !p.headed:
		p.fail(`"net" or "class"`)
	case p.inClass:
		p.fail(`a block or "}", the end of the class`)
	}
}

func (p *parser) block() bool {
	switch {
	case p.tok.is("net"):
		return p.head() && p.attributes(p.networkAttribute)
	case p.tok.is("class"):
		return p.class()
	case p.tok.is("potential"):
		return p.potential()
	case p.atNode():
		return p.node()
	case p.tok.is("temporal"):
		return p.temporalNode()
	case p.tok.is("instance"):
		p.advance()
		return p.fail("nodes, and no instance of a class")
	case p.inClass && p.tok.kind == '}':
		p.inClass = false
		p.advance()
		return true
	case p.inClass && p.tok.kind == word:
		return p.attribute(p.networkAttribute)
	}
	return p.fail(`"net", "class", "node" or "potential"`)
}

// head consumes the word that starts a net or a class. There is one in a file.
func (p *parser) head() bool {
	if p.headed {
		return p.fail("one net or class only")
	}
	p.headed = true
	p.advance()
	return true
}

// class reads `class NAME {`. A class contains blocks and attributes.
func (p *parser) class() bool {
	if !p.head() {
		return false
	}
	if p.tok.kind != word {
		return p.fail("the name of the class")
	}
	p.m.Name = strings.Clone(p.tok.text)
	p.advance()
	if !p.punct('{') {
		return false
	}
	p.inClass = true
	return true
}

// networkAttribute reads the value of an attribute of a net or class. It keeps the name, which
// aGrUM and pgmpy use too.
func (p *parser) networkAttribute(key token) bool {
	if key.text != "name" {
		return p.skip()
	}
	name, ok := p.name("the name of the network", word, quoted)
	p.m.Name = name
	return ok
}

// attributes reads `{ key = value; ... }`.
func (p *parser) attributes(value func(key token) bool) bool {
	if !p.punct('{') {
		return false
	}
	for p.tok.kind != '}' {
		if p.tok.kind != word {
			return p.fail(`an attribute or "}"`)
		}
		if !p.attribute(value) {
			return false
		}
	}
	p.advance()
	return true
}

// attribute reads `key = value;`.
func (p *parser) attribute(value func(key token) bool) bool {
	key := p.tok
	p.advance()
	return p.punct('=') && value(key) && p.punct(';')
}

// skip skips a value that is not used, up to its ";".
func (p *parser) skip() bool {
	depth := 0
	for ; p.tok.kind != ';'; p.advance() {
		switch p.tok.kind {
		case '(':
			depth++
		case ')':
			depth--
		case '{', '}', end, bad:
			return p.fail(`";"`)
		}
	}
	if depth != 0 {
		return p.fail("as many closing brackets as opening ones")
	}
	return true
}

// name consumes a token of one of the given kinds, a word or a string, and returns its meaning.
func (p *parser) name(want string, kinds ...kind) (name string, ok bool) {
	for _, k := range kinds {
		ok = ok || p.tok.kind == k
	}
	if !ok {
		return "", p.fail(want)
	}
	if p.tok.kind == word {
		name = strings.Clone(p.tok.text)
		p.advance()
		return name, true
	}
	name, at := unescape(p.tok.text)
	if at >= 0 {
		p.Errorf(p.pos(p.tok.off+1+at), `found an unknown escape in a string; want \", \\, \n, \t or \r`)
		return "", false
	}
	p.advance()
	return name, true
}

// list reads `( values )` of words and strings.
func (p *parser) list(want string) (values []string, ok bool) {
	if !p.punct('(') {
		return nil, false
	}
	for p.tok.kind != ')' {
		s, ok := p.name(want+` or ")"`, word, quoted)
		if !ok {
			return nil, false
		}
		values = append(values, s)
	}
	p.advance()
	return values, true
}

// quoteList quotes names from the file for a message and shortens a long list.
func quoteList(names []cpt.Name) string {
	const most = 4
	var out []string
	for _, n := range names[:min(most, len(names))] {
		out = append(out, text.Quote(n.Text))
	}
	if len(names) > most {
		out = append(out, fmt.Sprintf("and %d more", len(names)-most))
	}
	return strings.Join(out, ", ")
}
