package meanfield

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/internal/factors"
	"github.com/pgmc-go/pgmc/compiler/method/internal/loop"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Method is naive mean field.
var Method = method.Method{
	Name:  "meanfield",
	Doc:   "approximate: the nearest distribution of independent variables",
	Kinds: "Bayesian, Markov, dependency", Guarantee: "a lower bound of ln P; settles, but for dependency networks", Cost: "iterations times the tables of the factors",
	Answers: &ir.Approximation{
		Kind: ir.Beliefs, Word: "meanfield", GoName: "MeanField",
		Summary: "approximate posteriors of all variables, by mean field",
		Doc: []string{"sets out to the nearest distribution of independent variables that was found, given ev and soft, which may be nil, and LogP to",
			"a lower bound of the logarithm of their probability."},
		Markov: []string{"sets out to the nearest distribution of independent variables that was found, given ev and soft, which may be nil, and LogP to",
			"an estimate of the logarithm of their probability: a lower bound of ln Z given them, less that of ln Z."},
		Options: loop.RunOptions,
	},
	Takes: model.Cycles,
	New:   func() method.Instance { return NewOptions() },
}

// The schedules.
const (
	roundRobin = "roundrobin"
	queue      = "queue"
)

// What an update of a dependency network averages.
const (
	ofLogs          = "log"
	ofProbabilities = "probability"
)

// Where the loop starts.
const (
	atLikelihood = "likelihood"
	atRandom     = "random"
)

// Options are the options of the method.
type Options struct {
	Iterations int     // largest number of iterations; at least 1
	Tolerance  float64 // the loop converges after an iteration that changes no number by more; at least 0
	Damping    float64 // weight of the old value in an update; at least 0 and below 1
	Schedule   string  // the order of updates: roundrobin or queue
	Mean       string  // what updates average: log, or of dependency networks probability
	Start      string  // where the loop starts: likelihood or random
	Seed       uint64  // of a random start
}

// NewOptions returns the defaults.
func NewOptions() *Options {
	return &Options{Iterations: loop.Iterations, Tolerance: loop.Tolerance, Schedule: roundRobin, Mean: ofLogs, Start: atLikelihood}
}

// MethodName names the method.
func (Options) MethodName() string { return Method.Name }

// loop returns the options of the loop.
func (x *Options) loop() ir.LoopOptions {
	return ir.LoopOptions{Iterations: x.Iterations, Tolerance: x.Tolerance, Damping: x.Damping}
}

// Bind declares flags for the schedule, what updates average, the start, and the options of all
// loops.
func (x *Options) Bind(fs *flag.FlagSet) {
	loop.Bind(fs, &x.Iterations, &x.Tolerance, &x.Damping)
	fs.StringVar(&x.Schedule, "schedule", x.Schedule, "the order of updates: roundrobin or queue")
	fs.StringVar(&x.Mean, "mean", x.Mean, "what updates average: the log of probabilities, or of dependency networks probability itself")
	fs.StringVar(&x.Start, "start", x.Start, "where the loop starts: likelihood, or random, that times numbers drawn from the seed")
	fs.Uint64Var(&x.Seed, "seed", x.Seed, "of a random start")
}

// Check refuses other queries.
func (x *Options) Check(p *ir.Problem) diag.List {
	list := loop.Check(Method.Name, Method.Answers.Word, x.loop(), p)
	if x.Schedule != roundRobin && x.Schedule != queue {
		list.Errorf(diag.Pos{File: p.Model.File}, "found schedule %q; want %s or %s", x.Schedule, roundRobin, queue)
	}
	if x.Start != atLikelihood && x.Start != atRandom {
		list.Errorf(diag.Pos{File: p.Model.File}, "found start %q; want %s or %s", x.Start, atLikelihood, atRandom)
	}
	switch {
	case x.Mean == ofLogs:
	case x.Mean != ofProbabilities:
		list.Errorf(diag.Pos{File: p.Model.File}, "found mean %q; want %s or %s", x.Mean, ofLogs, ofProbabilities)
	case p.Model.Kind != model.Dependency:
		list.Errorf(diag.Pos{File: p.Model.File}, "means of probabilities are for dependency networks, whose updates look at one CPD; want mean %s", ofLogs)
	default:
		for _, f := range p.Model.Factors {
			if len(factors.Terms(p.Model, f)) > 1 {
				list.Errorf(diag.Pos{File: p.Model.File}, "the %s is a product of features, and not averaged as a whole; want mean %s", p.Model.FactorName(f), ofLogs)
				break
			}
		}
	}
	return list
}

