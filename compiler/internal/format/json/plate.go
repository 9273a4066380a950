package json

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/jsontext"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/text"
	"github.com/pgmc-go/pgmc/ir/model"
)

// This file grounds plates: a variable or factor in plates becomes one for each joint index.
// Nothing after the reader knows plates.

// The bounds of the variables and factors that plates make, and of the scopes of these factors
// together: a short text may ask for any number.
const (
	maxGround = 1 << 18
	maxScopes = 1 << 22
)

// plates holds the sizes of the plates by their order in the file.
type plates struct {
	names  []string
	sizes  []int
	scope  int                   // the variables in scopes so far
	vars   map[model.VarID][]int // by the first variable of a name: its plates, in the order of its index
	tables []table               // of the skeleton
	object [][]string            // by plate: the objects of the skeleton; nil for a plate of numbers
	joints map[string]*joint     // by list of plates that a table restricts
}

// readPlates reads the names and sizes of all plates.
func (p *parser) readPlates() {
	p.Members("an object with the size of each plate", func(name jsontext.Token) {
		if slices.Contains(p.plates.names, name.Text) {
			p.Fail(name.Off, "found the plate %s a second time; want it once", text.Quote(name.Text))
		}
		at := p.Peek().Off
		n := p.Int("the size of the plate")
		if n < 1 || n > maxGround {
			p.Fail(at, "found the size %d; want 1 to %d", n, maxGround)
		}
		p.plates.names, p.plates.sizes = append(p.plates.names, strings.Clone(name.Text)), append(p.plates.sizes, int(n))
	})
	p.plates.object = make([][]string, len(p.plates.names))
}

// in reads the plates of a variable or factor. It returns them and the number of joint indices.
func (p *parser) in(o *jsontext.Object) (list []int, n int) {
	n = 1
	if !p.Enter(o, "in") {
		return nil, n
	}
	off := 0
	p.Array("a list of plates", func() {
		t := p.Expect(jsontext.Str, "the name of a plate")
		off = t.Off
		i := slices.Index(p.plates.names, t.Text)
		if i < 0 || slices.Contains(list, i) {
			p.Fail(t.Off, "found %s; want a plate, once", text.Quote(t.Text))
			return
		}
		if list = append(list, i); len(p.plates.tables) == 0 {
			n = p.bounded(list, off)
		}
	})
	if len(p.plates.tables) > 0 { // a table of all plates may leave few of the joint indices of some
		n = p.bounded(list, off)
	}
	return list, n
}

// bounded returns the number of joint indices of some plates, or 1 after an error.
func (p *parser) bounded(list []int, off int) int {
	switch n := p.repeats(list); {
	case p.HasErrors():
	case n > maxGround:
		p.Fail(off, "found plates with more than %d joint indices; want fewer", maxGround)
	case n == 0:
		p.Fail(off, "found plates without a joint index that all tables have; want one")
	default:
		return n
	}
	return 1
}

// repeats returns the number of joint indices of some plates.
func (p *parser) repeats(list []int) int {
	if j := p.joint(list); j != nil {
		return len(j.tuples)
	}
	n := 1
	for _, plate := range list {
		n = min(n*p.plates.sizes[plate], maxGround+1)
	}
	return n
}

// apart reads over which of its plates a factor is tied: true for all, false for none, or a list.
// It returns the other plates: each of their joint indices has CPDs of its own.
func (p *parser) apart(o *jsontext.Object, list []int) []int {
	if !p.Enter(o, "tied") {
		return nil
	}
	if list == nil {
		p.Fail(o.Off, "found \"tied\" in a factor without plates; want it in a factor with \"in\"")
	}
	if p.Peek().Kind != '[' {
		if p.bool() {
			return nil
		}
		return list
	}
	own := slices.Clone(list)
	p.Array("a list of plates", func() {
		t := p.Expect(jsontext.Str, "the name of a plate")
		i := slices.Index(own, slices.Index(p.plates.names, t.Text))
		if i < 0 {
			p.Fail(t.Off, "found %s; want a plate of the factor, once", text.Quote(t.Text))
			return
		}
		own = slices.Delete(own, i, i+1)
	})
	return own
}

