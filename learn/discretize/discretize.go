package discretize

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/pgmc-go/pgmc/ir/model"
)

// Options configure Model.
type Options struct {
	Intervals int    // of each real variable, at least 2
	Samples   int    // 0 is DefaultSamples
	Seed      uint64 // of the samples
	MaxTable  int    // the most numbers of a table; 0 is no bound
}

// DefaultSamples is the default of Options.Samples.
const DefaultSamples = 100_000

// Result is a discrete network and its costs.
type Result struct {
	Model *model.Model
	// Loss holds, by variable, the information in nats that its family loses. The sum is the
	// divergence of the networks.
	Loss []float64
	// Sampled has the variables with intervals or tables from samples.
	Sampled []model.VarID
}

// KL returns the divergence in nats.
func (r *Result) KL() (sum float64) {
	for _, x := range r.Loss {
		sum += x
	}
	return sum
}

// Model returns the discrete network of m, a Bayesian network of discrete variables and real ones
// with Gaussian CPDs.
func Model(ctx context.Context, m *model.Model, opt Options) (*Result, error) {
	if opt.Samples == 0 {
		opt.Samples = DefaultSamples
	}
	if opt.Intervals < 2 || opt.Intervals > model.MaxStates || opt.Samples < 2 {
		return nil, fmt.Errorf("%d intervals and %d samples; want at least 2", opt.Intervals, opt.Samples)
	}
	if err := model.Refuse("", "making intervals", model.Reals|model.Gaussians|model.Mixed, m.Needs(), nil); err != nil {
		return nil, err
	}
	if list := m.Check(); list.HasErrors() {
		return nil, list.Err()
	}
	d := &discretizer{m: m, opt: opt, cuts: make([][]float64, len(m.Vars)), margins: make([]margin, len(m.Vars))}
	for _, v := range m.Reals() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		d.margins[v] = d.components(v)
		if d.margins[v] == nil {
			d.sampled = append(d.sampled, v)
			continue
		}
		d.cuts[v] = d.margins[v].cuts(opt.Intervals)
	}
	if d.sampled != nil {
		if err := d.draw(ctx); err != nil {
			return nil, err
		}
	}
	return d.result(ctx)
}

// discretizer is the state of Model.
type discretizer struct {
	m       *model.Model
	opt     Options
	states  [][]int     // by variable and sample: of discrete ones, and the intervals of real ones
	values  [][]float64 // by variable and sample; nil for discrete ones
	cuts    [][]float64 // by variable
	margins []margin    // by variable; nil of discrete ones, and if there are too many components
	sampled []model.VarID
}

// draw draws the samples, parents before children, and sets bounds of intervals that are not known.
func (d *discretizer) draw(ctx context.Context) error {
	d.states, d.values = make([][]int, len(d.m.Vars)), make([][]float64, len(d.m.Vars))
	rng := rand.New(rand.NewPCG(d.opt.Seed, 0))
	for _, v := range d.m.Topological() {
		if err := ctx.Err(); err != nil {
			return err
		}
		d.states[v] = make([]int, d.opt.Samples)
		if !d.m.IsReal(v) {
			d.drawStates(v, rng)
			continue
		}
		f := d.m.CPD(v)
		d.values[v] = make([]float64, d.opt.Samples)
		for i := range d.values[v] {
			mean, variance := d.normal(f, i)
			d.values[v][i] = mean + math.Sqrt(variance)*rng.NormFloat64()
		}
		if d.margins[v] == nil {
			d.cuts[v] = quantiles(d.values[v], d.opt.Intervals)
		}
		for i, x := range d.values[v] {
			d.states[v][i] = model.Interval(d.cuts[v], x)
		}
	}
	return nil
}

