package json

import (
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/compiler/format/internal/text"
	"github.com/pgmc-go/pgmc/ir/model"
)

// distKind is a kind of distribution in a file: how the value of its field is read and written.
type distKind struct {
	name  string
	since int32 // the version of the format that introduced it
	read  func(p *parser, f *model.Factor)
	write func(w *writer, f *model.Factor)
}

// kind returns an entry of distKinds. The field has the name of the kind.
func kind[D model.Dist](since int32, read func(*parser, *model.Factor), write func(*writer, *model.Factor, D)) distKind {
	var d D
	return distKind{d.Kind(), since, read, func(w *writer, f *model.Factor) { write(w, f, f.Dist.(D)) }}
}

// distKinds lists the kinds of distribution. A factor has exactly one of their fields.
var distKinds = []distKind{
	kind(1, (*parser).table, (*writer).table),
	kind(1, (*parser).deterministic, (*writer).deterministic),
	kind(1, (*parser).noisyMax, (*writer).noisyMax),
	kind(1, (*parser).tree, (*writer).tree),
	kind(1, (*parser).features, (*writer).features),
	kind(1, (*parser).circuit, (*writer).circuit),
	kind(1, (*parser).ldfm, (*writer).ldfm),
	kind(2, (*parser).gaussian, (*writer).gaussian),
}

// kindNames returns the names of distKinds.
func kindNames() []string {
	names := make([]string, len(distKinds))
	for i := range distKinds {
		names[i] = distKinds[i].name
	}
	return names
}

// kindOf returns the kind with the given name. A test compares it with all kinds of random models.
func kindOf(name string) *distKind {
	return &distKinds[slices.IndexFunc(distKinds, func(k distKind) bool { return k.name == name })]
}

// dist reads the distribution of f. It leaves the sizes and the order of nodes to model.Check,
// except for tables, which may be large, so that a missing number is hard to find by eye.
func (p *parser) dist(o *object, f *model.Factor) {
	var found *distKind
	for i := range distKinds {
		k := &distKinds[i]
		if !p.enter(o, k.name) {
			continue
		}
		if found != nil {
			p.fail(p.peek().off, "found %q beside %q; want one distribution", k.name, found.name)
		}
		found = k
	}
	if found == nil {
		p.fail(o.off, "found a factor without a distribution; want one of %q", kindNames())
		return
	}
	found.read(p, f)
}

// numbers reads a list of at most MaxEntries numbers, and returns them and their offsets.
func (p *parser) numbers() (values []float64, offs []int) {
	p.list("a list of numbers", func() {
		if len(values) == p.opt.MaxEntries {
			p.fail(p.peek().off, "found more than %d numbers; the limit is %d", len(values), p.opt.MaxEntries)
		}
		x, off := p.float()
		values, offs = append(values, x), append(offs, off)
	})
	return values, offs
}

// complete checks that a list over scope, which was just read, has one entry for each joint state.
func (p *parser) complete(got int, scope []model.VarID, what string) {
	for _, v := range scope {
		if p.m.IsReal(v) {
			p.fail(p.off-1, "found a table over the real variable %s; want states, or a kind for real variables such as gaussian", text.Quote(p.m.Vars[v].Name))
		}
	}
	n, ok := p.m.TableSize(scope)
	if !ok || n != got {
		p.fail(p.off-1, "found %d %s; want %.0f, one for each joint state", got, what, math.Exp(p.m.LogTableSize(scope)))
	}
}

func (p *parser) table(f *model.Factor) {
	values, offs := p.numbers()
	p.complete(len(values), f.Scope, "numbers")
	if p.HasErrors() {
		return
	}
	f.Dist = &model.Table{Values: values}
	if f.Child < 0 {
		f.RowPos = append(f.RowPos, p.pos(offs[0]))
		return
	}
	inner, _ := p.m.TableSize(f.Scope[f.Child+1:])
	for start := 0; start < len(values); start += inner * p.m.Card(f.ChildVar()) {
		for i := range inner {
			f.RowPos = append(f.RowPos, p.pos(offs[start+i]))
		}
	}
}

func (p *parser) deterministic(f *model.Factor) {
	if f.Child < 0 {
		p.fail(p.peek().off, "found a deterministic potential; want a child")
		return
	}
	d := &model.Deterministic{}
	p.list("a list of states", func() { d.States = append(d.States, p.state(f.ChildVar())) })
	p.complete(len(d.States), f.Parents(), "states")
	f.Dist = d
}

func (p *parser) noisyMax(f *model.Factor) {
	if f.Child < 0 {
		p.fail(p.peek().off, "found a noisy-max potential; want a child")
		return
	}
	o := p.fields("a noisy-max", "leak", "causes")
	p.need(o, "leak")
	d := &model.NoisyMax{}
	var offs []int
	d.Leak, offs = p.numbers()
	card := max(1, p.m.Card(f.ChildVar()))
	rows := func() { // model.Check rejects incomplete rows
		for i := 0; i < len(offs); i += card {
			f.RowPos = append(f.RowPos, p.pos(offs[i]))
		}
	}
	rows()
	p.need(o, "causes")
	p.list("a list of causes", func() {
		var cause []float64
		cause, offs = p.numbers()
		d.Cause = append(d.Cause, cause)
		rows()
	})
	f.Dist = d
}

