package ldfm

import (
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/internal/chain"
	"github.com/pgmc-go/pgmc/compiler/method/internal/loop"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/options"
)

// Method is sampling in latent dependency forest models.
var Method = method.Method{
	Name:  "ldfm",
	Doc:   "sampled: latent dependency forest models, by their trees or by determinants",
	Kinds: "latent dependency forest", Guarantee: "approaches the posterior if chains can reach all states", Cost: "sweeps times the square of the variables, or their cube",
	Answers: chain.Answers(method.RunOptions[Options]()),
	Takes:   model.Forests | model.Reals,
	Prefers: func(m *model.Model) bool { return m.Kind == model.Forest },
	New:     func() method.Instance { return NewOptions() },
}

// The samplers.
const (
	tree        = "tree"
	gibbs       = "gibbs"
	determinant = "determinant"
)

// kernels maps a sampler to the function of the runtime that makes a sweep.
var kernels = map[string]string{tree: "ForestTree", gibbs: "ForestSchur", determinant: "ForestDeterminant"}

// Options are the options of the method.
type Options struct {
	Iterations int    `opt:"iterations" default:"1000" help:"sweeps of a chain after the burn-in" range:"[1,2147483647]" wrong:"method ldfm: found {chains} chains of {iterations} iterations after a burn-in of {burn-in}; want at least one chain and one iteration, and no burn-in below 0" run:"Iterations: sweeps of a chain after the burn-in, rounded up to a multiple of 20"`
	BurnIn     int    `opt:"burn-in" default:"100" help:"first sweeps of a chain, which are discarded" range:"[0,2147483647]" wrong:"=iterations" run:"BurnIn; negative: none"`
	Chains     int    `opt:"chains" default:"4" help:"number of chains" range:"[1,2147483647]" wrong:"=iterations" run:"Chains"`
	Seed       uint64 `opt:"seed" help:"seed of the random numbers" run:"Seed"`
	// Sampler tree draws states with the tree; gibbs and determinant sum the tree out.
	Sampler string `opt:"sampler" default:"tree" help:"tree, gibbs or determinant" range:"tree|gibbs|determinant"`
}

// NewOptions returns the defaults.
func NewOptions() *Options { return options.New[Options]() }

// MethodName returns "ldfm".
func (Options) MethodName() string { return Method.Name }

// Check refuses other models and queries, and invalid options.
func (x *Options) Check(p *ir.Problem, by method.Peers) diag.List {
	var list diag.List
	pos := diag.Pos{File: p.Model.File}
	if p.Model.Kind != model.Forest {
		list.Errorf(pos, "found a %v; method ldfm needs a latent dependency forest model; try %v", p.Model.Kind, by(method.MarkovChain))
		return list
	}
	if p.Params == ir.Var {
		list.Errorf(pos, "method ldfm needs constant parameters; %v", method.ConstParams)
	}
	list.Append(method.CheckOptions(x, p))
	if x.Sampler != tree && len(p.Model.Reals()) > 0 && !list.HasErrors() {
		list.Errorf(pos, "sampler %s sums the tree out, and variable %q is real-valued, whose density is then a mixture over too many trees; want %v",
			x.Sampler, p.Model.Vars[p.Model.Reals()[0]].Name, diag.Option{Name: "sampler", Value: tree})
	}
	return list
}

// Plan returns the schedule of the one query.
func (x *Options) Plan(c *method.Context, p *ir.Problem) (*ir.Plan, method.Claim, error) {
	m, d := p.Model, p.Model.Forest()
	s := chain.New(loop.New(p))
	reads := []ir.TableID{s.Leaves("weights", d.Weights), ir.NoTable}
	if d.Stop != nil {
		reads[1] = s.Leaves("stop weights", d.Stop)
	}
	writes := []ir.TableID{s.Alive}
	most := 0
	for v := range m.Vars {
		reads = append(reads, ir.NoTable)
		if id := model.VarID(v); !m.IsReal(id) {
			reads[2+v] = s.Lambda[v]
		}
		writes = append(writes, s.Stats[v].Batch)
		most = max(most, m.Card(model.VarID(v)))
	}
	n, first := len(m.Vars), m.ForestOffsets()
	numbers := []int32{int32(n), int32(len(m.Reals()))}
	for _, at := range first {
		numbers = append(numbers, int32(at))
	}
	if len(m.Reals()) > 0 {
		for _, at := range m.RealPlaces() {
			numbers = append(numbers, int32(at))
		}
		more, values := reals(s)
		reads, writes = append(reads, more...), append(writes, values...)
	}
	kernel := func(name string, work int) []ir.OpBlock {
		return chain.Ops(&ir.KernelOp{Func: name, Numbers: numbers, Reads: slices.Clone(reads), Writes: slices.Clone(writes), Sets: s.All(), Work: work, Ints: 5 * n, Memory: "forest"})
	}
	work := 2 * most
	switch {
	case len(m.Reals()) > 0:
		work = max(work, 4*(1+n))
	case x.Sampler != tree:
		work = 5*n*n + 4*n + 2*most // see pgmrt.forestMatrices
	}
	plan := s.Finish(p.Queries[0], options.Part[ir.ChainOptions](x), kernel("ForestStart", first[n]), kernel(kernels[x.Sampler], work))
	return plan, method.Sampled, c.Fits(s.Schedule)
}

// reals adds the tables of real variables and returns those that the kernels read and those that
// hold the values. It also adds the operation that computes the answers from the statistics at the
// end.
func reals(s *chain.Plan) (reads, values []ir.TableID) {
	m, d := s.Model, s.Model.Forest()
	var normals, scales []float64
	for _, g := range d.Normals {
		normals = append(normals, g.Mean, g.Slope, g.Var)
	}
	last := &ir.KernelOp{Func: "ForestReals", Numbers: []int32{int32(len(m.Reals()))}, Work: 1, Ints: 1, Memory: "none"}
	var known []ir.TableID
	for i, v := range m.Reals() {
		scales = append(scales, d.Normals[i].Mean, math.Sqrt(d.Normals[i].Var)) // the unit is that of its distribution below the root
		values = append(values, s.Kept("value of "+m.Vars[v].Name))
		known = append(known, s.Lambda[v])
		last.Writes = append(last.Writes, s.Outs[v])
	}
	signed := func(name string, numbers []float64) ir.TableID {
		t := s.Leaves(name, numbers)
		s.Schedule.Tables[t].Role = ir.RoleLogs
		return t
	}
	units := signed("scales", scales)
	last.Reads = append([]ir.TableID{units}, known...)
	s.Reals = []ir.Op{last}
	return append([]ir.TableID{signed("normal distributions", normals), units}, known...), values
}
