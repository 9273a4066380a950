package gibbs

import (
	"fmt"
	"math"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/internal/blanket"
	"github.com/pgmc-go/pgmc/compiler/method/internal/chain"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/options"
)

// Method is Gibbs sampling.
var Method = method.Method{
	Name:  "gibbs",
	Role:  method.MarkovChain,
	Doc:   "sampled: averages over Markov chains, with standard errors",
	Kinds: "Bayesian, Markov, dependency", Guarantee: "approaches the posterior if chains can reach all states", Cost: "sweeps times the blankets of the variables",
	Answers: chain.Answers(method.RunOptions[Options]()),
	Takes:   model.Cycles | model.Reals | model.Gaussians | model.Mixed | model.Givens | model.Funcs | model.SoftChildren,
	New:     func() method.Instance { return NewOptions() },
}

// Options are the options of the method.
type Options struct {
	Iterations int    `opt:"iterations" default:"1000" help:"sweeps of a chain after the burn-in" range:"[1,2147483647]" wrong:"method gibbs: found {chains} chains of {iterations} iterations after a burn-in of {burn-in}; want at least one chain and one iteration, and no burn-in below 0" run:"Iterations: sweeps of a chain after the burn-in, rounded up to a multiple of 20"`
	BurnIn     int    `opt:"burn-in" default:"100" help:"first sweeps of a chain, which are discarded" range:"[0,2147483647]" wrong:"=iterations" run:"BurnIn; negative: none"`
	Chains     int    `opt:"chains" default:"4" help:"number of chains" range:"[1,2147483647]" wrong:"=iterations" run:"Chains"`
	Seed       uint64 `opt:"seed" help:"seed of the random numbers" run:"Seed"`
}

// NewOptions returns the defaults.
func NewOptions() *Options { return options.New[Options]() }

// MethodName returns "gibbs".
func (Options) MethodName() string { return Method.Name }

// Check refuses other queries, and warns if a chain may not reach all states.
func (x *Options) Check(p *ir.Problem, by method.Peers) diag.List {
	var list diag.List
	pos := diag.Pos{File: p.Model.File}
	if p.Params == ir.Var {
		list.Errorf(pos, "method gibbs needs constant parameters; %v, or take %v or %s", method.ConstParams, by(method.Tables), by(method.Circuit).Value)
	}
	list.Append(method.CheckOptions(x, p))
	if list.HasErrors() {
		return list
	}
	checkReals(&list, p.Model, by)
	if list.HasErrors() {
		return list
	}
	list.Append(blanket.CheckGroups(p.Model, "chains may not reach all states", by))
	return list
}

// Plan returns the schedule of the one query.
func (x *Options) Plan(c *method.Context, p *ir.Problem) (*ir.Plan, method.Claim, error) {
	b := newBuilder(p)
	start, sweep := chain.Ops(b.FindStart(false)), []ir.OpBlock(nil)
	if len(p.Model.Reals()) == 0 {
		sweep = b.states()
	} else {
		start, sweep = b.mixed(start)
	}
	b.chain.Proof = b.Impossible()
	plan := b.chain.Finish(p.Queries[0], options.Part[ir.ChainOptions](x), start, sweep)
	if err := c.Fits(b.Schedule); err != nil {
		return nil, method.Sampled, err
	}
	if err := b.FillRows(c); err != nil {
		return nil, method.Sampled, fmt.Errorf("gibbs: %w", err)
	}
	for _, op := range b.moves {
		op.Scaled = b.bits(&op.RowOp) > safeBits
	}
	return plan, method.Sampled, nil
}

// builder plans one query.
type builder struct {
	*blanket.Plan
	chain *chain.Plan
	moves []*ir.ResampleOp
}

func newBuilder(p *ir.Problem) *builder {
	b := &builder{Plan: blanket.New(p)}
	b.chain = chain.New(b.Plan.Plan)
	return b
}

// states returns the sweep of a network of discrete variables.
func (b *builder) states() []ir.OpBlock {
	groups, _ := blanket.Groups(b.Model)
	var sweep []ir.Op
	for _, g := range groups {
		sweep = append(sweep, b.resample(g))
	}
	return chain.Ops(sweep...)
}

// resample returns the operation that draws vars given all others.
func (b *builder) resample(vars []model.VarID) *ir.ResampleOp {
	op := &ir.ResampleOp{RowOp: b.Row(blanket.Scaled, vars, b.BlanketFactors(vars)), Weights: b.Temp("weights", vars...)}
	for _, v := range vars {
		op.Tallies = append(op.Tallies, b.chain.Stats[v].Batch)
	}
	b.moves = append(b.moves, op)
	return op
}

// safeBits is the largest exponent of two, up or down, of a product of a row's numbers for which
// the row is not scaled. It leaves the other half of the exponents to likelihoods, which are at
// most 1, and to sums over rows.
const safeBits = 500

// bits bounds the exponent of two of the product of the operands of a row: the sum, over the
// operands, of the largest absolute base-2 logarithm.
func (b *builder) bits(r *ir.RowOp) float64 {
	sum := 0.0
	of := func(t ir.TableID) {
		most := 0.0
		for _, x := range b.Schedule.Tables[t].Data {
			if x > 0 {
				most = max(most, math.Abs(math.Log2(x)))
			}
		}
		sum += most
	}
	for _, t := range r.In {
		of(t)
	}
	for i := range r.Trees {
		of(r.Trees[i].Leaves)
	}
	return sum
}