// ldfm reads the weights of a latent dependency forest model. It leaves their number and sums to
// model.Check.
func (p *parser) ldfm(f *model.Factor) {
	o := p.fields("an LDFM", "weights", "stop", "normals")
	p.need(o, "weights")
	d := &model.LDFM{}
	var offs []int
	d.Weights, offs = p.numbers()
	n := 0
	for _, v := range f.Scope {
		n += p.m.Vars[v].Domain.Columns()
	}
	for i := 0; n > 0 && i < len(offs); i += n {
		f.RowPos = append(f.RowPos, p.pos(offs[i]))
	}
	if p.enter(o, "stop") {
		d.Stop, _ = p.numbers()
	}
	if p.enter(o, "normals") {
		p.normals(d)
	}
	p.leave(o)
	f.Dist = d
}

// normals reads the distributions of real variables, three numbers each.
func (p *parser) normals(d *model.LDFM) {
	at := p.peek().off
	list, _ := p.numbers()
	if len(list)%3 != 0 {
		p.fail(at, "found %d numbers of normal distributions; want a mean, a slope and a variance of each", len(list))
		return
	}
	for i := 0; i < len(list); i += 3 {
		d.Normals = append(d.Normals, model.Normal{Mean: list[i], Slope: list[i+1], Var: list[i+2]})
	}
}

func (p *parser) tree(f *model.Factor) {
	d := &model.Tree{}
	p.list("a list of nodes", func() {
		o := p.fields("a node", "test", "next", "leaf")
		var n model.TreeNode
		if p.enter(o, "leaf") {
			if p.enter(o, "test") || p.enter(o, "next") {
				p.fail(o.off, "found a node that is a leaf and a test; want one of them")
			}
			n.Leaf, _ = p.numbers()
			if len(n.Leaf) == 0 {
				p.fail(o.off, "found a leaf without numbers; want one for each state of the child, and without a child one number")
			}
			f.RowPos = append(f.RowPos, p.pos(o.off))
		} else {
			p.need(o, "test")
			n.Axis = p.axis(f)
			p.need(o, "next")
			n.Next = p.nodes()
		}
		d.Nodes = append(d.Nodes, n)
		p.leave(o)
	})
	f.Dist = d
}

// nodes reads the indices of nodes.
func (p *parser) nodes() []int32 {
	var nodes []int32
	p.list("a list of nodes", func() { nodes = append(nodes, p.int("the place of a node")) })
	return nodes
}

func (p *parser) features(f *model.Factor) {
	d := &model.Features{}
	p.list("a list of features", func() {
		o := p.fields("a feature", "weight", "if")
		var x model.Feature
		p.need(o, "weight")
		x.Weight = p.weight()
		if p.enter(o, "if") {
			p.list("a list of literals", func() { x.Literals = append(x.Literals, p.literal(f)) })
		}
		d.List = append(d.List, x)
		f.RowPos = append(f.RowPos, p.pos(o.off))
		p.leave(o)
	})
	f.Dist = d
}

// minusInf is a weight of minus infinity in a file: JSON has no such number.
const minusInf = "-inf"

func (p *parser) weight() float64 {
	t := p.peek()
	if t.kind != str {
		x, _ := p.float()
		return x
	}
	p.next()
	if t.text != minusInf {
		p.fail(t.off, "found the weight %s; want a number or %q", text.Quote(t.text), minusInf)
	}
	return math.Inf(-1)
}

func (p *parser) literal(f *model.Factor) model.Literal {
	o := p.fields("a literal", "var", "is", "not")
	p.need(o, "var")
	x := model.Literal{Axis: p.axis(f)}
	if p.HasErrors() {
		return x
	}
	is := p.enter(o, "is")
	x.Not = p.enter(o, "not")
	if is == x.Not {
		p.fail(o.off, `found a literal with both or neither of "is" and "not"; want one of them`)
		return x
	}
	x.State = p.state(f.Scope[x.Axis])
	p.leave(o)
	return x
}

func (p *parser) circuit(f *model.Factor) {
	d := &model.Circuit{}
	p.list("a list of nodes", func() {
		o := p.fields("a node", "number", "var", "is", "sum", "product")
		d.Nodes = append(d.Nodes, p.circuitNode(o, f))
		f.RowPos = append(f.RowPos, p.pos(o.off))
		p.leave(o)
	})
	f.Dist = d
}

func (p *parser) circuitNode(o *object, f *model.Factor) (n model.CircuitNode) {
	given := 0
	for _, name := range []string{"number", "var", "sum", "product"} {
		if p.enter(o, name) {
			given++
		}
	}
	if given != 1 || p.enter(o, "is") && !p.enter(o, "var") {
		p.fail(o.off, "found a node that is not one operation; want a number, a variable and its state, a sum or a product")
		return n
	}
	switch {
	case p.enter(o, "number"):
		n.Value, _ = p.float()
	case p.enter(o, "sum"):
		n.Op, n.Args = model.CircuitSum, p.nodes()
	case p.enter(o, "product"):
		n.Op, n.Args = model.CircuitProduct, p.nodes()
	case p.enter(o, "var"):
		n.Op, n.Axis = model.CircuitIndicator, p.axis(f)
		if p.need(o, "is"); !p.HasErrors() {
			n.State = p.state(f.Scope[n.Axis])
		}
	}
	return n
}
