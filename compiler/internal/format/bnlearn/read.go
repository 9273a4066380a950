package bnlearn

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/jsontext"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/text"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// parser scans all CPDs and then builds the factors, because a CPD may precede those of its
// parents.
type parser struct {
	jsontext.Lexer
	opt    format.ReadOptions
	m      *model.Model
	byName map[string]model.VarID
}

func read(src *format.Source, opt format.ReadOptions) (*model.Model, diag.List) {
	p := &parser{
		Lexer:  jsontext.New(src.Name, string(src.Data)),
		opt:    opt.WithDefaults(),
		m:      &model.Model{Kind: model.Bayes, File: src.Name},
		byName: map[string]model.VarID{},
	}
	p.network()
	if p.HasErrors() {
		return nil, p.List
	}
	return p.m, p.List
}

// cpd is a CPD as the file gives it.
type cpd struct {
	*jsontext.Object
	kind string
}

func (p *parser) network() {
	o := p.Object("{", "name", "nodes", "cpds")
	if t := p.Next(); t.Kind != jsontext.End {
		p.Found(t, "the end of the file")
	}
	if p.Enter(o, "name") {
		p.m.Name = strings.Clone(p.Expect(jsontext.Str, "the name of the network").Text)
	}
	cpds := map[string]*cpd{}
	p.Need(o, "cpds")
	p.Members("an object with a CPD for each node", func(name jsontext.Token) {
		if cpds[name.Text] != nil {
			p.Fail(name.Off, "found a second CPD of %s; want one", text.Quote(name.Text))
		}
		cpds[name.Text] = &cpd{Object: p.Object("a CPD", "type", "parents", "levels", "plevels", "rows", "cpt", "dparents", "gparents", "dlevels",
			"coefficients", "sd", "variance")}
	})
	var nodes []*cpd
	p.Need(o, "nodes")
	for _, name := range p.names("the name of a node") {
		c := cpds[name.Text]
		if c == nil {
			p.Fail(name.Off, "found the node %s without a CPD; want one for each node, once", text.Quote(name.Text))
			return
		}
		delete(cpds, name.Text)
		p.variable(name, c)
		nodes = append(nodes, c)
	}
	if !p.HasErrors() && len(cpds) > 0 {
		p.Fail(o.Off, "found %d CPDs of nodes that are not among the nodes; want every node in the list", len(cpds))
	}
	for v, c := range nodes {
		if p.HasErrors() {
			return
		}
		f := &model.Factor{Pos: p.Pos(c.Off)}
		if c.kind == "discrete" {
			p.discrete(c, f, model.VarID(v))
		} else {
			p.gaussian(c, f, model.VarID(v))
		}
		p.m.Factors = append(p.m.Factors, f)
	}
}

// variable adds the variable of a node.
func (p *parser) variable(name jsontext.Token, c *cpd) {
	c.kind = "gaussian"
	if p.Enter(c.Object, "type") {
		t := p.Expect(jsontext.Str, "the type of the node")
		if c.kind = t.Text; t.Text != "discrete" && t.Text != "gaussian" && t.Text != "cgnode" {
			p.Fail(t.Off, "found the type %s; want discrete, gaussian or cgnode", text.Quote(t.Text))
		}
	}
	v := p.m.NewReal(strings.Clone(name.Text))
	if v.Pos = p.Pos(c.Off); c.kind == "discrete" {
		p.Need(c.Object, "levels")
		v.Domain = model.Discrete{States: p.texts("the name of a level")}
	}
	p.byName[v.Name] = v.ID
}

// names reads a list of strings, or one string.
func (p *parser) names(want string) (list []jsontext.Token) {
	if p.Peek().Kind == jsontext.Str {
		return []jsontext.Token{p.Next()}
	}
	p.Array("a list", func() { list = append(list, p.Expect(jsontext.Str, want)) })
	return list
}

// texts is names without positions. It copies the names, since substrings would keep the whole file
// in memory.
func (p *parser) texts(want string) (list []string) {
	for _, t := range p.names(want) {
		list = append(list, strings.Clone(t.Text))
	}
	return list
}

// parents reads a list of parents, of which the field may be absent. They are names or, if all is
// the list of all parents, may be positions in it, from 1.
func (p *parser) parents(c *cpd, field string, all []model.VarID) (list []model.VarID) {
	if !p.Enter(c.Object, field) {
		return nil
	}
	one := func() {
		t := p.Peek()
		if t.Kind == jsontext.Number && all != nil {
			i := p.Int("a position among the parents")
			if i < 1 || int(i) > len(all) {
				p.Fail(t.Off, "found the position %d; want 1 to %d, a position among the parents", i, len(all))
				return
			}
			list = append(list, all[i-1])
			return
		}
		t = p.Expect(jsontext.Str, "the name of a parent")
		v, ok := p.byName[t.Text]
		if !ok {
			p.Fail(t.Off, "found %s; want a node of the list", text.Quote(t.Text))
		}
		list = append(list, v)
	}
	if p.Peek().Kind != '[' {
		one()
		return list
	}
	p.Array("a list of parents", one)
	return list
}

// levels checks that the levels of parents in a field are those of their own CPDs.
func (p *parser) levels(c *cpd, field string) {
	if !p.Enter(c.Object, field) {
		return
	}
	p.Members("the levels of each parent", func(name jsontext.Token) {
		v, ok := p.byName[name.Text]
		at := p.Peek().Off
		levels := p.texts("the name of a level")
		if want := p.m.States(v); ok && fmt.Sprint(levels) != fmt.Sprint(want) {
			p.Fail(at, "found the levels %q of %s; want %q, as its own CPD has them", levels, text.Quote(name.Text), want)
		}
	})
}

// order returns, for each joint state of vars, the last fastest, its place in the order in which
// the first is fastest.
func (p *parser) order(off int, vars []model.VarID) []int {
	n, ok := p.m.TableSize(vars)
	if !ok || n > p.opt.MaxEntries {
		p.Fail(off, "found e^%.1f joint states of discrete parents; the limit is %d", p.m.LogTableSize(vars), p.opt.MaxEntries)
		return nil
	}
	places := make([]int, n)
	state := make([]int, len(p.m.Vars))
	for r := range places {
		for i := len(vars) - 1; i >= 0; i-- {
			places[r] = places[r]*p.m.Card(vars[i]) + state[vars[i]]
		}
		p.m.Next(vars, state)
	}
	return places
}

// values reads n numbers: a list, an object with their places as names, or a single number.
func (p *parser) values(n int, what string) []float64 {
	at := p.Peek()
	list := make([]float64, 0, n)
	switch at.Kind {
	case jsontext.Number:
		x, _ := p.Entry()
		list = append(list, x)
	case '{':
		list = list[:n]
		seen := make([]bool, n)
		count := 0
		p.Members(what, func(name jsontext.Token) {
			x, _ := p.Entry()
			i, err := strconv.Atoi(name.Text)
			if err != nil || i < 0 || i >= n || seen[i] {
				p.Fail(name.Off, "found %s; want the number of a joint state from 0 to %d, once", text.Quote(name.Text), n-1)
				return
			}
			list[i], seen[i] = x, true
			count++
		})
		list = list[:count]
	default:
		p.Array(what, func() {
			x, off := p.Entry()
			if len(list) == n {
				p.Fail(off, "found more than %d numbers; want one for each joint state of the discrete parents", n)
				return
			}
			list = append(list, x)
		})
	}
	if len(list) != n {
		p.Fail(at.Off, "found %d numbers; want %d, one for each joint state of the discrete parents", len(list), n)
	}
	return list
}
