package bif

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/text"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// parser reads a file in two passes: first the variables, then the probability blocks, which may
// precede the variables that they name.
type parser struct {
	lexer
	diag.List
	opt       format.ReadOptions
	tok       token // the current token
	m         *model.Model
	byName    map[string]model.VarID
	states    []map[string]int32              // by VarID
	second    map[model.VarID]map[int32]int32 // second[v][i] is the second state with the name of state i
	blocks    []lexer                         // the lexer before the word "probability" of each block
	named     bool                            // there was a network block
	max       bool                            // some block has "property function max"
	factor    map[model.VarID]int             // index in m.Factors, by child
	mentioned map[model.VarID]bool            // in the header of a probability block
	filled    int                             // numbers that default rows have claimed so far; see [parser.afford]
}

func read(src *format.Source, opt format.ReadOptions) (*model.Model, diag.List) {
	p := &parser{
		lexer:     newLexer(src.Name, string(src.Data)),
		opt:       opt.WithDefaults(),
		m:         &model.Model{Kind: model.Bayes, File: src.Name},
		byName:    map[string]model.VarID{},
		second:    map[model.VarID]map[int32]int32{},
		factor:    map[model.VarID]int{},
		mentioned: map[model.VarID]bool{},
	}
	p.variables()
	if p.HasErrors() {
		return nil, p.List // the probability blocks would only repeat that a variable is missing
	}
	for _, at := range p.blocks {
		p.lexer = at
		p.advance()
		p.probability()
		if p.Full() {
			break
		}
	}
	if !p.HasErrors() {
		p.unmentioned()
	}
	return p.m, p.List
}

// advance steps to the next token.
func (p *parser) advance() { p.tok = p.next() }