// drawStates draws the states of a discrete variable.
func (d *discretizer) drawStates(v model.VarID, rng *rand.Rand) {
	f := d.m.CPD(v)
	state := make([]int, len(d.m.Vars))
	for i := range d.states[v] {
		for _, u := range f.Scope {
			state[u] = d.states[u][i]
		}
		u, last := rng.Float64(), 0
		for s := range d.m.Card(v) {
			state[v] = s
			p := d.m.Value(f, state)
			if p > 0 {
				last = s
			}
			if u -= p; u < 0 && p > 0 {
				break
			}
		}
		d.states[v][i] = last
	}
}

// normal returns the mean and the variance of a CPD at the parents of a sample.
func (d *discretizer) normal(f *model.Factor, sample int) (mean, variance float64) {
	discrete, real := d.m.SplitParents(f)
	row := 0
	for _, u := range discrete {
		row = row*d.m.Card(u) + d.states[u][sample]
	}
	mean, coef, variance := f.Gaussian().Row(row)
	for k, u := range real {
		mean += float64(coef[k] * d.values[u][sample])
	}
	return mean, variance
}

// quantiles returns bounds of few digits between n intervals with about as many values each. There
// are fewer if values are equal.
func quantiles(values []float64, n int) []float64 {
	sorted := slices.Sorted(slices.Values(values))
	return cutsAt(n, sorted[len(sorted)-1], func(p float64) float64 {
		return sorted[min(max(int(math.Ceil(p*float64(len(sorted))))-1, 0), len(sorted)-1)]
	})
}

// cutsAt returns bounds between n intervals of about equal probability, of values up to most with
// the given quantiles. The digits of a bound may move it by a twentieth of the probability.
func cutsAt(n int, most float64, quantile func(p float64) float64) (cuts []float64) {
	for k := 1; k < n; k++ {
		at := func(twentieths float64) float64 { return quantile((float64(k) + twentieths/20) / float64(n)) }
		cut := tidy(at(0), (at(1)-at(-1))/2)
		if cut < most && (len(cuts) == 0 || cut > cuts[len(cuts)-1]) {
			cuts = append(cuts, cut)
		}
	}
	return cuts
}

// tidy returns the number with the fewest digits at a distance from x of at most far.
func tidy(x, far float64) float64 {
	if math.Abs(x) <= far {
		return 0
	}
	for digits := 1; digits < 17; digits++ {
		if y, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', digits, 64), 64); err == nil && math.Abs(y-x) <= far {
			return y
		}
	}
	return x
}

// result returns the discrete network.
func (d *discretizer) result(ctx context.Context) (*Result, error) {
	m := d.m
	out := &model.Model{Name: m.Name, File: m.File}
	for _, v := range m.Vars {
		states := m.States(v.ID)
		if m.IsReal(v.ID) {
			states = model.IntervalNames(d.cuts[v.ID])
		}
		out.NewVar(v.Name, states...).Latent = v.Latent
	}
	r := &Result{Model: out, Loss: make([]float64, len(m.Vars))}
	for _, f := range m.Factors {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if f.Gaussian() == nil {
			out.Factors = append(out.Factors, &model.Factor{Scope: f.Scope, Child: f.Child, Dist: f.Dist})
			continue
		}
		size, ok := out.TableSize(f.Scope)
		if !ok || d.opt.MaxTable > 0 && size > d.opt.MaxTable {
			return nil, fmt.Errorf("the table of %q with %d parents has e^%.1f numbers; want fewer intervals, or a larger limit", m.Vars[f.ChildVar()].Name, len(f.Scope)-1, out.LogTableSize(f.Scope))
		}
		t, err := d.table(ctx, out, f, size)
		if err != nil {
			return nil, err
		}
		r.Loss[f.ChildVar()] = max(0, d.information(f)-t.information())
		out.Factors = append(out.Factors, &model.Factor{Scope: f.Scope, Child: f.Child, Dist: &model.Table{Values: t.values}})
	}
	slices.Sort(d.sampled)
	r.Sampled = slices.Compact(d.sampled)
	if list := out.Check(); list.HasErrors() {
		return nil, list.Err()
	}
	return r, nil
}
