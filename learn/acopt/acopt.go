package acopt

import (
	"context"
	"fmt"
	"math"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/options"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/internal/growing"
	"github.com/pgmc-go/pgmc/learn/learner"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Learner learns the parameters of circuits.
var Learner = learner.Learner{
	Name: "acopt",
	Doc:  "the numbers of a circuit, by maximum likelihood, or close to a network; the circuit is the initial model",
	New:  func() learner.Instance { return NewOptions() },

	Resumes: true,
}

// Options holds the options of acopt. A pointer to Options is the learner.
type Options struct {
	Steps          int     `opt:"steps" default:"100" help:"most iterations of the fit" range:"[0,inf)" wrong:"at most {steps} steps; want 0 or more"`
	Tolerance      float64 `opt:"tolerance" default:"1e-6" help:"relative change of the objective in one iteration below which the fit ends" range:"[0,inf]" wrong:"tolerance {tolerance}; want 0 or more"`
	WeightVariance float64 `opt:"weight-variance" help:"variance of the Gaussian prior of each weight; 0 for none" range:"[0,inf)" wrong:"variance of weights {weight-variance}; want 0 or more"`
}

// NewOptions returns the default options.
func NewOptions() *Options { return options.New[Options]() }

// Learn implements learner.Instance.
func (l *Options) Learn(ctx context.Context, job *learner.Job) (*learner.Result, error) {
	if job.Target == nil {
		if err := job.Train.Check(); err != nil {
			return nil, err
		}
	}
	if err := options.Check(l); err != nil {
		return nil, err
	}
	d, err := begin(job)
	if err != nil {
		return nil, err
	}
	timed, cancel := job.Limit(ctx)
	defer cancel()
	f := newFit(l, job, d)
	if job.Target != nil {
		if err := closer(f, d); err != nil {
			return nil, err
		}
	}
	if err := f.run(timed); err != nil {
		return nil, err
	}
	m, err := f.model()
	if err != nil {
		return nil, err
	}
	r := learner.Report{Score: f.score(), Total: f.logLik, Params: len(f.free), Steps: f.evaluations, Stopped: timed.Err() != nil}
	return &learner.Result{Models: []*model.Model{m}, Report: r}, ctx.Err()
}

// begin returns the initial circuit, over the variables of the data in order.
func begin(job *learner.Job) (*model.Circuit, error) {
	if job.Init == nil {
		var cards []int
		var theta []float64
		for _, v := range job.Train.Vars {
			cards = append(cards, len(v.States))
			for range v.States {
				theta = append(theta, 1/float64(len(v.States)))
			}
		}
		return growing.New(cards).Dist(theta), nil
	}
	var found *model.Factor
	for _, f := range job.Init.Factors {
		if f.Circuit() == nil || found != nil {
			return nil, fmt.Errorf("%s is no circuit; the model to begin from is to be one circuit and nothing else, as in an .ac file", job.Init.FactorName(f))
		}
		found = f
	}
	if found == nil {
		return nil, fmt.Errorf("the model to begin from has no circuit; want one, as in an .ac file")
	}
	if n, want := len(job.Init.Vars), len(job.Train.Vars); n != want {
		return nil, fmt.Errorf("the circuit has %d variables, and the data %d; want as many", n, want)
	}
	d := &model.Circuit{Nodes: append([]model.CircuitNode(nil), found.Circuit().Nodes...)}
	for i := range d.Nodes {
		n := &d.Nodes[i]
		if n.Op != model.CircuitIndicator {
			continue
		}
		n.Axis = int(found.Scope[n.Axis])
		if states := len(job.Train.Vars[n.Axis].States); int(n.State) >= states {
			return nil, fmt.Errorf("the circuit has a state %d of %q, and the data %d states", n.State, job.Train.Vars[n.Axis].Name, states)
		}
	}
	return d, nil
}

// fit fits the parameters of a circuit.
type fit struct {
	l     *Options
	job   *learner.Job
	d     *model.Circuit
	rows  *data.Set // equal ones merged
	total float64   // total weight of the rows
	whole *growing.Tape
	tapes []*growing.Tape // by block

	theta       []float64
	free        []int32   // the parameters that are not 0
	weights     []float64 // their logarithms
	parts       []part
	evaluations int
	logLik      float64     // log-likelihood, or the divergence
	target      *divergence // nil if the circuit is fitted to rows
	impossible  int         // a row of probability 0 at the start; -1 if there is none
}

// part is the contribution of a block's rows to the log-likelihood and its gradient.
type part struct {
	value      float64
	gradient   []float64
	impossible int
}

// blocks is the number of blocks of rows. It is fixed, so that sums do not depend on the number of
// cores.
const blocks = 8

func newFit(l *Options, job *learner.Job, d *model.Circuit) *fit {
	f := &fit{l: l, job: job, d: d, rows: job.Train.Merged()}
	var cards []int
	for _, v := range job.Train.Vars {
		cards = append(cards, len(v.States))
	}
	f.whole, f.theta = growing.TapeOf(d, cards)
	for i, x := range f.theta {
		if x > 0 {
			f.free, f.weights = append(f.free, int32(i)), append(f.weights, pgmrt.Ln(x))
		}
	}
	for range blocks {
		f.tapes = append(f.tapes, f.whole.Clone())
		f.parts = append(f.parts, part{gradient: make([]float64, len(f.free))})
	}
	for i := range f.rows.Len() {
		f.total += f.rows.Weight(i)
	}
	return f
}

// score returns the name of the objective: the log-likelihood, or the divergence from a network.
func (f *fit) score() string {
	if f.target != nil {
		return "divergence"
	}
	return "loglik"
}

// run fits the parameters until convergence or until ctx ends.
func (f *fit) run(ctx context.Context) error {
	gradient := make([]float64, len(f.free))
	if f.target != nil {
		return f.approach(ctx, gradient)
	}
	if f.objective(f.weights, gradient); f.impossible >= 0 {
		row := make([]int, len(f.rows.Vars))
		f.rows.Row(f.impossible, row)
		return fmt.Errorf("the circuit gives a row of the data no probability, that of the states %v; no numbers but 0 can change that", row)
	}
	if err := f.minimise(ctx, f.objective); err != nil {
		return err
	}
	f.objective(f.weights, gradient)
	f.logLik = -f.total * pgmrt.Ln(f.sum())
	for _, p := range f.parts {
		f.logLik += p.value
	}
	return nil
}

// approach fits the parameters to a network until convergence or until ctx ends.
func (f *fit) approach(ctx context.Context, gradient []float64) error {
	objective := func(weights, gradient []float64) float64 {
		f.evaluations++
		value := f.target.objective(f, weights, gradient)
		return value + f.prior(weights, gradient)
	}
	if math.IsInf(objective(f.weights, gradient), 1) {
		return fmt.Errorf("the network makes joint states impossible that the circuit does not; no numbers of the circuit but 0 can change that")
	}
	if err := f.minimise(ctx, objective); err != nil {
		return err
	}
	f.logLik = f.target.objective(f, f.weights, gradient)
	return nil
}

// prior returns the penalty of the Gaussian prior and adds its slope to a gradient.
func (f *fit) prior(weights, gradient []float64) (value float64) {
	if f.l.WeightVariance == 0 {
		return 0
	}
	for i, w := range weights {
		value += w * w / (2 * f.l.WeightVariance)
		gradient[i] += w / f.l.WeightVariance
	}
	return value
}

// sum sets the parameters of the circuit to the last objective's and returns its sum over all joint
// states.
func (f *fit) sum() float64 {
	f.whole.All()
	return f.whole.Eval(f.theta)
}

// objective returns the negative log-likelihood plus the penalty of the prior, and computes its
// gradient by the weights.
func (f *fit) objective(weights, gradient []float64) float64 {
	f.evaluations++
	for i, x := range f.free {
		f.theta[x] = math.Exp(weights[i])
	}
	z := f.sum()
	if !growing.Finite(z) {
		return math.Inf(1)
	}
	f.whole.Derive()
	learner.Each(f.job.Cores, blocks, f.part)
	value := f.total * pgmrt.Ln(z)
	for i, x := range f.free {
		gradient[i] = f.total * f.theta[x] * f.whole.ByParam(x) / z
	}
	f.impossible = -1
	for _, p := range f.parts {
		value -= p.value
		for i, x := range p.gradient {
			gradient[i] -= x
		}
		if p.impossible >= 0 && f.impossible < 0 {
			f.impossible = p.impossible
		}
	}
	return value + f.prior(weights, gradient)
}

// part sums over the rows of a block.
func (f *fit) part(b int) {
	p, t := &f.parts[b], f.tapes[b]
	p.value, p.impossible = 0, -1
	clear(p.gradient)
	n := f.rows.Len()
	for row := n * b / blocks; row < n*(b+1)/blocks; row++ {
		for v := range f.rows.Vars {
			col := f.rows.Column(v)
			at := col.At(row)
			for s := range f.rows.Vars[v].States {
				x := 0.0
				if at == s || at == data.Missing {
					x = 1
				}
				t.Set(v, s, x)
			}
		}
		value, weight := t.Eval(f.theta), f.rows.Weight(row)
		if value == 0 {
			p.value = math.Inf(-1)
			p.impossible = row
			return
		}
		p.value += weight * pgmrt.Ln(value)
		t.Derive()
		for i, x := range f.free {
			p.gradient[i] += weight * f.theta[x] * t.ByParam(x) / value
		}
	}
}

// model returns the circuit with the fitted parameters, divided by its sum.
func (f *fit) model() (*model.Model, error) {
	m := &model.Model{Name: "acopt", Kind: model.Markov}
	for _, v := range f.job.Train.Vars {
		m.NewVar(v.Name, v.States...)
	}
	d := &model.Circuit{}
	number := 0
	for _, n := range f.d.Nodes {
		if n.Op == model.CircuitNumber {
			n.Value = f.theta[number]
			number++
		}
		d.Nodes = append(d.Nodes, n)
	}
	root := int32(len(d.Nodes) - 1)
	d.Nodes = append(d.Nodes, model.CircuitNode{Value: 1 / f.sum()}, model.CircuitNode{Op: model.CircuitProduct, Args: []int32{root, root + 1}})
	factor := &model.Factor{Child: -1, Dist: d}
	for i := range m.Vars {
		factor.Scope = append(factor.Scope, model.VarID(i))
	}
	m.Factors = []*model.Factor{factor}
	if list := m.Check(); list.HasErrors() {
		return nil, list.Err()
	}
	return m, nil
}
