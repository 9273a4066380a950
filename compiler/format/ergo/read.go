package ergo

import (
	"fmt"
	"math"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/format/internal/numbers"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// parser reads a file part by part.
type parser struct {
	*numbers.Reader
	opt     format.ReadOptions
	m       *model.Model
	section string // the last comment: "Names"
}

func read(src *format.Source, opt format.ReadOptions) (*model.Model, diag.List) {
	p := &parser{
		Reader: numbers.New(src, numbers.Block),
		opt:    opt.WithDefaults(),
		m:      &model.Model{Kind: model.Bayes, File: src.Name},
	}
	p.OnComment = func(_ diag.Pos, text string) { p.section = strings.TrimSpace(text) }
	p.Next()
	if !p.variables() || !p.parents() || !p.tables() || !p.names() {
		return nil, p.List
	}
	p.Done()
	if p.HasErrors() {
		return nil, p.List
	}
	numbers.KeepCPDs(p.m, &p.List)
	return p.m, p.List
}

// variables reads the numbers of states.
func (p *parser) variables() bool {
	at := p.Word
	n, ok := p.Int(0, math.MaxInt32, "the number of variables")
	if !ok || !p.Claim(at, n, "variables") {
		return false
	}
	var states numbers.States
	budget := numbers.NewBudget(p.Size())
	for i := range n {
		at := p.Word
		card, ok := p.Int(1, model.MaxStates, "the number of states of a variable")
		if !ok {
			return false
		}
		if !budget.Take(card) {
			p.Errorf(p.PosOf(at), "the variables up to here have too many states together for a file of %d bytes", p.Size())
			return false
		}
		p.m.NewVar(fmt.Sprint("x", i), states.Of(card)...).Pos = p.PosOf(at)
	}
	return true
}

// parents reads the scopes.
func (p *parser) parents() bool {
	last := make([]int, len(p.m.Vars)) // the last variable that has a variable in its scope, from 1
	for i := range p.m.Vars {
		at := p.Word
		last[i] = i + 1
		n, ok := p.Int(0, len(p.m.Vars)-1, "the number of parents of a variable")
		if !ok || !p.Claim(at, n, "parents") {
			return false
		}
		f := &model.Factor{Scope: make([]model.VarID, n+1), Child: n, Pos: p.PosOf(at)}
		f.Scope[n] = model.VarID(i)
		for k := range n {
			at := p.Word
			v, ok := p.Int(0, len(p.m.Vars)-1, "the number of a parent")
			if !ok {
				return false
			}
			if last[v] == i+1 {
				p.Errorf(p.PosOf(at), "found variable %d for the second time in the table of variable %d; want it once", v, i)
				return false
			}
			last[v] = i + 1
			f.Scope[k] = model.VarID(v)
		}
		p.m.Factors = append(p.m.Factors, f)
	}
	return true
}

func (p *parser) tables() bool {
	for i, f := range p.m.Factors {
		if !p.table(i, f) {
			return false
		}
	}
	return true
}

// table reads the numbers of variable i.
func (p *parser) table(i int, f *model.Factor) bool {
	at := p.Word
	n, ok := p.Int(0, math.MaxInt, "the number of probabilities of a variable")
	if !ok {
		return false
	}
	size, fits := p.m.TableSize(f.Scope)
	switch {
	case !fits || size != n:
		p.Errorf(p.PosOf(at), "found %d probabilities announced for variable %d; want %.10g, one a joint state of it and its %d parents",
			n, i, math.Round(math.Exp(p.m.LogTableSize(f.Scope))), len(f.Scope)-1)
		return false
	case n > p.opt.MaxEntries:
		p.Errorf(p.PosOf(at), "found %d probabilities announced for variable %d; the limit is %d", n, i, p.opt.MaxEntries)
		return false
	case !p.Claim(at, n, "probabilities"):
		return false
	}
	values, card := make([]float64, n), p.m.Card(model.VarID(i))
	f.RowPos = make([]diag.Pos, 0, n/card)
	for k := range values {
		if k%card == 0 {
			f.RowPos = append(f.RowPos, p.Pos())
		}
		if values[k], ok = p.Potential("a number"); !ok {
			return false
		}
	}
	f.Dist = &model.Table{Values: values}
	return true
}

// names reads what the comments say of variables and states, where it is there.
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

// variableNames reads a word a variable. That none comes twice is for [model.Model.Check] to see.
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

// stateNames reads a word a state.
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

// sectionEnds passes the end of a part with names, which another such part follows or nothing.
func (p *parser) sectionEnds(section string) bool {
	if !p.AtEnd() && strings.EqualFold(p.section, section) {
		return p.Fail("end of file or another part")
	}
	return true
}
