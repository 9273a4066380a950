package belief

import (
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/compiler/method/internal/gauss"
	"github.com/pgmc-go/pgmc/compiler/method/internal/loop"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// gaussian plans Gaussian belief propagation: scalar messages between the real variables of a
// network with the product of factors exp(constant + h·x - x'Jx/2). Variables are in units in which
// the diagonal of J is 1.
type gaussian struct {
	*loop.Plan
	j        [][]float64
	h, scale []float64
	constant float64
	near     [][]int      // by variable: its neighbours
	out      []ir.TableID // by variable: its messages, to each neighbour a precision and a linear number
	linear   ir.TableID   // by variable: h given the evidence
}

// newGaussian returns a plan with the product of all factors.
func newGaussian(p *ir.Problem) *gaussian {
	n := len(p.Model.Vars)
	b := &gaussian{Plan: loop.New(p), h: make([]float64, n), scale: make([]float64, n), near: make([][]int, n)}
	for range n {
		b.j = append(b.j, make([]float64, n))
	}
	for _, f := range p.Model.Factors {
		b.factor(f)
	}
	for i := range n {
		b.scale[i] = 1
		if b.j[i][i] > 0 {
			b.scale[i] = 1 / math.Sqrt(b.j[i][i])
		}
		for j := range n {
			if i != j && b.j[i][j] != 0 {
				b.near[i] = append(b.near[i], j)
			}
		}
	}
	return b
}

// factor adds a factor without discrete variables, with a quadratic logarithm.
func (b *gaussian) factor(f *model.Factor) {
	d, ok := f.Dist.(model.QuadraticLog)
	if !ok {
		return // a number
	}
	k, h, g, _ := d.QuadraticLog(0)
	b.constant += g
	at := 0
	for i, v := range f.Scope {
		b.h[v] += h[i]
		for _, w := range f.Scope[i:] {
			b.j[v][w] += k[at]
			if v != w {
				b.j[w][v] += k[at]
			}
			at++
		}
	}
}

// evidence returns whether a variable is observed, and its value in its units.
func (b *gaussian) evidence(c *gauss.Code, i int) (seen, value circuit.Node) {
	if b.Lambda[i] == ir.NoTable {
		return circuit.Zero, circuit.Zero
	}
	return c.Read(gauss.Part(b.Lambda[i], 0)), c.Prod(c.Const(1/b.scale[i]), c.Read(gauss.Part(b.Lambda[i], 1)))
}

// coupling returns the element of J of two variables in their units, 0 if one is observed.
func (b *gaussian) coupling(c *gauss.Code, i, j int) circuit.Node {
	seen, _ := b.evidence(c, i)
	other, _ := b.evidence(c, j)
	hidden := c.Prod(c.Sub(circuit.One, seen), c.Sub(circuit.One, other))
	return c.Prod(c.Const(b.j[i][j]*b.scale[i]*b.scale[j]), hidden)
}

// begin sets the linear numbers given the evidence, and the messages to 0.
func (b *gaussian) begin() {
	b.Improper = b.Kept("improper messages")
	b.Start = append(b.Start, b.Copy(b.Improper, b.Zero))
	b.Round = append(b.Round, b.Copy(b.Improper, b.Zero))
	n := len(b.h)
	b.linear = b.Add(ir.Table{Name: "h", Role: ir.RolePersistent, Var: -1, Parts: max(1, n)})
	c := gauss.NewCode()
	for i := range n {
		seen, _ := b.evidence(c, i)
		sum := c.Const(b.h[i] * b.scale[i])
		for _, j := range b.near[i] {
			_, y := b.evidence(c, j)
			sum = c.Sub(sum, c.Prod(c.Const(b.j[i][j]*b.scale[i]*b.scale[j]), y))
		}
		c.Write(ir.MapPart{Table: b.linear, Part: i}, c.Prod(c.Sub(circuit.One, seen), sum))
		t := b.Add(ir.Table{Name: "messages of " + b.Model.Vars[i].Name, Role: ir.RolePersistent, Var: -1, Parts: max(1, 2*len(b.near[i]))})
		b.out = append(b.out, t)
		zero := gauss.NewCode()
		for k := range max(1, 2*len(b.near[i])) {
			zero.Write(ir.MapPart{Table: t, Part: k}, circuit.Zero)
		}
		b.Start = append(b.Start, zero.MapOp())
	}
	b.Start = append(b.Start, c.MapOp())
}

// from returns the message from variable j to variable i.
func (b *gaussian) from(c *gauss.Code, j, i int) (precision, linear circuit.Node) {
	k := slices.Index(b.near[j], i)
	return c.Read(gauss.Part(b.out[j], 2*k)), c.Read(gauss.Part(b.out[j], 2*k+1))
}

// belief returns the precision and the linear number of variable i.
func (b *gaussian) belief(c *gauss.Code, i int) (precision, linear circuit.Node) {
	precision, linear = circuit.One, c.Read(gauss.Part(b.linear, i))
	for _, j := range b.near[i] {
		p, h := b.from(c, j, i)
		precision, linear = c.Sum(precision, p), c.Sum(linear, h)
	}
	return precision, linear
}

// update plans the messages of variable i: the operations that compute them, and those that replace
// the old ones. A message is not used if its precision would not be positive, and the iteration
// does not count as converged. With visits, Improper is the sum over the last visit of each
// variable.
func (b *gaussian) update(i int) (compute, use []ir.Op) {
	if len(b.near[i]) == 0 {
		return nil, nil
	}
	c := gauss.NewCode()
	next := b.Add(ir.Table{Name: "new messages of " + b.Model.Vars[i].Name, Role: ir.RoleTemp, Var: -1, Parts: 2 * len(b.near[i])})
	rejected := b.Temp("unused messages")
	precision, linear := b.belief(c, i)
	bad := circuit.Zero
	for k, j := range b.near[i] {
		p, h := b.from(c, j, i)
		p, h = c.Sub(precision, p), c.Sub(linear, h)
		proper := gauss.Positive(c.Circuit, p)
		by := c.Neg(c.Quot(b.coupling(c, i, j), gauss.Or(c.Circuit, proper, p, circuit.One)))
		for part, x := range []circuit.Node{c.Prod(by, b.coupling(c, i, j)), c.Prod(by, h)} {
			old := c.Read(gauss.Part(b.out[i], 2*k+part))
			c.Write(ir.MapPart{Table: next, Part: 2*k + part}, gauss.Or(c.Circuit, proper, x, old))
		}
		bad = c.Sum(bad, c.Sub(circuit.One, proper))
	}
	c.Write(ir.MapPart{Table: rejected}, bad)
	count := func(total ir.TableID) ir.Op {
		return &ir.TallyOp{Kind: ir.TallySum, Factor: 1, Total: total, In: rejected, Alive: ir.NoTable, Ref: ir.NoTable}
	}
	use = []ir.Op{b.Damp(b.out[i], next), count(b.Improper), count(b.Residual)}
	if b.Priority {
		last := b.Kept("unused messages of the last visit")
		b.Start = append(b.Start, b.Copy(last, b.Zero))
		use[1] = b.Copy(last, rejected)
		rejected = last
		b.End = append(b.End, count(b.Improper))
	}
	return []ir.Op{c.MapOp()}, use
}

// rounds plans iterations over all variables, in order and back, or with flooding by the messages
// of the iteration before.
func (b *gaussian) rounds(order []int, flooding bool) {
	back := slices.Clone(order)
	slices.Reverse(back)
	if flooding {
		back = nil
	}
	var set []ir.Op
	for _, i := range append(order, back...) {
		compute, use := b.update(i)
		b.Round = append(b.Round, compute...)
		if flooding {
			set = append(set, use...)
		} else {
			b.Round = append(b.Round, use...)
		}
	}
	b.Round = append(b.Round, set...)
}

// visits plans the residual schedule, as that of discrete variables: each variable is visited once,
// in order, and then always one with neighbours that have changed most since its last visit.
func (b *gaussian) visits(order []int) {
	order = slices.DeleteFunc(order, func(i int) bool { return len(b.near[i]) == 0 })
	b.Priority = len(order) > 0
	place := make([]int32, len(b.near))
	for k, i := range order {
		place[i] = int32(k)
	}
	for _, i := range order {
		compute, use := b.update(i)
		item := loop.Item{Name: "visit " + b.Model.Vars[i].Name, Ops: slices.Concat([]ir.Op{b.Clear()}, compute, use)}
		for _, j := range b.near[i] {
			item.Push = append(item.Push, place[j])
		}
		b.Items = append(b.Items, item)
	}
}

// order returns the variables from the leaves of breadth-first trees to their roots, and whether
// the graph is a forest.
func (b *gaussian) order() (list []int, forest bool) {
	seen := make([]bool, len(b.near))
	edges, roots := 0, 0
	for r := range b.near {
		edges += len(b.near[r])
		if seen[r] {
			continue
		}
		roots++
		seen[r] = true
		for queue := []int{r}; len(queue) > 0; queue = queue[1:] {
			list = append(list, queue[0])
			for _, j := range b.near[queue[0]] {
				if !seen[j] {
					seen[j] = true
					queue = append(queue, j)
				}
			}
		}
	}
	slices.Reverse(list)
	return list, edges/2 == len(b.near)-roots
}

// end plans the answers, and ln P by the Bethe free energy.
func (b *gaussian) end() {
	c := gauss.NewCode()
	log := c.Const(b.constant)
	const half = .5
	gauss2 := c.Const(half * pgmrt.Ln(2*math.Pi))
	// A run that has not converged may leave precisions below 0, for which 1 stands.
	proper := func(p circuit.Node) circuit.Node {
		return gauss.Or(c.Circuit, gauss.Positive(c.Circuit, p), p, circuit.One)
	}
	integral := func(p, h circuit.Node) circuit.Node { // ln of that of exp(h x - p x²/2)
		p = proper(p)
		return c.Sum(gauss2, c.Prod(c.Const(half), c.Sub(c.Quot(c.Prod(h, h), p), c.Log(p))))
	}
	for i := range b.h {
		seen, y := b.evidence(c, i)
		hidden := c.Sub(circuit.One, seen)
		p, h := b.belief(c, i)
		own := integral(p, h)
		log = c.Sum(log, c.Sub(own, c.Prod(seen, gauss2)))
		log = c.Sum(log, c.Prod(hidden, c.Const(pgmrt.Ln(b.scale[i]))))
		log = c.Sum(log, c.Prod(y, c.Sub(c.Const(b.h[i]*b.scale[i]), c.Prod(c.Const(half*b.j[i][i]*b.scale[i]*b.scale[i]), y))))
		for _, j := range b.near[i] {
			if j < i {
				continue
			}
			_, z := b.evidence(c, j)
			log = c.Sub(log, c.Prod(c.Const(b.j[i][j]*b.scale[i]*b.scale[j]), c.Prod(y, z)))
			q, k := b.from(c, j, i)
			log = c.Sum(log, c.Sub(integral(c.Sub(p, q), c.Sub(h, k)), own))
		}
		if b.Outs[i] != ir.NoTable {
			s := b.scale[i]
			c.Write(ir.MapPart{Table: b.Outs[i], Part: 0}, c.Prod(c.Const(s), c.Sum(y, c.Prod(hidden, c.Quot(h, proper(p))))))
			c.Write(ir.MapPart{Table: b.Outs[i], Part: 1}, c.Prod(hidden, c.Quot(c.Const(s*s), proper(p))))
		}
	}
	t := b.Temp("ln density")
	c.Write(ir.MapPart{Table: t}, log)
	b.End = append(b.End, c.MapOp(), &ir.TallyOp{Kind: ir.TallySum, Factor: 1, Total: b.LogP, In: t, Alive: ir.NoTable, Ref: ir.NoTable})
}
