package backendtest

import (
	"fmt"
	"math/rand/v2"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Random returns n programs made from seed: a few variables and tables over them, and steps that
// combine tables into new ones, normalise, rescale and clear them, pick states and look up rows.
// The names of spans are hostile.
func Random(n int, seed uint64) []Case {
	return random("random", n, seed, 2, func(*generator) {})
}

// generator makes one program: a signature given all variables but the first, with a state that is
// picked at the beginning, so that any variable may be fixed.
type generator struct {
	r      *rand.Rand
	p      *ir.Program
	size   []int // numbers of states, by variable
	tables []table
	exp    ir.SpanID
	steps  []ir.Step

	circuits bool
	plain    bool // maps take the operations of RandomArithmetic alone
	loops    bool
	vectors  bool      // there are only contractions without fixed axes, and answers that are normalised
	total    ir.SpanID // of tallies, as is alive
	alive    ir.SpanID
	more     func()                  // adds a step of another kind; may be nil
	values   map[ir.SpanID][]float64 // initial values of kept spans; random if absent
	energies [][]ir.SpanID           // by variable
}

// random makes n programs from seed. prepare sets up each generator.
func random(name string, n int, seed uint64, inputs int, prepare func(*generator)) []Case {
	cases := make([]Case, n)
	for i := range cases {
		g := &generator{r: rand.New(rand.NewPCG(seed, uint64(i))), values: map[ir.SpanID][]float64{}}
		prepare(g)
		cases[i] = Case{Name: fmt.Sprintf("%s %d.%d", name, seed, i), Program: g.program()}
		cases[i].Sizes = g.size
		for range inputs {
			cases[i].Inputs = append(cases[i].Inputs, g.input())
		}
		if err := g.p.Verify(); err != nil {
			panic(fmt.Sprintf("backendtest: %s: %v", cases[i].Name, err))
		}
	}
	return cases
}

// table is a span that holds a function of variables, row-major, and has been written.
type table struct {
	span  ir.SpanID
	scope []model.VarID
	pad   int // elements without meaning after the states of the last variable
}

var hostileNames = []string{
	"{A,B} → {A}", "a\n}\nfunc init() { panic(1) }\n//", "go:embed secret", "line x.go:7", "*/ x /*", "math.Pi pgmrt.New", "", "\u2028\r\x00\xff", "`\"'\\n",
}

func (g *generator) program() *ir.Program {
	g.p = &ir.Program{Name: "random", Params: ir.ParamMode(g.r.IntN(2))}
	for range 3 + g.r.IntN(4) {
		g.size = append(g.size, []int{1, 2, 2, 2, 3, 3, 4, 5}[g.r.IntN(8)])
	}
	g.p.State = g.span(ir.Span{Elem: ir.Int32, Role: ir.RolePersistent, Len: len(g.size)})
	g.exp = ir.NoSpan
	switch {
	case g.vectors:
		g.p.Align = 4
	case !g.plain:
		g.exp = g.span(ir.Span{Elem: ir.Int32, Role: ir.RoleTemp, Len: 1})
		g.steps = append(g.steps, &ir.Zero{Span: g.exp}, &ir.Pick{Axes: []ir.Axis{{Size: g.size[0]}}})
	}
	g.leaves()
	if g.loops {
		g.numbersOfLoops()
	}
	for range 4 + g.r.IntN(14) {
		g.step()
	}
	g.blocks(g.answers())
	layOut(g.p)
	return g.p
}

func (g *generator) span(s ir.Span) ir.SpanID {
	s.Name, s.Offset = hostileNames[g.r.IntN(len(hostileNames))], -1
	if s.Role != ir.RoleIn && s.Role != ir.RoleOut {
		s.Var = -1
	}
	g.p.Spans = append(g.p.Spans, s)
	return ir.SpanID(len(g.p.Spans) - 1)
}

// leaves makes a likelihood for each variable, tables of numbers, and tables that are kept between
// runs.
func (g *generator) leaves() {
	for v, n := range g.size {
		id := g.span(ir.Span{Role: ir.RoleIn, Len: n, Var: model.VarID(v)})
		g.tables = append(g.tables, table{span: id, scope: []model.VarID{model.VarID(v)}})
	}
	for range 2 + g.r.IntN(5) {
		scope := g.scope(3)
		role := []ir.Role{ir.RoleConst, ir.RoleParam, ir.RolePersistent}[g.r.IntN(3)]
		s := ir.Span{Role: role, Len: g.len(scope)}
		if s.ReadOnly() {
			s.Data = g.numbers(s.Len)
		}
		g.tables = append(g.tables, table{span: g.span(s), scope: scope})
	}
}

// numbers returns zeros, ones, equal numbers and others. One list in eight is all zero.
func (g *generator) numbers(n int) []float64 {
	out := make([]float64, n)
	if g.r.IntN(8) == 0 {
		return out
	}
	for i := range out {
		switch g.r.IntN(6) {
		case 0:
		case 1:
			out[i] = 1
		case 2:
			out[i] = .3
		case 3:
			out[i] = g.r.Float64() * 1e-3
		default:
			out[i] = g.r.Float64()
		}
	}
	return out
}

func (g *generator) scope(most int) []model.VarID {
	perm := g.r.Perm(len(g.size))[:g.r.IntN(min(most, len(g.size))+1)]
	scope := make([]model.VarID, len(perm))
	for i, v := range perm {
		scope[i] = model.VarID(v)
	}
	return scope
}

func (g *generator) len(scope []model.VarID) int {
	n := 1
	for _, v := range scope {
		n *= g.size[v]
	}
	return n
}

func (g *generator) step() {
	if g.circuits && g.r.IntN(4) == 0 {
		g.circuit()
	}
	if g.loops && g.r.IntN(3) == 0 {
		g.loopStep()
		return
	}
	if g.more != nil && g.r.IntN(2) == 0 {
		g.more()
		return
	}
	if g.vectors || g.plain {
		if g.r.IntN(6) == 0 {
			g.invert()
		} else {
			g.contract()
		}
		return
	}
	switch g.r.IntN(13) {
	case 0:
		g.pick()
	case 1:
		g.lookup()
	case 2:
		if t, ok := g.writable(); ok {
			g.steps = append(g.steps, &ir.Normalize{Span: t.span})
		}
	case 3:
		if t, ok := g.writable(); ok {
			g.steps = append(g.steps, &ir.Rescale{Span: t.span, Exp: []ir.SpanID{g.exp, ir.NoSpan}[g.r.IntN(2)]})
		}
	case 4:
		g.slice()
	case 5:
		g.invert()
	default:
		g.contract()
	}
}

// writable returns a random table; ok reports whether steps may change it.
func (g *generator) writable() (table, bool) {
	t := g.tables[g.r.IntN(len(g.tables))]
	return t, g.mayWrite(t)
}

// mayWrite reports whether steps may change t.
func (g *generator) mayWrite(t table) bool {
	role := g.p.Spans[t.span].Role
	return role == ir.RoleTemp || role == ir.RolePersistent
}

// operands returns up to four tables, without the excluded one.
func (g *generator) operands(without ir.SpanID) []table {
	var out []table
	for range g.r.IntN(5) {
		if t := g.tables[g.r.IntN(len(g.tables))]; t.span != without {
			out = append(out, t)
		}
	}
	return out
}

// contract makes a new table, or overwrites one.
func (g *generator) contract() {
	out, known := g.writable()
	if !known || g.r.IntN(3) > 0 {
		out = g.temporary(g.scope(4))
		known = false
	}
	g.product(out, g.operands(out.span), nil)
	if !known {
		g.tables = append(g.tables, out)
	}
}

// invert makes a single number of some tables, and another of its reciprocal.
func (g *generator) invert() {
	x, r := g.temporary(nil), g.temporary(nil)
	g.product(x, g.operands(x.span), nil)
	g.steps = append(g.steps, &ir.Invert{Out: r.span, In: x.span})
	g.tables = append(g.tables, x, r)
}

// slice clears a table and fills the part of it that states select.
func (g *generator) slice() {
	out, ok := g.writable()
	if !ok || len(out.scope) == 0 {
		return
	}
	g.steps = append(g.steps, &ir.Zero{Span: out.span})
	g.product(out, g.operands(out.span), out.scope[:1+g.r.IntN(len(out.scope))])
}

// product contracts operands to out. The given variables are fixed, and at random others that are
// not in out.
func (g *generator) product(out table, in []table, fixed []model.VarID) {
	c := &ir.Contract{}
	seen := map[model.VarID]bool{}
	add := func(v model.VarID, k ir.AxisKind) {
		if !seen[v] {
			seen[v] = true
			c.Axes = append(c.Axes, ir.Axis{Var: v, Size: g.size[v], Kind: k})
			if k == ir.AxisReduced && c.Reduce == ir.ReduceNone {
				c.Reduce = []ir.Reduce{ir.ReduceSum, ir.ReduceSum, ir.ReduceMax}[g.r.IntN(3)]
			}
		}
	}
	for _, v := range fixed {
		add(v, ir.AxisFixed)
	}
	for _, v := range out.scope {
		add(v, ir.AxisOut)
	}
	for _, t := range in {
		for _, v := range t.scope {
			kind := []ir.AxisKind{ir.AxisReduced, ir.AxisReduced, ir.AxisReduced, ir.AxisFixed}[g.r.IntN(4)]
			if g.vectors || g.plain {
				kind = ir.AxisReduced
			}
			add(v, kind)
		}
	}
	g.r.Shuffle(len(c.Axes), func(i, j int) { c.Axes[i], c.Axes[j] = c.Axes[j], c.Axes[i] })
	c.Out = g.view(out, c.Axes)
	for _, t := range in {
		c.In = append(c.In, g.view(t, c.Axes))
	}
	g.steps = append(g.steps, c)
}

func (g *generator) view(t table, axes []ir.Axis) ir.View {
	v := ir.View{Span: t.span, Stride: make([]int, len(axes))}
	step := 1
	for i := len(t.scope) - 1; i >= 0; i-- {
		for k, a := range axes {
			if a.Var == t.scope[i] {
				v.Stride[k] = step
			}
		}
		step *= g.size[t.scope[i]]
		if i == len(t.scope)-1 {
			step += t.pad
		}
	}
	return v
}

// pick chooses a state. All other variables of its operands are fixed.
func (g *generator) pick() {
	v := model.VarID(g.r.IntN(len(g.size)))
	s := &ir.Pick{Axes: []ir.Axis{{Var: v, Size: g.size[v]}}, Mode: ir.PickMode(g.r.IntN(2))}
	in := g.operands(ir.NoSpan)
	seen := map[model.VarID]bool{v: true}
	for _, t := range in {
		for _, u := range t.scope {
			if !seen[u] {
				seen[u] = true
				s.Axes = append(s.Axes, ir.Axis{Var: u, Size: g.size[u], Kind: ir.AxisFixed})
			}
		}
	}
	for _, t := range in {
		s.In = append(s.In, g.view(t, s.Axes))
	}
	g.steps = append(g.steps, s)
}

// lookup copies the part of a table over the last variables of its scope. The first variables are
// fixed.
func (g *generator) lookup() {
	t := g.tables[g.r.IntN(len(g.tables))]
	k := g.r.IntN(len(t.scope) + 1)
	s := &ir.Lookup{Table: t.span}
	for _, v := range t.scope[:k] {
		s.Axes = append(s.Axes, ir.Axis{Var: v, Size: g.size[v], Kind: ir.AxisFixed})
	}
	s.Out = g.span(ir.Span{Role: ir.RoleTemp, Len: g.len(t.scope[k:])})
	g.tables = append(g.tables, table{span: s.Out, scope: t.scope[k:]})
	g.steps = append(g.steps, s)
}

// answers copies most temporaries to spans that the caller or the next run reads, and makes the
// answer of the signature and the root.
func (g *generator) answers() *ir.Entry {
	for _, t := range g.tables {
		if g.p.Spans[t.span].Role == ir.RoleTemp && g.r.IntN(4) > 0 {
			s := ir.Span{Role: ir.RolePersistent, Len: g.len(t.scope)}
			if len(t.scope) == 1 {
				s.Role, s.Var = ir.RoleOut, t.scope[0]
			}
			id := g.span(s)
			g.product(table{span: id, scope: t.scope}, []table{t}, nil)
			if g.vectors && s.Role == ir.RoleOut {
				g.steps = append(g.steps, &ir.Normalize{Span: id})
			}
		}
	}
	root := table{span: g.span(ir.Span{Role: ir.RoleTemp, Len: 1})}
	g.product(root, g.operands(root.span), nil)
	out := table{span: g.span(ir.Span{Role: ir.RoleOut, Len: g.size[0]}), scope: []model.VarID{0}}
	g.product(out, g.operands(out.span), nil)
	q := &ir.Query{Name: "q", Kind: ir.Signature, Targets: []model.VarID{0}}
	for v := 1; v < len(g.size); v++ {
		q.Evidence = append(q.Evidence, model.VarID(v))
	}
	return &ir.Entry{Query: q, Root: root.span, Exp: g.exp, Outs: []ir.SpanID{out.span}}
}

// blocks cuts the steps into blocks.
func (g *generator) blocks(e *ir.Entry) {
	for len(g.steps) > 0 {
		n := 1 + g.r.IntN(len(g.steps))
		e.Blocks = append(e.Blocks, len(g.p.Blocks))
		name := fmt.Sprintf("block %d %s", len(g.p.Blocks), hostileNames[g.r.IntN(len(hostileNames))])
		g.p.Blocks = append(g.p.Blocks, ir.Block{Name: name, Steps: g.steps[:n]})
		g.steps = g.steps[n:]
	}
	g.p.Entries = []ir.Entry{*e}
}

func (g *generator) input() Input {
	in := Input{Values: map[ir.SpanID][]float64{}, Seed: g.r.Uint64()}
	for i := range g.p.Spans {
		sp := &g.p.Spans[i]
		if sp.Elem == ir.Float64 && (sp.Role == ir.RoleIn || sp.Role == ir.RolePersistent) {
			if in.Values[ir.SpanID(i)] = g.numbers(sp.Len); g.values[ir.SpanID(i)] != nil {
				in.Values[ir.SpanID(i)] = g.values[ir.SpanID(i)]
			}
		}
	}
	for _, n := range g.size {
		in.States = append(in.States, int32(g.r.IntN(n)))
	}
	return in
}
