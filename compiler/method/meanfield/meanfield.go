package meanfield

import (
	"flag"
	"fmt"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Method is naive mean field.
var Method = method.Method{
	Name: "meanfield",
	Doc:  "approximate: the nearest distribution of independent variables; a lower bound of ln P",
	New: func() method.Instance {
		return &instance{ir.LoopOptions{Iterations: 1000, Tolerance: 1e-9}}
	},
}

type instance struct{ ir.LoopOptions }

// Options binds the options of all loops.
func (x *instance) Options(fs *flag.FlagSet) { method.LoopFlags(&x.LoopOptions, fs) }

// Check refuses other queries.
func (x *instance) Check(p *ir.Problem) diag.List {
	return method.CheckLoop(Method.Name, ir.MeanField, x.LoopOptions, p)
}

// Plan makes the schedule of the one query.
func (x *instance) Plan(c *method.Context, p *ir.Problem) (*ir.Plan, method.Claim, error) {
	b := newBuilder(p)
	b.start()
	for v := range p.Model.Vars {
		b.update(model.VarID(v))
	}
	b.end()
	plan := b.Finish(p.Queries[0], x.LoopOptions)
	if err := c.Fits(b.Schedule); err != nil {
		return nil, method.Approximate, err
	}
	if err := b.fill(c.MaxTable); err != nil {
		return nil, method.Approximate, fmt.Errorf("meanfield: %w", err)
	}
	return plan, method.Approximate, nil
}

// builder plans one query.
type builder struct {
	*method.LoopPlan
	energy  []ir.TableID // by factor: the energies of its numbers
	largest []ir.TableID // by factor: its largest number
	factors [][]int      // by variable: those that its update looks at
	q       []ir.TableID // by variable: its marginal
}

func newBuilder(p *ir.Problem) *builder {
	b := &builder{LoopPlan: method.NewLoopPlan(p), factors: make([][]int, len(p.Model.Vars))}
	for n, f := range p.Model.Factors {
		b.energy = append(b.energy, b.Factor(n))
		b.largest = append(b.largest, b.Number("the largest number of the "+p.Model.FactorName(f), 1))
		for i, v := range f.Scope {
			if p.Model.Kind != model.Dependency || i == f.Child {
				b.factors[v] = append(b.factors[v], n)
			}
		}
	}
	for _, v := range p.Model.Vars {
		b.q = append(b.q, b.Kept("q of "+v.Name, v.ID))
	}
	return b
}

// start sets each marginal to the likelihood.
func (b *builder) start() {
	for v, q := range b.q {
		from := b.Lambda[v]
		if from == ir.NoTable {
			from = b.Ones(model.VarID(v))
		}
		b.Start = append(b.Start, b.Copy(q, from), &ir.TallyOp{Kind: ir.TallyLog, Factor: 0, Total: b.LogP, In: q, Alive: b.Alive, Ref: ir.NoTable},
			&ir.NormalizeOp{Table: q})
	}
}

// update moves the marginal of v to what the others make of it.
func (b *builder) update(v model.VarID) {
	op := &ir.BoltzmannOp{Out: b.Temp("new "+b.Schedule.Tables[b.q[v]].Name, v), Weight: b.Lambda[v]}
	for _, n := range b.factors[v] {
		in := []ir.TableID{b.energy[n]}
		for _, u := range b.Model.Factors[n].Scope {
			if u != v {
				in = append(in, b.q[u])
			}
		}
		if len(in) == 1 {
			op.In = append(op.In, b.energy[n])
			continue
		}
		mean := b.Temp(b.Arrow(b.Model.FactorName(b.Model.Factors[n]), b.Model.Vars[v].Name), v)
		b.Round = append(b.Round, b.Sum(mean, in...))
		op.In = append(op.In, mean)
	}
	b.Round = append(b.Round, op, b.Damp(b.q[v], op.Out))
}

// end copies the marginals, and adds up the bound: entropies and likelihoods, less energies. A dependency network has none.
func (b *builder) end() {
	for v, q := range b.q {
		if out := b.Outs[v]; out != ir.NoTable {
			b.End = append(b.End, b.Copy(out, q))
		}
		if b.Model.Kind == model.Dependency {
			continue
		}
		b.End = append(b.End, &ir.TallyOp{Kind: ir.TallyEntropy, Factor: 1, Total: b.LogP, In: q, Alive: ir.NoTable, Ref: b.Lambda[v]})
	}
	if b.Model.Kind == model.Dependency {
		return
	}
	for n, f := range b.Model.Factors {
		in := []ir.TableID{b.energy[n]}
		for _, v := range f.Scope {
			in = append(in, b.q[v])
		}
		mean := b.Temp("energy of the " + b.Model.FactorName(f))
		b.End = append(b.End, b.Sum(mean, in...), &ir.TallyOp{Kind: ir.TallySum, Factor: -1, Total: b.LogP, In: mean, Alive: ir.NoTable, Ref: ir.NoTable},
			b.Log(1, b.largest[n]))
	}
}

// zeroEnergy is the energy of a zero: that of the smallest normal number beside 1.
var zeroEnergy = 1022 * math.Ln2

// fill gives the factors their energies, and keeps the largest numbers.
func (b *builder) fill(limit int) error {
	return b.Fill(limit, func(n int, values []float64) []float64 {
		largest := slices.Max(values)
		b.Schedule.Tables[b.largest[n]].Data[0] = largest
		out := make([]float64, len(values))
		for i, x := range values {
			out[i] = zeroEnergy
			if x > 0 {
				out[i] = min(zeroEnergy, math.Log(largest)-math.Log(x))
			}
		}
		return out
	})
}
