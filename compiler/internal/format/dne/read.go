package dne

import (
	"strconv"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/cpt"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/text"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/tokens"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// parser reads all nodes and then makes variables and CPDs of them. It stops at the first error of
// syntax.
type parser struct {
	tokens.Parser
	opt   format.ReadOptions
	m     *model.Model
	nodes []*node
	first map[string]*node // by name

	title, comment string // of the network
	unnamed        int    // states without names that the file may still have
}

// node is a node as the file gives it.
type node struct {
	cpt.Table                // its name, parents and probs
	given          []string  // the keys of its lists so far
	marks          []mark    // the entries of probs that are no numbers
	function       []mark    // functable
	states         []string  // names
	titles         []string  // statetitles
	levels         []float64 // ascending or descending; may be infinite
	numbered       int       // numstates
	title, comment string
	index, cpd     int      // of the variable and the CPD in the model of a file that pgmc wrote
	kind           string   // "" is NATURE
	interval       bool     // discrete = FALSE
	equation       bool     // there is one
	row            int      // the length of the first innermost list of probs; 0 before it
	odd            int      // that of the first other one whose length differs, or 0
	oddPos         diag.Pos // of that one
}

// The kinds of nodes besides those of nature.
const (
	constant = "CONSTANT"
	decision = "DECISION"
	utility  = "UTILITY"
)

// mark is an entry that is a word: a state, "#k" or "@imposs". It stands before Values[at].
type mark struct {
	at int
	tokens.Token
}

func read(src *format.Source, opt format.ReadOptions) (*model.Model, diag.List) {
	p := &parser{
		Parser: tokens.New(src.Name, string(src.Data), true),
		opt:    opt.WithDefaults(),
		m:      &model.Model{Kind: model.Bayes, File: src.Name},
		first:  map[string]*node{},

		unnamed: model.MaxStates + len(src.Data),
	}
	if !p.network() {
		return nil, p.List
	}
	p.model()
	return p.m, p.List
}

// network reads the whole file, a bnet block.
func (p *parser) network() bool {
	if !p.Keyword("bnet") {
		return false
	}
	name, ok := p.Name("the name of the network")
	if !ok || !p.Punct("{") {
		return false
	}
	p.m.Name = name.Text
	for p.Tok.Kind == tokens.Word {
		key := p.Tok.Text
		p.Advance()
		switch key {
		case "node":
			ok = p.node()
		case "title":
			ok = p.text(&p.title)
		case "comment":
			ok = p.text(&p.comment)
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
	return p.Tok.Kind == tokens.End || p.Fail("the end of the file")
}

// node reads `NAME { fields };`, after the word "node".
func (p *parser) node() bool {
	name, ok := p.Name("the name of a node")
	if !ok {
		return false
	}
	n := &node{}
	n.Pos = p.Pos(name.Off)
	n.Child = cpt.Name{Text: name.Text, Pos: n.Pos}
	n.End = n.Pos
	if first := p.first[name.Text]; first != nil {
		p.Errorf(n.Pos, "node %s is declared twice; first at %v", text.Quote(name.Text), first.Pos)
		return false
	}
	p.first[name.Text] = n
	p.nodes = append(p.nodes, n)
	if !p.Punct("{") {
		return false
	}
	for p.Tok.Kind == tokens.Word {
		key := p.Tok
		p.Advance()
		if !p.field(n, key) {
			return false
		}
	}
	if !p.Punct("}") {
		return false
	}
	p.Optional(';')
	return true
}

// field reads the value of a field and the semicolon after it.
func (p *parser) field(n *node, key tokens.Token) bool {
	switch key.Text {
	case "kind", "discrete", "numstates", "evidence", "delays":
		return p.setting(n, key)
	case "equation":
		n.equation = true
	case "title":
		return p.text(&n.title)
	case "comment":
		return p.text(&n.comment)
	case "states", "statetitles", "levels", "parents", "probs", "functable":
		for _, given := range n.given {
			if given == key.Text {
				p.Errorf(p.Pos(key.Off), "node %s has a second field %s; want one", text.Quote(n.Child.Text), key.Text)
				return false
			}
		}
		n.given = append(n.given, key.Text)
		return p.Punct("=") && p.list(n, key.Text) && p.Punct(";")
	}
	return p.SkipField()
}

// text reads `= "text";`, of which a string that begins with no quote is skipped.
func (p *parser) text(to *string) bool {
	if !p.Punct("=") {
		return false
	}
	if p.Tok.Kind == tokens.Quoted {
		*to = unescape(p.Tok.Text)
	}
	return p.SkipField()
}

// setting reads a field whose value is one word.
func (p *parser) setting(n *node, key tokens.Token) bool {
	name := text.Quote(n.Child.Text)
	if !p.Punct("=") {
		return false
	}
	value := p.Tok
	switch key.Text {
	case "kind":
		if n.kind = value.Text; !value.Is("NATURE", constant, decision, utility) {
			p.Errorf(p.Pos(value.Off), "node %s is of the kind %v; want NATURE, DECISION, UTILITY or CONSTANT", name, value)
		}
	case "discrete":
		n.interval = value.Is("FALSE")
	case "numstates":
		count, err := strconv.ParseUint(value.Text, 10, 31)
		if err != nil || count > model.MaxStates {
			return p.Fail("a number of states up to " + strconv.Itoa(model.MaxStates))
		}
		n.numbered = int(count)
		if p.unnamed -= n.numbered; p.unnamed < 0 {
			return p.Fail("fewer states without names in a file of this size")
		}
	case "evidence":
		p.Warnf(p.Pos(value.Off), "the finding %v of %s is not part of the model; give it as evidence", value, name)
	case "delays":
		p.Errorf(p.Pos(key.Off), "node %s has delays; want a network without time: expand it in Netica", name)
	}
	return p.SkipField()
}
