package infer

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/method/clg"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// informed draws particles given the evidence on their slice.
type informed struct {
	base   *model.Model
	found  *Findings
	r      *pgmrt.Rand
	engine *Engine // of the slice, with the variables before it
	places *places // nil in slice 0
}

// informed returns what draws the next slice of f given its evidence.
func (f *Filter) informed(ctx context.Context, found *Findings, r *pgmrt.Rand) (drawer, error) {
	s := &informed{base: f.e.vars.m, found: found, r: r}
	slice := *s.base
	slice.Transition = nil
	m := &slice
	if f.n > 0 {
		m, s.places = s.base.Step(), newPlaces(s.base)
	}
	var err error
	s.engine, err = f.e.slices(ctx, f.n > 0, m)
	return s, err
}

func (s *informed) from(r *pgmrt.Rand) { s.r = r }

func (s *informed) draw(ctx context.Context, c *pgmrt.Cloud, i int) (log, certain float64, err error) {
	given := NewFindings(len(s.engine.vars.m.Vars))
	copy(given.State, s.found.State)
	copy(given.Value, s.found.Value)
	copy(given.Soft, s.found.Soft)
	if s.places != nil {
		states, values := c.Before(i)
		for k, at := range s.places.state {
			given.Observe(s.engine.vars.m.Vars[s.places.as[k]], model.Value{State: int(states[at])})
		}
		for k, at := range s.places.value {
			given.Observe(s.engine.vars.m.Vars[s.places.asReal[k]], model.Value{Real: values[at]})
		}
	}
	log, err = s.engine.LogProb(ctx, given)
	if errors.Is(err, ErrImpossible) {
		return math.Inf(-1), 0, nil
	} else if err != nil || math.IsInf(log, -1) {
		return log, 0, err
	}
	for _, m := range s.engine.machines { // one, which LogProb has made
		m.Rand = s.r
	}
	states, values := c.New(i)
	for drawn, err := range s.engine.Values(ctx, given) {
		if err != nil {
			return 0, 0, err
		}
		k, r := 0, 0
		for v, value := range drawn[:len(s.base.Vars)] {
			if s.base.IsReal(model.VarID(v)) {
				values[r], r = value.Real, r+1
			} else {
				states[k], k = int32(value.State), k+1
			}
		}
		break
	}
	return log, 0, nil
}

// slices returns an engine of the network of a slice, in which no variable is latent. Method clg
// takes the variables before it as given ones, also if all are discrete.
func (e *Engine) slices(ctx context.Context, later bool, m *model.Model) (*Engine, error) {
	if e.informed[later] == nil {
		open := *m
		open.Vars = nil
		for _, v := range m.Vars {
			w := *v
			w.Latent = false
			open.Vars = append(open.Vars, &w)
		}
		of, err := New(ctx, &open, Options{Method: clg.NewOptions(), Seed: e.opt.Seed, Queries: []string{"logprob", "sample"}})
		if err != nil {
			return nil, fmt.Errorf("a proposal by the posterior of a slice: %w", err)
		}
		if e.informed == nil {
			e.informed = map[bool]*Engine{}
		}
		e.informed[later] = of
	}
	return e.informed[later], nil
}

// fitted draws particles from a normal distribution of the real variables that persist, given the
// evidence on their slice, by a filter for means that are not linear from a belief of one value;
// and the other variables from their CPDs given these. Weights make up for what it is off by.
type fitted struct {
	base, of *model.Model // with the slice before; of one slice, with the variables before it
	found    *Findings
	r        *pgmrt.Rand
	engine   *Engine // of the filter
	places   *places // nil in slice 0
	order    []model.VarID
	rank     []int // by variable: its place among those that persist, or -1
	state    []int
	x        []float64
}

// fitted returns what draws the next slice of f near its posterior by a method.
func (f *Filter) fitted(ctx context.Context, found *Findings, by string, r *pgmrt.Rand) (drawer, error) {
	if f.e.fits == nil {
		e, err := New(ctx, f.e.vars.m, Options{Method: compiler.Named(by), Seed: f.e.opt.Seed, MaxTable: f.e.opt.MaxTable, MaxMem: f.e.opt.MaxMem})
		if err != nil {
			return nil, fmt.Errorf("a proposal by %s: %w", by, err)
		}
		f.e.fits = e
	}
	for _, name := range []string{ir.FilterFirst, ir.FilterNext} {
		if _, err := f.e.fits.stream(ctx, ir.Filter, name); err != nil {
			return nil, err
		}
	}
	s := &fitted{base: f.e.vars.m, found: found, r: r, engine: f.e.fits}
	slice := *s.base
	slice.Transition = nil
	s.of = &slice
	if f.n > 0 {
		s.of, s.places = s.base.Step(), newPlaces(s.base)
	}
	for _, v := range s.of.Topological() {
		if int(v) < len(s.base.Vars) {
			s.order = append(s.order, v)
		}
	}
	s.rank = make([]int, len(s.base.Vars))
	for v := range s.rank {
		s.rank[v] = slices.Index(s.base.Transition.Before, model.VarID(v))
	}
	s.state, s.x = make([]int, len(s.of.Vars)), make([]float64, len(s.of.Vars))
	return s, nil
}

