package json

import (
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/jsontext"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/text"
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
	kind(2, (*parser).diffuse, (*writer).diffuse),
	kind(2, (*parser).softmax, (*writer).softmax),
	kind(2, (*parser).function, (*writer).function),
	kind(2, (*parser).canonical, (*writer).canonical),
	kind(2, (*parser).pairwise, (*writer).pairwise),
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
func (p *parser) dist(o *jsontext.Object, f *model.Factor) {
	var found *distKind
	for i := range distKinds {
		k := &distKinds[i]
		if !p.Enter(o, k.name) {
			continue
		}
		if found != nil {
			p.Fail(p.Peek().Off, "found %q beside %q; want one distribution", k.name, found.name)
		}
		found = k
	}
	if found == nil {
		p.Fail(o.Off, "found a factor without a distribution; want one of %q", kindNames())
		return
	}
	found.read(p, f)
}

// numbers reads a list of at most MaxEntries numbers, and returns them and their offsets.
func (p *parser) numbers() (values []float64, offs []int) {
	return p.numbersAt(0, func(int) bool { return true })
}

// numbersAt reads a list of at most MaxEntries numbers, about some of them, and returns them and
// the offsets of those with an index that at accepts.
func (p *parser) numbersAt(some int, at func(i int) bool) (values []float64, offs []int) {
	values = make([]float64, 0, min(some, p.Left()/2)) // a digit and a comma
	p.Array("a list of numbers", func() {
		if len(values) == p.opt.MaxEntries {
			p.Fail(p.Peek().Off, "found more than %d numbers; the limit is %d", len(values), p.opt.MaxEntries)
		}
		x, off := p.Entry()
		if at(len(values)) {
			offs = append(offs, off)
		}
		values = append(values, x)
	})
	return values, offs
}

// complete checks that a list over scope, which was just read, has one entry for each joint state.
func (p *parser) complete(got int, scope []model.VarID, what string) {
	for _, v := range scope {
		if p.m.IsReal(v) {
			p.Fail(p.Off-1, "found a table over the real variable %s; want states, or a kind for real variables such as gaussian", text.Quote(p.m.Vars[v].Name))
		}
	}
	n, ok := p.m.TableSize(scope)
	if !ok || n != got {
		p.Fail(p.Off-1, "found %d %s; want %.0f, one for each joint state", got, what, math.Exp(p.m.LogTableSize(scope)))
	}
}

// table reads a table. It refuses one beyond the limit before it keeps numbers, and keeps the
// places of rows only.
func (p *parser) table(f *model.Factor) {
	n, ok := p.m.TableSize(f.Scope)
	if ok && n > p.opt.MaxEntries {
		p.opt.TooLarge(&p.List, p.Pos(p.Peek().Off), p.m.FactorName(f), float64(n))
		return
	}
	inner, period := 1, max(1, n) // a potential has one row
	if ok && f.Child >= 0 {
		inner, _ = p.m.TableSize(f.Scope[f.Child+1:])
		period = inner * p.m.Card(f.ChildVar())
	}
	values, offs := p.numbersAt(n, func(i int) bool { return i%period < inner })
	p.complete(len(values), f.Scope, "numbers")
	if p.HasErrors() {
		return
	}
	f.Dist = &model.Table{Values: values}
	for _, off := range offs {
		f.RowPos = append(f.RowPos, p.Pos(off))
	}
}

func (p *parser) deterministic(f *model.Factor) {
	if f.Child < 0 {
		p.Fail(p.Peek().Off, "found a deterministic potential; want a child")
		return
	}
	d := &model.Deterministic{}
	p.Array("a list of states", func() { d.States = append(d.States, p.state(f.ChildVar())) })
	p.complete(len(d.States), f.Parents(), "states")
	f.Dist = d
}

func (p *parser) noisyMax(f *model.Factor) {
	if f.Child < 0 {
		p.Fail(p.Peek().Off, "found a noisy-max potential; want a child")
		return
	}
	o := p.Fields("a noisy-max", "leak", "causes")
	p.Need(o, "leak")
	d := &model.NoisyMax{}
	var offs []int
	d.Leak, offs = p.numbers()
	card := max(1, p.m.Card(f.ChildVar()))
	rows := func() { // model.Check rejects incomplete rows
		for i := 0; i < len(offs); i += card {
			f.RowPos = append(f.RowPos, p.Pos(offs[i]))
		}
	}
	rows()
	p.Need(o, "causes")
	p.Array("a list of causes", func() {
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
	o := p.Fields("an LDFM", "weights", "stop", "normals")
	p.Need(o, "weights")
	d := &model.LDFM{}
	var offs []int
	d.Weights, offs = p.numbers()
	n := 0
	for _, v := range f.Scope {
		n += p.m.Vars[v].Domain.Columns()
	}
	for i := 0; n > 0 && i < len(offs); i += n {
		f.RowPos = append(f.RowPos, p.Pos(offs[i]))
	}
	if p.Enter(o, "stop") {
		d.Stop, _ = p.numbers()
	}
	if p.Enter(o, "normals") {
		p.normals(d)
	}
	p.Leave(o)
	f.Dist = d
}

// normals reads the distributions of real variables, three numbers each.
func (p *parser) normals(d *model.LDFM) {
	at := p.Peek().Off
	list, _ := p.numbers()
	if len(list)%3 != 0 {
		p.Fail(at, "found %d numbers of normal distributions; want a mean, a slope and a variance of each", len(list))
		return
	}
	for i := 0; i < len(list); i += 3 {
		d.Normals = append(d.Normals, model.Normal{Mean: list[i], Slope: list[i+1], Var: list[i+2]})
	}
}

func (p *parser) tree(f *model.Factor) {
	d := &model.Tree{}
	p.Array("a list of nodes", func() {
		o := p.Fields("a node", "test", "next", "leaf")
		var n model.TreeNode
		if p.Enter(o, "leaf") {
			if p.Enter(o, "test") || p.Enter(o, "next") {
				p.Fail(o.Off, "found a node that is a leaf and a test; want one of them")
			}
			n.Leaf, _ = p.numbers()
			if len(n.Leaf) == 0 {
				p.Fail(o.Off, "found a leaf without numbers; want one for each state of the child, and without a child one number")
			}
			f.RowPos = append(f.RowPos, p.Pos(o.Off))
		} else {
			p.Need(o, "test")
			n.Axis = p.axis(f)
			p.Need(o, "next")
			n.Next = p.nodes()
		}
		d.Nodes = append(d.Nodes, n)
		p.Leave(o)
	})
	f.Dist = d
}

// nodes reads the indices of nodes.
func (p *parser) nodes() []int32 {
	var nodes []int32
	p.Array("a list of nodes", func() { nodes = append(nodes, p.Int("the place of a node")) })
	return nodes
}

func (p *parser) features(f *model.Factor) {
	d := &model.Features{}
	p.Array("a list of features", func() {
		o := p.Fields("a feature", "weight", "if")
		var x model.Feature
		p.Need(o, "weight")
		x.Weight = p.weight()
		if p.Enter(o, "if") {
			p.Array("a list of literals", func() { x.Literals = append(x.Literals, p.literal(f)) })
		}
		d.List = append(d.List, x)
		f.RowPos = append(f.RowPos, p.Pos(o.Off))
		p.Leave(o)
	})
	f.Dist = d
}

// minusInf is a weight of minus infinity in a file: JSON has no such number.
const minusInf = "-inf"

func (p *parser) weight() float64 {
	t := p.Peek()
	if t.Kind != jsontext.Str {
		x, _ := p.Float()
		return x
	}
	p.Next()
	if t.Text != minusInf {
		p.Fail(t.Off, "found the weight %s; want a number or %q", text.Quote(t.Text), minusInf)
	}
	return math.Inf(-1)
}

func (p *parser) literal(f *model.Factor) model.Literal {
	o := p.Fields("a literal", "var", "is", "not")
	p.Need(o, "var")
	x := model.Literal{Axis: p.axis(f)}
	if p.HasErrors() {
		return x
	}
	is := p.Enter(o, "is")
	x.Not = p.Enter(o, "not")
	if is == x.Not {
		p.Fail(o.Off, `found a literal with both or neither of "is" and "not"; want one of them`)
		return x
	}
	x.State = p.state(f.Scope[x.Axis])
	p.Leave(o)
	return x
}

func (p *parser) circuit(f *model.Factor) {
	d := &model.Circuit{}
	p.Array("a list of nodes", func() {
		o := p.Fields("a node", "number", "var", "is", "sum", "product")
		d.Nodes = append(d.Nodes, p.circuitNode(o, f))
		f.RowPos = append(f.RowPos, p.Pos(o.Off))
		p.Leave(o)
	})
	f.Dist = d
}

func (p *parser) circuitNode(o *jsontext.Object, f *model.Factor) (n model.CircuitNode) {
	given := 0
	for _, name := range []string{"number", "var", "sum", "product"} {
		if p.Enter(o, name) {
			given++
		}
	}
	if given != 1 || p.Enter(o, "is") && !p.Enter(o, "var") {
		p.Fail(o.Off, "found a node that is not one operation; want a number, a variable and its state, a sum or a product")
		return n
	}
	switch {
	case p.Enter(o, "number"):
		n.Value, _ = p.Float()
	case p.Enter(o, "sum"):
		n.Op, n.Args = model.CircuitSum, p.nodes()
	case p.Enter(o, "product"):
		n.Op, n.Args = model.CircuitProduct, p.nodes()
	case p.Enter(o, "var"):
		n.Op, n.Axis = model.CircuitIndicator, p.axis(f)
		if p.Need(o, "is"); !p.HasErrors() {
			n.State = p.state(f.Scope[n.Axis])
		}
	}
	return n
}
