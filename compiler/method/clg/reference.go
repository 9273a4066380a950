package clg

import (
	"math"
	"math/big"
	"slices"

	"github.com/pgmc-go/pgmc/compiler/method/internal/gauss"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/model"
)

// reference is the origin of the numbers of an unobserved variable. It is near its prior mean, so
// that the difference of an observed value and the mean that its parents predict has all digits. If
// the prior means differ much between the states of discrete variables, there is one reference for
// each joint state, or none if that would take too long.
type reference struct {
	scope []model.VarID
	at    []float64    // by joint state of scope
	rest  []float64    // the prior mean less at, which is a rounding error; nil if scope is empty
	exact []*big.Float // at + rest
}

// precise is the precision in which references are computed, in bits: enough for products of
// float64s and sums of numbers of different sizes.
const precise = 300

// farApart is the distance of prior means of a variable, in its least deviations given its family,
// from which on one reference does not serve all of them: rounding errors are then 2^-43 of these
// deviations.
const farApart = 1 << 10

// mostReferences is the largest number of joint states of references. Tables of messages may become
// spaceOfReferences times as large and have mostReferences numbers more.
const (
	mostReferences    = 1 << 12
	spaceOfReferences = 4
)

// chooseReferences sets the references of all real variables. With apart, a variable may have one
// for each joint state.
func (b *builder) chooseReferences(apart bool) {
	b.references = make([]reference, len(b.m.Vars))
	deviations := gauss.Deviations(b.m)
	for _, v := range b.m.Topological() {
		r := &b.references[v]
		if *r = (reference{at: []float64{0}}); b.m.IsReal(v) && !b.m.Vars[v].Given && len(b.m.CPD(v).Gaussian().Mean) > 0 {
			b.choose(v, apart, deviations[v])
		}
		r.exact = make([]*big.Float, len(r.at))
		for i := range r.at {
			r.exact[i] = number(r.at[i])
			if r.rest != nil {
				r.exact[i].Add(r.exact[i], number(r.rest[i]))
			}
		}
	}
}

// choose sets the reference of v.
func (b *builder) choose(v model.VarID, apart bool, deviation float64) {
	r := &b.references[v]
	own, parents := b.m.SplitParents(b.m.CPD(v))
	for _, u := range parents {
		own = append(own, b.references[u].scope...)
	}
	own = union(own)
	states, fits := b.m.TableSize(own)
	if !fits || states > max(mostReferences, len(b.m.CPD(v).Gaussian().Mean)) {
		return
	}
	means, state := make([]*big.Float, states), make([]int, len(b.m.Vars))
	low, high, sum := math.Inf(1), math.Inf(-1), 0.0
	for i := range means {
		means[i] = b.meanAt(b.m.CPD(v), state)
		x, _ := means[i].Float64()
		low, high, sum = min(low, x), max(high, x), sum+x/float64(states)
		b.m.Next(own, state)
	}
	switch {
	case math.IsInf(low, 0) || math.IsInf(high, 0): // no number is near
	case !(high-low > farApart*deviation):
		r.at[0] = min(max(sum, low), high)
	case apart && states <= mostReferences:
		r.scope, r.at, r.rest = own, make([]float64, states), make([]float64, states)
		for i, x := range means {
			r.at[i], _ = x.Float64()
			r.rest[i], _ = x.Sub(x, number(r.at[i])).Float64()
		}
	}
}

// number returns x with the precision of references.
func number(x float64) *big.Float { return new(big.Float).SetPrec(precise).SetFloat64(x) }

// meanAt returns the mean of the child of f at a joint state if all real parents are at their
// references, and 0 if they are given.
func (b *builder) meanAt(f *model.Factor, state []int) *big.Float {
	own, parents := b.m.SplitParents(f)
	mean, coef, _ := f.Gaussian().Row(b.m.Index(own, state))
	sum := number(mean)
	for i, u := range parents {
		r := &b.references[u]
		sum.Add(sum, new(big.Float).SetPrec(precise).Mul(number(coef[i]), r.exact[b.m.Index(r.scope, state)]))
	}
	return sum
}

// reference returns the reference of v, as a number and its rounding error.
func (b *builder) reference(c *gauss.Code, v model.VarID) (at, rest circuit.Node) {
	r := &b.references[v]
	if len(r.scope) == 0 {
		return c.Const(r.at[0]), circuit.Zero
	}
	t, ok := b.referenceTables[v]
	if !ok {
		t = b.Add(ir.Table{Name: "prior mean of " + b.m.Vars[v].Name, Scope: r.scope, Role: ir.RoleLogs, Var: -1, Parts: 2, Data: slices.Concat(r.at, r.rest)})
		b.referenceTables[v] = t
	}
	return c.Read(gauss.Part(t, 0)), c.Read(gauss.Part(t, 1))
}

// at returns the reference of v at a joint state.
func (b *builder) at(v model.VarID, state []int) float64 {
	r := &b.references[v]
	return r.at[b.m.Index(r.scope, state)]
}

// place returns what comparable moments of v are relative to: its value, a measurement, or the
// reference that all states have.
func (b *builder) place(c *gauss.Code, v model.VarID) circuit.Node {
	value := b.value(c, v)
	if b.m.Vars[v].Given || len(b.references[v].scope) > 0 {
		return value
	}
	at, _ := b.reference(c, v)
	return c.Sum(c.Prod(c.Sub(circuit.One, b.placed(c, v)), at), value)
}

// comparable returns a mean of v in a joint state relative to what place returns, from one that is
// relative to the reference of the joint state.
func (b *builder) comparable(c *gauss.Code, v model.VarID, mean circuit.Node) circuit.Node {
	if b.m.Vars[v].Given || len(b.references[v].scope) == 0 {
		return mean
	}
	at, rest := b.reference(c, v)
	open := c.Sub(circuit.One, b.placed(c, v))
	return c.Sum(c.Sum(mean, c.Prod(open, rest)), c.Prod(open, at))
}

// compared plans moments with comparable means.
func (b *builder) compared(m gauss.Stored, context []model.VarID) gauss.Stored {
	c := gauss.NewCode()
	w := b.NewWriter(c, b.Temp("means of "+b.Set(m.Scope), context))
	out := gauss.Stored{Scope: m.Scope, Cov: m.Cov}
	for i, v := range m.Scope {
		out.Mean = append(out.Mean, w.Write(b.comparable(c, v, c.Read(m.Mean[i]))))
	}
	w.Run()
	return out
}

// offset returns the mean of the CPD of k relative to the references of its family.
func (b *builder) offset(c *gauss.Code, k *bucket) circuit.Node {
	scope := k.own
	for _, u := range k.parents {
		scope = union(scope, b.references[u].scope)
	}
	if len(b.references[k.v].scope) > 0 {
		return circuit.Zero // the reference is the mean
	}
	rows, _ := b.m.TableSize(scope)
	numbers, state := make([]float64, rows), make([]int, len(b.m.Vars))
	for i := range numbers {
		numbers[i] = b.offsetAt(k, state)
		b.m.Next(scope, state)
	}
	return gauss.NewColumns(b.S, "mean in "+b.m.FactorName(k.cpd), scope).Read(c, numbers)
}

// offsetAt returns the mean of the CPD of k at a joint state, relative to the references of its
// family.
func (b *builder) offsetAt(k *bucket, state []int) float64 {
	r := &b.references[k.v]
	if len(r.scope) > 0 {
		return 0
	}
	x, _ := new(big.Float).Sub(b.meanAt(k.cpd, state), r.exact[0]).Float64()
	return x
}