// fail reports the current token, or its fault. It returns false.
func (p *parser) fail(want string) bool {
	if p.tok.kind == bad {
		p.Errorf(p.tok.pos, "%s", p.tok.text)
	} else {
		p.Errorf(p.tok.pos, "found %s; want %s", p.tok.describe(), want)
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

// keyword consumes the given word.
func (p *parser) keyword(s string) bool {
	if !p.tok.is(s) {
		return p.fail(text.Quote(s))
	}
	p.advance()
	return true
}

// atName reports whether the current token can be a name.
func (p *parser) atName() bool { return p.tok.kind == word || p.tok.kind == quoted }

// variables runs the first pass. After an error it continues at the next block.
func (p *parser) variables() {
	p.advance()
	for p.tok.kind != end && !p.Full() {
		if !p.block() {
			for p.tok.kind != end && !(p.tok.fresh && p.atBlock()) {
				p.advance()
			}
		}
	}
	if !p.named && !p.HasErrors() {
		p.Errorf(p.tok.pos, `found no network block; want "network"`)
	}
}

func (p *parser) atBlock() bool {
	return p.tok.is("network") || p.tok.is("variable") || p.tok.is("probability")
}

// block reads a network or variable block, or skips a probability block.
func (p *parser) block() bool {
	switch {
	case p.tok.is("network"):
		return p.network()
	case p.tok.is("variable"):
		return p.variable()
	case p.tok.is("probability"):
		p.skipProbability()
		return true
	}
	return p.fail(`"network", "variable" or "probability"`)
}

// skipProbability records the start of a probability block and skips the block. The second pass
// reports errors in it.
func (p *parser) skipProbability() {
	at := p.lexer
	at.off -= len(p.tok.text)
	p.blocks = append(p.blocks, at)
	for p.tok.kind != '{' && p.tok.kind != end {
		p.advance()
	}
	p.advance()
	for p.tok.kind != '}' && p.tok.kind != end {
		if p.tok.is("property") {
			p.property()
			p.advance()
			continue
		}
		for p.tok.kind != ';' && p.tok.kind != '}' && p.tok.kind != end {
			p.advance()
		}
		if p.tok.kind == ';' {
			p.advance()
		}
	}
	p.advance()
}

// network reads `network NAME { properties }`.
func (p *parser) network() bool {
	pos := p.tok.pos
	p.advance()
	if p.named {
		p.Errorf(pos, "found a second network block; want one")
		return false
	}
	p.named = true
	if !p.atName() {
		return p.fail("the name of the network")
	}
	p.m.Name = strings.Clone(p.tok.text)
	p.advance()
	if !p.punct('{') {
		return false
	}
	for p.tok.is("property") {
		p.property()
		p.advance()
	}
	if p.tok.kind != '}' {
		return p.fail(`"property" or "}"`)
	}
	p.advance()
	return true
}

// variable reads `variable NAME { type discrete [ n ] { states }; properties }`.
func (p *parser) variable() bool {
	p.advance()
	if !p.atName() {
		return p.fail("the name of the variable")
	}
	name := p.tok
	p.advance()
	if !p.punct('{') {
		return false
	}
	var states []string
	var twins []twin
	typed, latent := false, false
	for p.tok.kind != '}' {
		switch {
		case p.tok.is("property"):
			key, value := setting(p.property())
			latent = latent || key == "latent" && value == "true"
			p.advance()
		case p.tok.is("type") && !typed:
			typed = true
			var ok bool
			if states, twins, ok = p.domain(name.text); !ok {
				return false
			}
		case typed:
			return p.fail(`"property" or "}"`)
		default:
			return p.fail(`"type", "property" or "}"`)
		}
	}
	if !typed {
		return p.fail(fmt.Sprintf("the type of %s", text.Quote(name.text)))
	}
	p.advance()
	p.declare(name, states, twins, latent)
	return true
}

// domain reads `type discrete [ n ] { states };`.
func (p *parser) domain(name string) (states []string, twins []twin, ok bool) {
	p.advance()
	if !p.keyword("discrete") || !p.punct('[') {
		return nil, nil, false
	}
	claim, err := strconv.Atoi(p.tok.text)
	if p.tok.kind != word || err != nil || claim < 0 {
		return nil, nil, p.fail("the number of states")
	}
	pos := p.tok.pos
	p.advance()
	if !p.punct(']') || !p.punct('{') {
		return nil, nil, false
	}
	states, twins = p.stateNames(name)
	if p.tok.kind != '}' {
		return nil, nil, p.fail(`a state or "}"`)
	}
	p.advance()
	if p.tok.kind == ';' {
		p.advance()
	}
	if len(states) == 0 {
		p.Errorf(pos, "variable %s has no states; want at least one", text.Quote(name))
	} else if len(states) != claim {
		p.Errorf(pos, "variable %s declares %d states; its list has %d", text.Quote(name), claim, len(states))
	}
	return states, twins, true
}

// stateNames reads the names of the states. If two may be equal, it renames the second.
func (p *parser) stateNames(variable string) (states []string, twins []twin) {
	seen, paired := map[string]int32{}, map[string]bool{}
	for ; p.atName(); p.advance() {
		name := strings.Clone(p.tok.text)
		first, dup := seen[name]
		switch {
		case !dup:
			seen[name] = int32(len(states))
		case paired[name]:
			p.Errorf(p.tok.pos, "variable %s has more than two states called %s", text.Quote(variable), text.Quote(name))
		case !isTwin(name):
			p.Errorf(p.tok.pos, "variable %s has two states called %s", text.Quote(variable), text.Quote(name))
		default:
			paired[name] = true
			twins = append(twins, twin{first: first, second: int32(len(states)), pos: p.tok.pos})
		}
		states = append(states, name)
	}
	p.rename(variable, states, twins)
	return states, twins
}

// declare adds a variable. If two have the same name, lookups find the first, and model.Check
// reports both.
func (p *parser) declare(name token, states []string, twins []twin, latent bool) {
	v := p.m.NewVar(strings.Clone(name.text), states...)
	v.Pos, v.Latent = name.pos, latent
	if _, dup := p.byName[v.Name]; !dup {
		p.byName[v.Name] = v.ID
	}
	index := make(map[string]int32, len(states))
	for i, s := range slices.Backward(states) { // the first of equal names wins
		index[s] = int32(i)
	}
	p.states = append(p.states, index)
	for _, t := range twins {
		if p.second[v.ID] == nil {
			p.second[v.ID] = map[int32]int32{}
		}
		p.second[v.ID][t.first] = t.second
	}
}

// setting splits the text of a property, such as `function = "max"`, into a key and a value.
func setting(text string) (key, value string) {
	for _, mark := range []string{"//", "/*"} {
		text, _, _ = strings.Cut(text, mark)
	}
	text = strings.TrimSpace(text)
	if n := strings.IndexAny(text, "= \t\n\""); n >= 0 {
		return text[:n], strings.Trim(text[n:], "=\" \t\r\n")
	}
	return text, ""
}
