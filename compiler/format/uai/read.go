package uai

import (
	"fmt"
	"math"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/format/internal/numbers"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// parser reads a model: its head, scopes, tables.
type parser struct {
	*numbers.Reader
	opt    format.ReadOptions
	number func(*parser) (float64, bool)
	m      *model.Model
	named  []named // by comments before the model
	lost   int     // values so small that they became 0
	lostAt diag.Pos
}

func readPlain(src *format.Source, opt format.ReadOptions) (*model.Model, diag.List) {
	return read(src, opt, (*parser).potential)
}

func readLogs(src *format.Source, opt format.ReadOptions) (*model.Model, diag.List) {
	return read(src, opt, (*parser).logarithm)
}

func read(src *format.Source, opt format.ReadOptions, number func(*parser) (float64, bool)) (*model.Model, diag.List) {
	p := &parser{
		Reader: numbers.New(src, numbers.Hash|numbers.CLine),
		opt:    opt.WithDefaults(),
		number: number,
		m:      &model.Model{File: src.Name},
	}
	if !p.head() || !p.variables() || !p.functions() {
		return nil, p.List
	}
	p.Done()
	if p.HasErrors() {
		return nil, p.List
	}
	p.useNames()
	if p.lost > 0 {
		p.Warnf(p.lostAt, "logarithm of a number below %v, the least there is: it becomes 0, and of %d numbers in all", math.SmallestNonzeroFloat64, p.lost)
	}
	if p.m.Kind == model.Bayes {
		numbers.KeepCPDs(p.m, &p.List)
	}
	return p.m, p.List
}

// head reads the kind, and what comments before it name.
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

// functions reads the scopes, then the tables.
func (p *parser) functions() bool {
	at := p.Word
	n, ok := p.Int(0, math.MaxInt32, "the number of functions")
	if !ok || !p.Claim(at, n, "functions") {
		return false
	}
	last := make([]int, len(p.m.Vars)) // the number of the last function with a variable, from 1
	for i := range n {
		if !p.scope(i, last) {
			return false
		}
	}
	if p.m.Kind == model.Bayes {
		if why := children(p.m); why != "" {
			p.Warnf(p.PosOf(at), "%s; the model is taken for a Markov network, the product of its tables", why)
			numbers.Undirected(p.m)
		}
	}
	for i, f := range p.m.Factors {
		if !p.table(i, f) {
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
	for k := range f.Scope {
		at := p.Word
		v, ok := p.Int(0, len(p.m.Vars)-1, "the number of a variable")
		if !ok {
			return false
		}
		if last[v] == i+1 {
			p.Errorf(p.PosOf(at), "found variable %d for the second time in the scope of function %d; want it once", v, i)
			return false
		}
		last[v] = i + 1
		f.Scope[k] = model.VarID(v)
	}
	p.m.Factors = append(p.m.Factors, f)
	return true
}

// table reads the numbers of function i.
func (p *parser) table(i int, f *model.Factor) bool {
	at := p.Word
	n, ok := p.Int(0, math.MaxInt, "the number of values of a function")
	if !ok {
		return false
	}
	size, fits := p.m.TableSize(f.Scope)
	switch {
	case !fits || size != n:
		p.Errorf(p.PosOf(at), "found %d values announced for function %d; want %.10g, one a joint state of its %d variables",
			n, i, math.Round(math.Exp(p.m.LogTableSize(f.Scope))), len(f.Scope))
		return false
	case n > p.opt.MaxEntries:
		p.Errorf(p.PosOf(at), "found %d values announced for function %d; the limit is %d", n, i, p.opt.MaxEntries)
		return false
	case !p.Claim(at, n, "values"):
		return false
	}
	values := make([]float64, n)
	var rows rowStarts
	if f.Child >= 0 {
		rows = rowStarts{card: p.m.Card(f.ChildVar()), inner: numbers.Inner(p.m, f)}
		f.RowPos = make([]diag.Pos, 0, n/rows.card)
	}
	for k := range values {
		if rows.at(k) {
			f.RowPos = append(f.RowPos, p.Pos())
		}
		if values[k], ok = p.number(p); !ok {
			return false
		}
	}
	f.Dist = &model.Table{Values: values}
	return true
}

// rowStarts says which numbers of the table of a CPD are the first of a row; the zero value, none.
type rowStarts struct{ card, inner int }

func (r rowStarts) at(k int) bool { return r.card > 0 && k/r.inner%r.card == 0 }

// potential reads a number of a table.
func (p *parser) potential() (float64, bool) { return p.Potential("a number") }

// logarithm reads the logarithm of a number of a table.
func (p *parser) logarithm() (float64, bool) {
	if p.Text == "-inf" {
		p.Next()
		return 0, true
	}
	at := p.Word
	log, ok := p.Float("a natural logarithm")
	if !ok {
		return 0, false
	}
	x := math.Exp(log)
	if math.IsInf(x, 1) {
		p.Errorf(p.PosOf(at), "found %s, the logarithm of a number beyond float64; want %.2f at most", numbers.Quote(at.Text), math.Log(math.MaxFloat64))
		return 0, false
	}
	if x == 0 {
		if p.lost == 0 {
			p.lostAt = p.PosOf(at)
		}
		p.lost++
	}
	return x, true
}