// Plan makes the schedule of the one query.
func (x *Options) Plan(c *method.Context, p *ir.Problem) (*ir.Plan, method.Claim, error) {
	b := newBuilder(p, x.Mean == ofProbabilities)
	if x.Start == atRandom {
		b.draws = rand.New(rand.NewPCG(x.Seed, 0))
	}
	b.start()
	if x.Schedule == queue && len(p.Model.Vars) > 0 {
		b.queue(len(p.Model.Vars))
	} else {
		b.rounds(len(p.Model.Vars))
	}
	b.end()
	plan := b.Finish(p.Queries[0], x.loop())
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
	*loop.Plan
	energies []energy
	of       []([]*energy) // by variable: those that its update looks at
	tests    []([]*test)   // by variable: those of trees
	q        []ir.TableID  // by variable: its marginal

	arithmetic bool       // tables hold probabilities, and updates average these
	draws      *rand.Rand // of a random start; nil of the likelihood
}

// energy is a factor of the model: how much less than its largest number its numbers are.
type energy struct {
	factor  *model.Factor
	table   ir.TableID   // over the factor's variables, or for a tree in parts over its path and its child
	largest ir.TableID   // its largest number
	way     model.VarID  // the path of a tree in parts
	tests   []*test      // of a tree in parts: the variables that are tested, in the order of updates; nil for others
	tree    *ir.MeanTree // of a tree that is walked, over whose leaves table is then; nil for others

	// While a round is planned: by test, the product of the shares from it on, as the last round
	// left them; the product of those that this round has made already, NoTable before the first;
	// and how many these are.
	ahead  []ir.TableID
	behind ir.TableID
	done   int
}

// test is a variable that a tree tests: which of its states go with which paths, and how probable
// each path is as far as it decides.
type test struct {
	of           *energy
	v            model.VarID
	table, share ir.TableID
}

func newBuilder(p *ir.Problem, arithmetic bool) *builder {
	m, parts := factors.Trees(p.Model, walked)
	b := &builder{Plan: loop.New(&ir.Problem{Model: m, Queries: p.Queries, Params: p.Params}),
		of: make([][]*energy, len(m.Vars)), tests: make([][]*test, len(m.Vars)), arithmetic: arithmetic}
	var ways [][]*model.Factor // by energy
	for n, f := range m.Factors {
		for _, t := range factors.Terms(m, f) {
			b.energies = append(b.energies, energy{factor: t})
			ways = append(ways, parts[n])
		}
	}
	for n := range b.energies {
		e := &b.energies[n]
		e.largest = b.Number("the largest number of the "+m.FactorName(e.factor), 1)
		b.place(e, ways[n])
		for i, v := range e.factor.Scope {
			if i == e.factor.Child || m.Kind != model.Dependency && e.has(v) {
				b.of[v] = append(b.of[v], e)
			}
		}
	}
	for _, v := range p.Model.Vars {
		b.q = append(b.q, b.Kept("q of "+v.Name, v.ID))
	}
	return b
}

// has reports whether the energy depends on a variable of the scope that is not the child.
func (e *energy) has(v model.VarID) bool {
	if e.tree != nil {
		return slices.ContainsFunc(e.tree.Nodes, func(n ir.MeanNode) bool { return n.Leaf < 0 && e.factor.Scope[n.Axis] == v })
	}
	return e.tests == nil || slices.ContainsFunc(e.tests, func(t *test) bool { return t.v == v })
}

// place makes the tables of a factor.
func (b *builder) place(e *energy, parts []*model.Factor) {
	switch {
	case walked(b.Model, e.factor):
		b.leaves(e)
		return
	case parts == nil:
		e.table = b.Factor(e.factor)
		return
	}
	e.table, e.way = b.Factor(parts[0]), parts[0].Scope[0]
	for _, f := range parts[1:] {
		v := f.Scope[0]
		t := &test{of: e, v: v, table: b.Factor(f), share: b.Kept("paths by "+b.Model.Vars[v].Name, e.way)}
		e.tests, b.tests[v] = append(e.tests, t), append(b.tests[v], t)
	}
	slices.SortFunc(e.tests, func(a, b *test) int { return int(a.v - b.v) })
}