func (s *fitted) from(r *pgmrt.Rand) { s.r = r }

func (s *fitted) draw(ctx context.Context, c *pgmrt.Cloud, i int) (log, certain float64, err error) {
	name, in := ir.FilterFirst, [][]float64(nil)
	if s.places != nil {
		name = ir.FilterNext
		_, values := c.Before(i)
		numbers := make([]float64, s.engine.streams[name].Spans[s.engine.streams[name].entry.Stream.In[0]].Len)
		for k, at := range s.places.value {
			numbers[k], s.x[s.places.asReal[k]] = values[at], values[at]
		}
		in = [][]float64{numbers}
	}
	p, m, err := s.engine.slice(ctx, ir.Filter, name, s.found, in)
	if errors.Is(err, ErrImpossible) {
		return math.Inf(-1), 0, nil
	} else if err != nil {
		return 0, 0, err
	}
	var q *normals
	if out := outOf(p, m); len(out) > 0 {
		q = newNormals(out[0], len(s.base.Transition.Before))
	}
	for _, v := range s.order {
		more, err := s.drawOne(v, q)
		if err != nil {
			return 0, 0, err
		}
		log += more
	}
	_, values := c.New(i)
	copy(values, s.x[:len(s.base.Vars)])
	if math.IsNaN(log) {
		log = math.Inf(-1)
	}
	return log, 0, nil
}

// drawOne sets the value of a variable given those in front of it, and returns what it multiplies
// the weight by.
func (s *fitted) drawOne(v model.VarID, q *normals) (log float64, err error) {
	f := s.of.CPD(v)
	k := s.rank[v]
	switch x := s.found.Value[v]; {
	case !math.IsNaN(x):
		s.x[v] = x
		if f != nil {
			log = s.of.LogFactor(f, s.state, s.x)
		}
	case k < 0 || q.fixed(k) || s.certain(f):
		err = s.of.Draw(f, s.r, s.state, s.x)
	default:
		mean, variance := q.mean[k], q.cov[k][k]
		s.x[v] = mean + float64(math.Sqrt(variance)*s.r.Normal())
		log = s.of.LogFactor(f, s.state, s.x) - model.Normal{Mean: mean, Var: variance}.LogDensity(s.x[v], 0)
	}
	if k >= 0 {
		q.condition(k, s.x[v])
	}
	return log, err
}

// certain reports whether a variable is a function of its parents.
func (s *fitted) certain(f *model.Factor) bool {
	d, ok := f.Dist.(interface{ HasZeros() bool })
	return ok && d.HasZeros()
}

// normals is a normal distribution of which one variable after the other gets a value.
type normals struct {
	mean []float64
	cov  [][]float64
	at   []float64 // the variances at the start
}

// newNormals returns the distribution of n variables with the numbers of a belief.
func newNormals(numbers []float64, n int) *normals {
	q := &normals{mean: slices.Clone(numbers[:n])}
	packed := numbers[n:]
	for i := range n {
		q.cov = append(q.cov, make([]float64, n))
		for j := range i + 1 {
			q.cov[i][j] = packed[i*(i+1)/2+j]
			q.cov[j][i] = q.cov[i][j]
		}
		q.at = append(q.at, q.cov[i][i])
	}
	return q
}

// leastVariance is the share of its variance at the start below which a variable counts as fixed by
// others.
const leastVariance = 1e-12

// fixed reports whether variable k has no variance left.
func (q *normals) fixed(k int) bool { return !(q.cov[k][k] > leastVariance*q.at[k]) }

// condition gives variable k a value.
func (q *normals) condition(k int, x float64) {
	if q.fixed(k) {
		return
	}
	off, with := x-q.mean[k], slices.Clone(q.cov[k])
	for i, c := range with {
		share := c / with[k]
		q.mean[i] += float64(share * off)
		for j, d := range with {
			q.cov[i][j] -= float64(share * d)
		}
	}
}
