package uai

import (
	"math"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/numbers"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// parser reads a model: its header, scopes and tables.
type parser struct {
	*numbers.Reader
	opt    format.ReadOptions
	number func() (numbers.Wide, bool) // reads a number of a table
	m      *model.Model
	named  []named // from comments before the model
}

func readPlain(src *format.Source, opt format.ReadOptions) (*model.Model, diag.List) {
	p := newParser(src, opt)
	p.number = p.potential
	return p.read()
}

func readLogs(src *format.Source, opt format.ReadOptions) (*model.Model, diag.List) {
	p := newParser(src, opt)
	p.number = p.logarithm
	return p.read()
}

func newParser(src *format.Source, opt format.ReadOptions) *parser {
	return &parser{
		Reader: numbers.New(src, numbers.Hash|numbers.CLine),
		opt:    opt.WithDefaults(),
		m:      &model.Model{File: src.Name},
	}
}

// function is the owner of a table in messages.
const function = "function"

func (p *parser) read() (*model.Model, diag.List) {
	if !p.head() || !p.Variables(p.m) || !p.functions() {
		return nil, p.List
	}
	p.Done()
	if p.HasErrors() {
		return nil, p.List
	}
	p.useNames()
	if p.m.Kind == model.Bayes {
		numbers.KeepCPDs(p.m, &p.List)
	}
	p.Constants(p.m)
	return p.m, p.List
}

// head reads the kind, and the names in comments before it.
func (p *parser) head() bool {
	p.OnComment = p.header
	p.Next()
	p.OnComment = nil
	switch p.Text {
	case "BAYES":
		p.m.Kind = model.Bayes
	case "MARKOV":
		p.m.Kind = model.Markov
	default:
		return p.Fail(`"BAYES" or "MARKOV"`)
	}
	p.Next()
	return true
}

// functions reads the scopes, then the tables.
func (p *parser) functions() bool {
	at := p.Word
	n, ok := p.Int(0, math.MaxInt32, "the number of functions")
	if !ok || !p.Claim(at, n, "functions") {
		return false
	}
	last := make([]int, len(p.m.Vars)) // by variable: 1 + the last function with it
	for i := range n {
		if !p.scope(i, last) {
			return false
		}
	}
	if p.m.Kind == model.Bayes {
		if why := children(p.m); why != "" {
			p.Warnf(p.PosOf(at), "%s; %s", why, numbers.TakenForMarkov)
			numbers.Undirected(p.m)
		}
	}
	for i, f := range p.m.Factors {
		if !p.Table(p.m, f, function, i, p.opt.MaxEntries, p.number) {
			return false
		}
	}
	return true
}

// scope reads the variables of function i.
func (p *parser) scope(i int, last []int) bool {
	at := p.Word
	n, ok := p.Int(0, len(p.m.Vars), "the number of variables of a function")
	if !ok || !p.Claim(at, n, "variables") {
		return false
	}
	f := &model.Factor{Scope: make([]model.VarID, n), Child: -1, Pos: p.PosOf(at)}
	if !p.Scope(f.Scope, last, function, i) {
		return false
	}
	p.m.Factors = append(p.m.Factors, f)
	return true
}

// potential reads a number of a table.
func (p *parser) potential() (numbers.Wide, bool) { return p.Potential("a number") }

// logarithm reads the logarithm of a number of a table.
func (p *parser) logarithm() (numbers.Wide, bool) { return p.Antilog("a natural logarithm") }