// start sets each marginal to the likelihood, or to that times random numbers.
func (b *builder) start() {
	for v, q := range b.q {
		from := b.Lambda[v]
		if from == ir.NoTable {
			from = b.Ones(model.VarID(v))
		}
		begin := b.Copy(q, from)
		if b.draws != nil {
			begin = b.Sum(q, from, b.drawn(model.VarID(v)))
		}
		b.Start = append(b.Start, begin, &ir.TallyOp{Kind: ir.TallyLog, Factor: 0, Total: b.LogP, In: q, Alive: b.Alive, Ref: ir.NoTable},
			&ir.NormalizeOp{Table: q})
		b.Start = b.shares(b.Start, model.VarID(v))
	}
}

// drawn is a table over v of numbers drawn from above 0 to 1.
func (b *builder) drawn(v model.VarID) ir.TableID {
	t := b.Ones(v)
	table := &b.Schedule.Tables[t]
	table.Name = "start of " + b.Model.Vars[v].Name
	for s := range table.Data {
		table.Data[s] = 1 - b.draws.Float64()
	}
	return t
}

// shares are the operations that tell the trees which test v of its marginal.
func (b *builder) shares(ops []ir.Op, v model.VarID) []ir.Op {
	for _, t := range b.tests[v] {
		ops = append(ops, b.Sum(t.share, t.table, b.q[v]))
	}
	return ops
}

// rounds has the first n variables, which are those of the model, updated in turn.
func (b *builder) rounds(n int) {
	for i := range b.energies {
		b.begin(&b.energies[i])
	}
	for v := range model.VarID(n) {
		b.Round = b.update(b.Round, v, b.others)
		for _, t := range b.tests[v] {
			b.advance(t)
		}
	}
}

// queue has each variable updated once, and then whenever one has moved that its update looks at.
func (b *builder) queue(n int) {
	push := make([][]int32, n)
	for v := range model.VarID(n) {
		for _, e := range b.of[v] {
			for i, u := range e.factor.Scope {
				if u != v && (i == e.factor.Child || e.has(u)) && !slices.Contains(push[u], int32(v)) {
					push[u] = append(push[u], int32(v))
				}
			}
		}
	}
	for v := range model.VarID(n) {
		b.Items = append(b.Items, loop.Item{Name: "update " + b.Model.Vars[v].Name, Ops: b.update([]ir.Op{b.Clear()}, v, b.all), Push: push[v]})
	}
}

// update moves the marginal of v to what the others make of it: operands gives the tables whose
// product is a factor's mean energy.
func (b *builder) update(ops []ir.Op, v model.VarID, operands func(ops []ir.Op, e *energy, v model.VarID) ([]ir.Op, []ir.TableID)) []ir.Op {
	if b.arithmetic {
		return b.average(ops, v, operands)
	}
	op := &ir.BoltzmannOp{Out: b.Temp("new "+b.Schedule.Tables[b.q[v]].Name, v), Weight: b.Lambda[v]}
	for _, e := range b.of[v] {
		if e.tree != nil {
			walk := b.walk(e)
			ops, op.In = append(ops, walk), append(op.In, walk.Out)
			continue
		}
		var in []ir.TableID
		if ops, in = operands(ops, e, v); len(in) == 1 {
			op.In = append(op.In, e.table)
			continue
		}
		mean := b.Temp(b.Arrow(b.Model.FactorName(e.factor), b.Model.Vars[v].Name), v)
		ops = append(ops, b.Sum(mean, in...))
		op.In = append(op.In, mean)
	}
	return b.shares(append(ops, op, b.Damp(b.q[v], op.Out)), v)
}

// average moves the marginal of v to the mean of its CPD.
func (b *builder) average(ops []ir.Op, v model.VarID, operands func(ops []ir.Op, e *energy, v model.VarID) ([]ir.Op, []ir.TableID)) []ir.Op {
	out := b.Temp("new "+b.Schedule.Tables[b.q[v]].Name, v)
	var in []ir.TableID
	if e := b.of[v][0]; e.tree != nil {
		walk := b.walk(e)
		ops, in = append(ops, walk), []ir.TableID{walk.Out}
	} else {
		ops, in = operands(ops, e, v)
	}
	if λ := b.Lambda[v]; λ != ir.NoTable {
		in = append(in, λ)
	}
	return b.shares(append(ops, b.Sum(out, in...), &ir.NormalizeOp{Table: out}, b.Damp(b.q[v], out)), v)
}

