package fg

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/numbers"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// sparse is the number of zeros that a file may leave out of all its factors together: 32 MB.
const sparse = 1 << 22

// parser reads factors. It numbers variables as they come until all labels are known.
type parser struct {
	*numbers.Reader
	opt     format.ReadOptions
	m       *model.Model
	byLabel map[int]model.VarID
	labels  []int // by VarID
	states  numbers.States
	budget  *numbers.Budget
	left    int // entries that may still be left out
}

func read(src *format.Source, opt format.ReadOptions) (*model.Model, diag.List) {
	p := &parser{
		Reader:  numbers.New(src, numbers.Hash),
		opt:     opt.WithDefaults(),
		m:       &model.Model{Kind: model.Markov, File: src.Name},
		byLabel: map[int]model.VarID{},
		left:    sparse,
	}
	p.budget = numbers.NewBudget(p.Size())
	p.Next()
	at := p.Word
	n, ok := p.Int(0, math.MaxInt32, "the number of factors")
	if !ok || !p.Claim(at, n, "factors") {
		return nil, p.List
	}
	for i := range n {
		if !p.factor(i) {
			return nil, p.List
		}
	}
	p.Done()
	if p.HasErrors() {
		return nil, p.List
	}
	p.sort()
	p.Constants(p.m)
	return p.m, p.List
}

// factor reads factor i.
func (p *parser) factor(i int) bool {
	at := p.Word
	n, ok := p.Int(0, math.MaxInt32, "the number of variables of a factor")
	if !ok || !p.Claim(at, n, "variables") {
		return false
	}
	f := &model.Factor{Child: -1, Pos: p.PosOf(at)}
	labels, words := make([]int, n), make([]numbers.Word, n)
	for k := range labels {
		words[k] = p.Word
		if labels[k], ok = p.Int(0, math.MaxInt32, "the label of a variable"); !ok {
			return false
		}
	}
	for k, label := range labels {
		v, ok := p.variable(label, words[k])
		if !ok {
			return false
		}
		f.Scope = append(f.Scope, v)
	}
	if k := again(labels); k >= 0 {
		p.Errorf(p.PosOf(words[k]), "found variable %d for the second time in factor %d; want it once", labels[k], i)
		return false
	}
	if !p.entries(i, f) {
		return false
	}
	p.m.Factors = append(p.m.Factors, f)
	return true
}

// again returns the index of the first label that repeats an earlier one, or -1.
func again(labels []int) int {
	seen := make(map[int]bool, len(labels))
	for k, label := range labels {
		if seen[label] {
			return k
		}
		seen[label] = true
	}
	return -1
}

// variable reads the number of states of the variable with the given label, which was read at word.
// It adds the variable if the label is new.
func (p *parser) variable(label int, word numbers.Word) (model.VarID, bool) {
	at := p.Word
	card, ok := p.Int(1, model.MaxStates, "the number of states of a variable")
	if !ok {
		return 0, false
	}
	if id, known := p.byLabel[label]; known {
		if p.m.Card(id) != card {
			p.Errorf(p.PosOf(at), "found %d states of variable %d; want %d, as at %v", card, label, p.m.Card(id), p.m.Vars[id].Pos)
			return 0, false
		}
		return id, true
	}
	if !p.Afford(p.budget, at, card) {
		return 0, false
	}
	v := p.m.NewVar(fmt.Sprint("x", label), p.states.Of(card)...)
	v.Pos = p.PosOf(word)
	p.byLabel[label] = v.ID
	p.labels = append(p.labels, label)
	return v.ID, true
}

// entries reads the table of factor i.
func (p *parser) entries(i int, f *model.Factor) bool {
	at := p.Word
	size, ok := p.m.TableSize(f.Scope)
	if !ok || size > p.opt.MaxEntries {
		p.Errorf(p.PosOf(at), "factor %d would have %.3g entries; the limit is %d", i, math.Exp(p.m.LogTableSize(f.Scope)), p.opt.MaxEntries)
		return false
	}
	n, ok := p.Int(0, size, "the number of entries that follow")
	if !ok || !p.Claim(at, 2*n, "indices and values") {
		return false
	}
	if p.left -= size - n; p.left < 0 {
		p.Errorf(p.PosOf(at), "the factors so far leave out too many entries; the limit is %d", sparse)
		return false
	}
	values, given := numbers.NewEntries(size), make([]bool, size)
	for range n {
		at := p.Word
		index, ok := p.Int(0, size-1, "the index of an entry")
		if !ok {
			return false
		}
		place := p.rowMajor(f.Scope, index)
		if given[place] {
			p.Errorf(p.PosOf(at), "found entry %d of factor %d for the second time; want it once", index, i)
			return false
		}
		given[place] = true
		x, ok := p.Potential("a number")
		if !ok {
			return false
		}
		values.Set(place, x)
	}
	values.Finish(p.Reader, f, at)
	return true
}

// rowMajor converts an index with the first variable fastest into one with the last variable
// fastest.
func (p *parser) rowMajor(scope []model.VarID, index int) int {
	place := 0
	stride := 1
	for _, v := range slices.Backward(scope) {
		stride *= p.m.Card(v)
	}
	for _, v := range scope {
		card := p.m.Card(v)
		stride /= card
		place += index % card * stride
		index /= card
	}
	return place
}

// sort orders the variables by their labels.
func (p *parser) sort() {
	order := make([]model.VarID, len(p.labels))
	for i := range order {
		order[i] = model.VarID(i)
	}
	slices.SortFunc(order, func(a, b model.VarID) int { return cmp.Compare(p.labels[a], p.labels[b]) })
	vars, now := make([]*model.Var, len(order)), make([]model.VarID, len(order))
	for i, old := range order {
		vars[i], now[old] = p.m.Vars[old], model.VarID(i)
		vars[i].ID = model.VarID(i)
	}
	p.m.Vars = vars
	for _, f := range p.m.Factors {
		for k, v := range f.Scope {
			f.Scope[k] = now[v]
		}
	}
}
