package clg

import (
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/compiler/method/internal/gauss"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/model"
)

// findGuests finds the components with a context that another component's context includes. Their
// logarithms are added before the largest one is taken, since the product of numbers that are each
// relative to a largest one may be below all numbers in every joint state. The tilts of
// sensitivities need the front of each component.
func (b *builder) findGuests() {
	if b.tilted() {
		return
	}
	bySize := slices.Clone(b.components)
	slices.SortStableFunc(bySize, func(g, h *component) int { return len(h.context) - len(g.context) })
	for i, g := range bySize {
		at := slices.IndexFunc(bySize[:i], func(h *component) bool { return !h.guest && within(g.context, h.context) })
		if g.guest = len(g.context) > 0 && at >= 0; g.guest {
			bySize[at].guests = append(bySize[at].guests, g)
		}
	}
}

// within reports whether all variables of list are in set.
func within(list, set []model.VarID) bool {
	return !slices.ContainsFunc(list, func(v model.VarID) bool { return !slices.Contains(set, v) })
}

// hosts returns the components that have a front.
func (b *builder) hosts() (list []*component) {
	for _, g := range b.components {
		if len(g.context) > 0 && !g.guest {
			list = append(list, g)
		}
	}
	return list
}

// declareFronts declares the fronts, and returns them as factors of the discrete part.
func (b *builder) declareFronts() (list []ir.Front) {
	for _, g := range b.hosts() {
		g.front = b.Add(ir.Table{Name: "front of " + b.Set(g.vars), Scope: g.context, Role: ir.RoleOut, Var: -1})
		list = append(list, ir.Front{Table: g.front, Scope: g.context})
	}
	return list
}

// front plans the front of a host from the logarithms and the possible states of g and its guests.
// States that evidence, the discrete CPDs or functions exclude, for which weight is 0, do not count
// when its largest number is set to 1.
func (b *builder) front(g *component, weights map[*component]ir.TableID) {
	if g.allowed = weights[g]; len(g.guests) > 0 {
		c := gauss.NewCode()
		all := c.Read(gauss.Part(weights[g], 0))
		for _, x := range g.guests {
			all = c.Prod(all, gauss.Positive(c.Circuit, c.Read(gauss.Part(weights[x], 0))))
		}
		g.allowed = b.Temp("possible "+b.Set(g.context)+" with guests", g.context)
		c.Write(ir.MapPart{Table: g.allowed}, all)
		b.Do(c)
	}
	logs := b.total(g, func(x *component) gauss.Number { return x.root().logs })
	g.logs, g.lost = b.antilog(g, "scale of ", g.front, logs)
}

// total returns the table of the sums of numbers of g and its guests.
func (b *builder) total(g *component, of func(*component) gauss.Number) ir.TableID {
	if len(g.guests) == 0 {
		return of(g).Table
	}
	c := gauss.NewCode()
	sum := c.Read(of(g))
	for _, x := range g.guests {
		sum = c.Sum(sum, c.Read(of(x)))
	}
	t := b.Temp("logarithms with guests of "+b.Set(g.vars), g.context)
	c.Write(ir.MapPart{Table: t}, sum)
	b.Do(c)
	return t
}

// Bounds of numbers that are near 0. If the root is above leastRoot, what underflow loses is below
// its last digit. If each front is above leastFront, divided among them in logarithms, their
// product does not underflow, and 2^-122 remains for the discrete CPDs.
const (
	leastRoot  = 0x1p-960
	leastFront = 900 // of -log2
)

// antilog plans the numbers of a front of g from logarithms. It returns their scale and, if numbers
// of the front may be lost, a number that is positive if there are states near 0 that are allowed.
func (b *builder) antilog(g *component, name string, out, logs ir.TableID) (scale ir.TableID, lost gauss.Number) {
	scale = b.Temp(name+b.Set(g.vars), nil)
	b.Ops = append(b.Ops, &ir.AntilogOp{Out: out, Most: scale, In: logs, Weight: g.allowed})
	if !b.loses() {
		return scale, gauss.Constant(0)
	}
	least := math.Exp2(-leastFront / float64(len(b.hosts())))
	return scale, b.single("states near 0 of "+b.Set(g.context), func(c *gauss.Code) circuit.Node {
		allowed := gauss.Positive(c.Circuit, c.Read(gauss.Part(g.allowed, 0)))
		return c.Prod(allowed, c.Max(circuit.Zero, c.Sub(c.Const(least), c.Read(gauss.Part(out, 0)))))
	})
}

// loses reports whether the state with the largest number of a front may be impossible: another
// front, or a discrete CPD over other variables too, may exclude it.
func (b *builder) loses() bool {
	hosts := b.hosts()
	return len(hosts) > 1 || slices.ContainsFunc(b.m.Factors, func(f *model.Factor) bool {
		return f.Gaussian() == nil && !slices.ContainsFunc(hosts, func(g *component) bool { return within(f.Scope, union(g.context, b.Fixed)) })
	})
}

// losses returns the numbers that are positive if numbers of fronts are near 0, for a query of that
// kind.
func (b *builder) losses(kind ir.QueryKind) (list []gauss.Number) {
	for _, g := range b.hosts() {
		lost := g.lost
		if kind == ir.MPE {
			lost = g.bestLost
		}
		if lost != gauss.Constant(0) {
			list = append(list, lost)
		}
	}
	return list
}
