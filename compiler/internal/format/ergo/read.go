package ergo

import (
	"strings"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/numbers"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// parser reads a file section by section.
type parser struct {
	*numbers.Reader
	opt     format.ReadOptions
	m       *model.Model
	section string // the text of the last comment, such as "Names"
}

func read(src *format.Source, opt format.ReadOptions) (*model.Model, diag.List) {
	p := &parser{
		Reader: numbers.New(src, numbers.Block),
		opt:    opt.WithDefaults(),
		m:      &model.Model{Kind: model.Bayes, File: src.Name},
	}
	p.OnComment = func(_ diag.Pos, text string) { p.section = strings.TrimSpace(text) }
	p.Next()
	if !p.Variables(p.m) || !p.parents() || !p.tables() || !p.names() {
		return nil, p.List
	}
	p.Done()
	if p.HasErrors() {
		return nil, p.List
	}
	numbers.KeepCPDs(p.m, &p.List)
	return p.m, p.List
}

// parents reads the scopes.
func (p *parser) parents() bool {
	last := make([]int, len(p.m.Vars)) // by variable v: 1 + the last variable with v in its scope
	for i := range p.m.Vars {
		at := p.Word
		last[i] = i + 1
		n, ok := p.Int(0, len(p.m.Vars)-1, "the number of parents of a variable")
		if !ok || !p.Claim(at, n, "parents") {
			return false
		}
		f := &model.Factor{Scope: make([]model.VarID, n+1), Child: n, Pos: p.PosOf(at)}
		f.Scope[n] = model.VarID(i)
		if !p.Scope(f.Scope[:n], last, "variable", i) {
			return false
		}
		p.m.Factors = append(p.m.Factors, f)
	}
	return true
}

// tables reads the CPDs.
func (p *parser) tables() bool {
	number := func() (numbers.Wide, bool) { return p.Potential("a number") }
	for i, f := range p.m.Factors {
		if !p.Table(p.m, f, "variable", i, p.opt.MaxEntries, number) {
			return false
		}
	}
	return true
}

// names reads the sections that name variables and states, if there are any.
func (p *parser) names() bool {
	for !p.AtEnd() {
		var ok bool
		switch {
		case strings.EqualFold(p.section, "names"):
			ok = p.variableNames()
		case strings.EqualFold(p.section, "labels"):
			ok = p.stateNames()
		default:
			return p.Fail("/* Names */, /* Labels */ or end of file")
		}
		if !ok {
			return false
		}
	}
	return true
}

// variableNames reads one word for each variable. [model.Model.Check] reports duplicates.
func (p *parser) variableNames() bool {
	for _, v := range p.m.Vars {
		if p.AtEnd() {
			return p.Fail("the name of a variable")
		}
		v.Name = strings.Clone(p.Text)
		v.Pos = p.Pos()
		p.Next()
	}
	return p.sectionEnds("names")
}

// stateNames reads one word for each state.
func (p *parser) stateNames() bool {
	for _, v := range p.m.Vars {
		names := make([]string, 0, min(p.m.Card(v.ID), p.Size()))
		for range p.m.Card(v.ID) {
			if p.AtEnd() {
				return p.Fail("the label of a state")
			}
			names = append(names, strings.Clone(p.Text))
			p.Next()
		}
		v.Domain = model.Discrete{States: names}
	}
	return p.sectionEnds("labels")
}

// sectionEnds consumes the end of a section with names. Another such section or the end of the file
// must follow.
func (p *parser) sectionEnds(section string) bool {
	if !p.AtEnd() && strings.EqualFold(p.section, section) {
		return p.Fail("end of file or another part")
	}
	return true
}
