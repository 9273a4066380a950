package gibbs

import (
	"flag"
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Method is Gibbs sampling.
var Method = method.Method{
	Name:  "gibbs",
	Doc:   "sampled: averages over Markov chains, with standard errors",
	Kinds: "Bayesian, Markov, dependency", Guarantee: "approaches the posterior where chains reach all states", Cost: "sweeps times the blankets of the variables",
	New: func() method.Instance {
		return &instance{ir.ChainOptions{Iterations: 1000, BurnIn: 100, Chains: 4}}
	},
}

type instance struct{ ir.ChainOptions }

// Options binds the numbers of a run.
func (x *instance) Options(fs *flag.FlagSet) {
	fs.IntVar(&x.Iterations, "iterations", x.Iterations, "sweeps of a chain that count")
	fs.IntVar(&x.BurnIn, "burn-in", x.BurnIn, "sweeps of a chain before these")
	fs.IntVar(&x.Chains, "chains", x.Chains, "how many chains")
	fs.Uint64Var(&x.Seed, "seed", x.Seed, "of the random numbers")
}

// Check refuses other queries, and warns where a chain may not reach all states.
func (x *instance) Check(p *ir.Problem) diag.List {
	var list diag.List
	pos := diag.Pos{File: p.Model.File}
	for _, q := range p.Queries {
		if q.Kind != ir.Gibbs {
			list.Errorf(pos, "method gibbs answers the query gibbs alone, and not %v; %s", q.Kind, method.Others(p.Model))
			return list
		}
	}
	if p.Params == ir.Var {
		list.Errorf(pos, "method gibbs wants parameters that stay as they are; leave out --params var")
	}
	if !x.Valid() {
		list.Errorf(pos, "method gibbs with %d chains of %d iterations after a burn-in of %d; want at least one chain and one iteration, and no burn-in below 0",
			x.Chains, x.Iterations, x.BurnIn)
	}
	if list.HasErrors() {
		return list
	}
	if _, wide := groupsOf(p.Model); len(wide) > 0 {
		others := ""
		if n := len(wide) - 1; n > 0 {
			others = fmt.Sprintf(", and %d more", n)
		}
		f := p.Model.Factors[wide[0]]
		if f.Pos.Line > 0 {
			pos = f.Pos
		}
		list.Warnf(pos, "zeros of the %s%s keep variables from changing one at a time, and they are too many to be drawn together; "+
			"chains may not reach all states: compare several seeds, or try --method jointree", p.Model.FactorName(f), others)
	}
	return list
}

// Plan makes the schedule of the one query.
func (x *instance) Plan(c *method.Context, p *ir.Problem) (*ir.Plan, method.Claim, error) {
	b := newBuilder(p)
	groups, _ := groupsOf(p.Model)
	for _, g := range groups {
		b.resample(g)
	}
	seek := b.seek()
	var sweep []ir.Op
	for _, op := range b.moves {
		sweep = append(sweep, op)
	}
	plan := b.Finish(p.Queries[0], x.ChainOptions, []ir.Op{seek}, sweep)
	if err := c.Fits(b.Schedule); err != nil {
		return nil, method.Sampled, err
	}
	if err := b.Fill(c.MaxTable, nil); err != nil {
		return nil, method.Sampled, fmt.Errorf("gibbs: %w", err)
	}
	for i := range b.merged {
		if err := c.Err(); err != nil {
			return nil, method.Sampled, err
		}
		b.fill(&b.merged[i])
	}
	for _, op := range b.moves {
		op.Scaled = b.bits(&op.RowOp) > safeBits
	}
	return plan, method.Sampled, nil
}

// builder plans one query.
type builder struct {
	*method.ChainPlan
	touching [][]int // by variable: the factors that its blanket is made of
	whole    map[int]ir.TableID
	leaves   map[[2]int]ir.TableID // by factor and feature
	merged   []merged
	moves    []*ir.ResampleOp
}

func newBuilder(p *ir.Problem) *builder {
	m := p.Model
	b := &builder{ChainPlan: method.NewChainPlan(p), touching: make([][]int, len(m.Vars)), whole: map[int]ir.TableID{}, leaves: map[[2]int]ir.TableID{}}
	for n, f := range m.Factors {
		for i, v := range f.Scope {
			if m.Kind != model.Dependency || i == f.Child {
				b.touching[v] = append(b.touching[v], n)
			}
		}
	}
	return b
}

// resample draws vars given all others.
func (b *builder) resample(vars []model.VarID) {
	var factors []int
	for _, v := range vars {
		factors = append(factors, b.touching[v]...)
	}
	slices.Sort(factors)
	op := &ir.ResampleOp{RowOp: b.row(vars, slices.Compact(factors)), Weights: b.Temp("weights", vars...)}
	for _, v := range vars {
		op.Tallies = append(op.Tallies, b.Stats[v][0])
	}
	b.moves = append(b.moves, op)
}