// index splits joint index k of some plates, the last fastest, into one index for each plate.
func (p *parser) index(list []int, k int) []int {
	at := make([]int, len(p.plates.sizes))
	if j := p.joint(list); j != nil {
		for i, plate := range list {
			at[plate] = j.tuples[k][i]
		}
		return at
	}
	for i := len(list) - 1; i >= 0; i-- {
		size := p.plates.sizes[list[i]]
		at[list[i]] = k % size
		k /= size
	}
	return at
}

// repeat makes a variable that was just read the first of n. They are called "x[1]", "x[2]", or
// "x[1,2]" in two plates, and by the objects if there are some.
func (p *parser) repeat(v *model.Var, list []int, n, off int) {
	if list == nil || p.HasErrors() {
		return
	}
	if len(p.m.Vars)+n > maxGround {
		p.Fail(off, "found more than %d variables in plates; want fewer", maxGround)
		return
	}
	p.plates.vars[v.ID] = list
	name := v.Name
	for k := range n {
		w := v
		if k > 0 {
			w = p.m.NewVar("")
			w.Domain, w.Latent, w.Given, w.Pos, w.Description = v.Domain, v.Latent, v.Given, v.Pos, v.Description
		}
		at := p.index(list, k)
		index := make([]string, len(list))
		for i, plate := range list {
			if index[i] = fmt.Sprint(at[plate] + 1); p.plates.object[plate] != nil {
				index[i] = p.plates.object[plate][at[plate]]
			}
		}
		w.Name = name + "[" + strings.Join(index, ",") + "]"
	}
}

// ground adds a factor that was just read once for each of n joint indices, and ties the CPDs
// except between different indices of the plates apart.
func (p *parser) ground(f *model.Factor, list, apart []int, n, off int) {
	if p.HasErrors() {
		return
	}
	for _, v := range f.Scope {
		for _, plate := range p.plates.vars[v] {
			if !slices.Contains(list, plate) {
				p.Fail(off, "found %s of the plate %s in a factor that is not in it; want the factor in the same plates", text.Quote(p.m.Vars[v].Name), text.Quote(p.plates.names[plate]))
				return
			}
		}
	}
	switch {
	case list == nil:
		p.m.Factors = append(p.m.Factors, f)
		return
	case n > 1 && f.Counts != nil:
		p.Fail(off, "found counts of a factor in a plate; want none")
		return
	case n > 1 && (len(p.m.Factors) > maxGround-n || len(f.Scope) > (maxScopes-p.plates.scope)/n):
		p.Fail(off, "found plates that make %d more factors of %d variables each; want fewer", n, len(f.Scope))
		return
	case n > 1:
		p.plates.scope += n * len(f.Scope)
	}
	groups, first := [][]model.VarID{}, map[string]int{}
	for k := range n {
		copied, at := *f, p.index(list, k)
		g := &copied
		g.Scope = make([]model.VarID, len(f.Scope))
		for i, v := range f.Scope {
			g.Scope[i] = v + model.VarID(p.offset(v, at))
		}
		p.m.Factors = append(p.m.Factors, g)
		if g.Child < 0 {
			continue
		}
		own := fmt.Sprint(of(apart, at))
		i, known := first[own]
		if !known {
			i = len(groups)
			first[own], groups = i, append(groups, nil)
		}
		groups[i] = append(groups[i], g.ChildVar())
	}
	for _, group := range groups {
		if len(group) > 1 {
			p.m.Tied = append(p.m.Tied, group)
		}
	}
}

// offset returns the place of a variable among those of its name, at an index of each plate; -1 if
// it does not exist there.
func (p *parser) offset(v model.VarID, at []int) int {
	k, list := 0, p.plates.vars[v]
	if j := p.joint(list); j != nil {
		if k, known := j.place[fmt.Sprint(of(list, at))]; known {
			return k
		}
		return -1
	}
	for _, plate := range list {
		k = k*p.plates.sizes[plate] + at[plate]
	}
	return k
}
