package libra

import (
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/numbers"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// language is one of the three formats made of tables, features and trees.
type language struct {
	keyword string
	ext     string
	kind    model.Kind
}

var (
	mnLanguage = language{"MN", ".mn", model.Markov}
	bnLanguage = language{"BN", ".bn", model.Bayes}
	dnLanguage = language{"DN", ".dn", model.Dependency}
)

// read reads a file of the language. It reads a file that starts like XML as [XMOD].
func (g language) read(src *format.Source, opt format.ReadOptions) (*model.Model, diag.List) {
	if g.kind != model.Markov && looksLikeXML(src) {
		return g.readXML(src, opt)
	}
	p := &parser{
		lexer:  newLexer(src),
		opt:    opt.WithDefaults(),
		m:      &model.Model{Kind: g.kind, File: src.Name},
		budget: numbers.NewBudget(len(src.Data)),
		cells:  newCells(src),
	}
	if p.schema() && p.open(g) {
		p.body()
	}
	return p.m, p.List
}

// readXML reads an .xmod file under another name, as some of Libra's examples are. If it is called
// .bn, it is a Bayesian network unless it has a cycle.
func (g language) readXML(src *format.Source, opt format.ReadOptions) (*model.Model, diag.List) {
	m, list := readXMOD(src, opt)
	if g.kind == model.Dependency {
		m.Kind = g.kind
	}
	return m, list
}

type parser struct {
	lexer
	opt    format.ReadOptions
	m      *model.Model
	names  numbers.States
	budget *numbers.Budget // of states of variables
	cells  *numbers.Budget // of numbers in trees; one word may stand for many
	child  model.VarID     // owner of the current CPD; negative in a potential
	ended  bool            // warned that the file may be truncated
}

// schema reads the numbers of states, up to the first word that is not a number.
func (p *parser) schema() bool {
	for p.tok.kind == word && !p.tok.is("MN") && !p.tok.is("BN") && !p.tok.is("DN") {
		if !p.variable() {
			return false
		}
	}
	return true
}

// variable declares a variable with the current number of states.
func (p *parser) variable() bool {
	n, err := strconv.Atoi(p.tok.text)
	if err != nil || n < 1 || n > model.MaxStates {
		return p.fail("a number of states, from 1 to %d", model.MaxStates)
	}
	if !p.budget.Take(n) {
		p.Errorf(p.tok.pos, "the variables so far have more states than a file of this size may declare")
		return false
	}
	declare(p.m, p.names.Of(n), p.tok.pos)
	p.advance()
	return true
}

// declare adds a variable named by its number, because Libra has no names for variables.
func declare(m *model.Model, states []string, pos diag.Pos) {
	m.NewVar("v"+strconv.Itoa(len(m.Vars)), states...).Pos = pos
}

// open consumes `MN {`, or the equivalent of the language.
func (p *parser) open(g language) bool {
	if !p.tok.is(g.keyword) {
		if p.tok.is("MN") || p.tok.is("BN") || p.tok.is("DN") {
			return p.fail("%s in a %s file; name the file .%s", g.keyword, g.ext, strings.ToLower(p.tok.text))
		}
		return p.fail("the number of states of a variable, or %s", g.keyword)
	}
	p.advance()
	return p.punct('{')
}

// body reads the factors up to the last bracket.
func (p *parser) body() {
	for p.tok.kind != '}' && p.tok.kind != end && !p.Full() {
		ok := false
		if p.m.Kind == model.Markov {
			p.child = -1
			ok = p.potential()
		} else {
			ok = p.cpd()
		}
		if !ok {
			return
		}
	}
	if p.closing(); p.tok.kind != end {
		p.fail("end of file")
	}
}

// closing consumes the end of a list. Like Libra, it accepts the end of the file instead, but
// warns, because the file may be truncated.
func (p *parser) closing() {
	if p.tok.kind == end {
		if !p.ended {
			p.Warnf(p.tok.pos, `the file ends before "}"; is it complete?`)
		}
		p.ended = true
		return
	}
	p.advance()
}

// atBlock reports whether a table, features or tree block starts here.
func (p *parser) atBlock() bool { return p.tok.is("table") || p.tok.is("features") || p.tok.is("tree") }

// potential reads a block, or a line with one feature.
func (p *parser) potential() bool {
	pos := p.tok.pos
	if p.atBlock() {
		f, ok := p.block()
		if ok {
			p.m.Factors = append(p.m.Factors, f)
		}
		return ok
	}
	x, ok := p.feature()
	if ok {
		p.m.Factors = append(p.m.Factors, p.features([]feature{x}, pos))
	}
	return ok
}

// cpd reads `v3 { blocks }`, the distribution of a variable given those in the blocks.
func (p *parser) cpd() bool {
	pos := p.tok.pos
	v, ok := p.number(p.tok.text, "v", len(p.m.Vars))
	if p.tok.kind != word || !ok {
		return p.fail("a variable, v0 to v%d", len(p.m.Vars)-1)
	}
	p.child = model.VarID(v)
	p.advance()
	if !p.punct('{') {
		return false
	}
	var blocks []*model.Factor
	var bare []feature
	for p.tok.kind != '}' && p.tok.kind != end {
		if !p.atBlock() {
			x, ok := p.feature()
			if !ok {
				return false
			}
			bare = append(bare, x)
			continue
		}
		f, ok := p.block()
		if !ok {
			return false
		}
		blocks = append(blocks, f)
	}
	if len(bare) > 0 {
		blocks = append(blocks, p.features(bare, pos))
	}
	if len(blocks) != 1 {
		p.Errorf(pos, "the CPD of v%d has %d tables, trees and lists of features; want one", v, len(blocks))
		return false
	}
	blocks[0].Pos = pos
	p.m.Factors = append(p.m.Factors, blocks[0])
	p.closing()
	return true
}

// block reads a table, features or tree block.
func (p *parser) block() (*model.Factor, bool) {
	head := p.tok
	p.advance()
	if !p.punct('{') {
		return nil, false
	}
	if head.is("tree") {
		return p.treeBlock(head.pos)
	}
	var list []feature
	for p.tok.kind != '}' && p.tok.kind != end {
		x, ok := p.feature()
		if !ok {
			return nil, false
		}
		list = append(list, x)
	}
	p.closing()
	if head.is("table") {
		return p.table(list, head.pos)
	}
	return p.features(list, head.pos), true
}

// feature is a logarithm and the literals that must all hold for it to count.
type feature struct {
	pos      diag.Pos
	log      float64
	literals []literal
}

type literal struct {
	v     model.VarID
	state int32
	not   bool
}

// feature reads `0.5 +v0_1 -v2_0`. A number before the logarithm is an id and is ignored. Without
// literals a feature must end its line.
func (p *parser) feature() (x feature, ok bool) {
	x.pos = p.tok.pos
	first := p.tok
	if x.log, ok = parseLog(first.text); !ok || first.kind != word {
		return x, p.fail(`a logarithm, or "}"`)
	}
	p.advance()
	if p.tok.kind == word && !p.tok.fresh {
		if y, isLog := parseLog(p.tok.text); isLog {
			if _, err := strconv.Atoi(first.text); err != nil {
				return x, p.fail("a literal, as in +v0_1")
			}
			x.log = y
			p.advance()
		}
	}
	for p.tok.kind == word && strings.IndexAny(p.tok.text, "vV") == 1 {
		l, ok := p.literal()
		if !ok {
			return x, false
		}
		x.literals = append(x.literals, l)
	}
	if p.tok.kind == word && !p.tok.fresh {
		if _, isLog := parseLog(p.tok.text); !isLog || len(x.literals) == 0 {
			return x, p.fail("a literal, as in +v0_1")
		}
	}
	return x, true
}

// literal reads `+v0_1`, or `-v0_1` for any other state.
func (p *parser) literal() (l literal, ok bool) {
	sign := p.tok.text[0]
	l.v, l.state, ok = p.assignment(p.tok.text[1:])
	if l.not = sign == '-'; !ok || sign != '+' && sign != '-' {
		return l, p.fail("a literal, as in +v0_1, of v0 to v%d and a state of it", len(p.m.Vars)-1)
	}
	p.advance()
	return l, true
}

// assignment reads the text v0_1: a variable and a state.
func (p *parser) assignment(s string) (v model.VarID, state int32, ok bool) {
	name, value, _ := strings.Cut(s, "_")
	n, ok := p.number(name, "v", len(p.m.Vars))
	if !ok {
		return 0, 0, false
	}
	x, ok := p.number(value, "", p.m.Card(model.VarID(n)))
	return model.VarID(n), int32(x), ok
}

// number reads a number below limit after a prefix.
func (p *parser) number(s, prefix string, limit int) (n int, ok bool) {
	if len(s) < len(prefix) || !strings.EqualFold(s[:len(prefix)], prefix) {
		return 0, false
	}
	n, err := strconv.Atoi(s[len(prefix):])
	return n, err == nil && n >= 0 && n < limit && s[len(prefix)] != '+' && s[len(prefix)] != '-'
}

// scope assigns positions to variables in the order of the requests.
type scope struct {
	vars []model.VarID
	axis map[model.VarID]int
}

func (s *scope) of(v model.VarID) int {
	if s.axis == nil {
		s.axis = map[model.VarID]int{}
	}
	axis, ok := s.axis[v]
	if !ok {
		axis = len(s.vars)
		s.axis[v] = axis
		s.vars = append(s.vars, v)
	}
	return axis
}

// newFactor returns a factor over the variables of s. The child of a CPD must be the last.
func (p *parser) newFactor(s *scope, dist model.Dist, pos diag.Pos) *model.Factor {
	f := &model.Factor{Scope: s.vars, Child: -1, Dist: dist, Pos: pos}
	if p.child >= 0 {
		f.Child = len(s.vars) - 1
	}
	return f
}

// features returns the log-linear factor of a list, over the variables in order of appearance.
func (p *parser) features(list []feature, pos diag.Pos) *model.Factor {
	s := &scope{}
	for _, x := range list {
		for _, l := range x.literals {
			if l.v != p.child {
				s.of(l.v)
			}
		}
	}
	if p.child >= 0 {
		s.of(p.child)
	}
	d := &model.Features{List: make([]model.Feature, len(list))}
	f := p.newFactor(s, d, pos)
	for i, x := range list {
		d.List[i].Weight = x.log
		for _, l := range x.literals {
			d.List[i].Literals = append(d.List[i].Literals, model.Literal{Axis: s.of(l.v), State: l.state, Not: l.not})
		}
		f.RowPos = append(f.RowPos, x.pos)
	}
	return f
}