// begin forms the products of shares from the last on, so that an update need not multiply all of
// them.
func (b *builder) begin(e *energy) {
	e.behind = ir.NoTable
	e.ahead = make([]ir.TableID, len(e.tests))
	for i, t := range slices.Backward(e.tests) {
		e.ahead[i] = t.share
		if i < len(e.tests)-1 {
			e.ahead[i] = b.Temp("paths by further variables", e.way)
			b.Round = append(b.Round, b.Sum(e.ahead[i], t.share, e.ahead[i+1]))
		}
	}
}

// advance takes the share of a test, which is new, to those that this round has made.
func (b *builder) advance(t *test) {
	e := t.of
	e.done++
	if e.behind == ir.NoTable {
		e.behind = t.share
		return
	}
	next := b.Temp("paths by earlier variables", e.way)
	b.Round = append(b.Round, b.Sum(next, e.behind, t.share))
	e.behind = next
}

// direct are the tables whose product, summed onto v, is the mean energy of e for each state of v;
// without v, of e. Of a tree in parts the shares are left out.
func (b *builder) direct(e *energy, v model.VarID) []ir.TableID {
	in := []ir.TableID{e.table}
	if e.tests == nil {
		for _, u := range e.factor.Scope {
			if u != v {
				in = append(in, b.q[u])
			}
		}
	} else if e.factor.Child >= 0 && e.factor.ChildVar() != v {
		in = append(in, b.q[e.factor.ChildVar()])
	}
	return in
}

// mostOperands is how many tables one operation multiplies.
const mostOperands = 8

// all are direct and the shares, multiplied a few at a time, whatever order updates are in.
func (b *builder) all(ops []ir.Op, e *energy, v model.VarID) ([]ir.Op, []ir.TableID) {
	in := b.direct(e, v)
	var shares []ir.TableID
	for _, t := range e.tests {
		if t.v == v {
			in = append(in, t.table)
		} else {
			shares = append(shares, t.share)
		}
	}
	for len(shares) > mostOperands {
		part := b.Temp("paths by some variables", e.way)
		ops = append(ops, b.Sum(part, shares[:mostOperands:mostOperands]...))
		shares = append([]ir.TableID{part}, shares[mostOperands:]...)
	}
	return ops, append(in, shares...)
}

// others are direct and the products of shares before and behind v, where updates are in turn.
func (b *builder) others(ops []ir.Op, e *energy, v model.VarID) ([]ir.Op, []ir.TableID) {
	in := b.direct(e, v)
	if e.tests == nil {
		return ops, in
	}
	if e.behind != ir.NoTable {
		in = append(in, e.behind)
	}
	rest := e.done
	if rest < len(e.tests) && e.tests[rest].v == v {
		in = append(in, e.tests[rest].table)
		rest++
	}
	if rest < len(e.tests) {
		in = append(in, e.ahead[rest])
	}
	return ops, in
}

// end copies the marginals, and adds up the bound: entropies and likelihoods, less energies. A
// dependency network has none.
func (b *builder) end() {
	for v, q := range b.q {
		if out := b.Outs[v]; out != ir.NoTable {
			b.End = append(b.End, b.Copy(out, q))
		}
		if b.Model.Kind != model.Dependency {
			b.End = append(b.End, &ir.TallyOp{Kind: ir.TallyEntropy, Factor: 1, Total: b.LogP, In: q, Alive: ir.NoTable, Ref: b.Lambda[v]})
		}
	}
	if b.Model.Kind == model.Dependency {
		return
	}
	for i := range b.energies {
		e := &b.energies[i]
		mean := b.Temp("energy of the " + b.Model.FactorName(e.factor))
		var in []ir.TableID
		b.End, in = b.all(b.End, e, -1)
		b.End = append(b.End, b.Sum(mean, in...),
			&ir.TallyOp{Kind: ir.TallySum, Factor: -1, Total: b.LogP, In: mean, Alive: ir.NoTable, Ref: ir.NoTable}, b.Log(1, e.largest))
	}
}

// zeroEnergy is the energy of a zero: that of the smallest normal number beside 1.
var zeroEnergy = 1022 * math.Ln2

// fill gives the factors their energies, and keeps the largest numbers.
func (b *builder) fill(limit int) error {
	of := map[ir.TableID]*energy{}
	for i := range b.energies {
		of[b.energies[i].table] = &b.energies[i]
	}
	return b.Fill(limit, func(t ir.TableID, values []float64) []float64 {
		e := of[t]
		if e == nil || b.arithmetic { // which states go with which paths, or what is averaged
			return values
		}
		b.Schedule.Tables[e.largest].Data[0] = slices.Max(values)
		return energiesOf(values)
	})
}
