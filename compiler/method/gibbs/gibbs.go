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
			list.Errorf(pos, "method gibbs answers the query gibbs alone, and not %v; try --method jointree or circuit", q.Kind)
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
	plan := b.finish(p.Queries[0], x.ChainOptions, seek)
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
	*method.LoopPlan
	touching [][]int // by variable: the factors that its blanket is made of
	whole    map[int]ir.TableID
	leaves   map[[2]int]ir.TableID // by factor and feature
	merged   []merged
	moves    []*ir.ResampleOp
	stats    [][6]ir.TableID // by variable
	run      [6]ir.TableID
}

func newBuilder(p *ir.Problem) *builder {
	m := p.Model
	b := &builder{LoopPlan: method.NewLoopPlan(p), touching: make([][]int, len(m.Vars)), whole: map[int]ir.TableID{}, leaves: map[[2]int]ir.TableID{}}
	for n, f := range m.Factors {
		for i, v := range f.Scope {
			if m.Kind != model.Dependency || i == f.Child {
				b.touching[v] = append(b.touching[v], n)
			}
		}
	}
	for _, v := range m.Vars {
		var s [6]ir.TableID
		for i, name := range [...]string{"batch", "half", "total", "square", "within", "between"} {
			s[i] = b.Kept(name+" of "+v.Name, v.ID)
		}
		b.stats = append(b.stats, s)
	}
	for i, name := range [...]string{"share", "chains", "batch length", "R-hat", "effective sample size", "standard error"} {
		b.run[i] = b.Kept(name)
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
		op.Tallies = append(op.Tallies, b.stats[v][0])
	}
	b.moves = append(b.moves, op)
}

// finish makes the plan of query q.
func (b *builder) finish(q *ir.Query, o ir.ChainOptions, seek *ir.SeekOp) *ir.Plan {
	s := b.Schedule
	fold := func(kind ir.FoldKind) (ops []ir.Op) {
		for v := range b.Model.Vars {
			ops = append(ops, &ir.FoldOp{Kind: kind, Stats: b.stats[v], Run: b.run})
		}
		return ops
	}
	var sweep []ir.Op
	for _, op := range b.moves {
		sweep = append(sweep, op)
	}
	end := fold(ir.FoldRun)
	for v, out := range b.Outs {
		if out != ir.NoTable {
			end = append(end, b.Copy(out, b.stats[v][2]), &ir.NormalizeOp{Table: out})
		}
	}
	sections := [][]ir.Op{fold(ir.FoldClear), {seek}, sweep, fold(ir.FoldBatch), fold(ir.FoldHalf), end}
	names := []string{"begin", "start", "sweep", "batch", "half", "end"}
	blocks, cut := []int{0, 1, 2, 3, 4, 5}, [5]int{1, 2, 3, 4, 5}
	if ops := b.possible(); ops != nil { // what it finds goes over the outcome of the search
		sections, names = slices.Insert(sections, 2, ops), slices.Insert(names, 2, "possible")
		blocks, cut = append(blocks, 6), [5]int{1, 3, 4, 5, 6}
	}
	order := make([]model.VarID, len(b.Model.Vars))
	for v := range order {
		order[v] = model.VarID(v)
	}
	for i, ops := range sections {
		s.Blocks = append(s.Blocks, ir.OpBlock{Name: names[i], Order: order, Ops: ops})
	}
	s.Entries = []ir.ScheduleEntry{{Query: q, Blocks: blocks, Root: b.Alive,
		Outs:  slices.DeleteFunc(slices.Clone(b.Outs), func(t ir.TableID) bool { return t == ir.NoTable }),
		Chain: &ir.OpChain{ChainOptions: o, Cut: cut, Run: b.run}}}
	return &ir.Plan{Schedule: s}
}
