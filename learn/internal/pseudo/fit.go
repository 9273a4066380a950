package pseudo

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/pgmc-go/pgmc/ir/options"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/internal/convex"
	"github.com/pgmc-go/pgmc/learn/learner"
)

// Options holds the options that learners of weights share.
type Options struct {
	L1             string
	WeightVariance float64 `opt:"weight-variance" range:"[0,inf)" wrong:"variance of weights {weight-variance}; want 0 or more"`
	Steps          int     `opt:"steps" range:"[0,inf)" wrong:"at most {steps} steps; want 0 or more"`
	Tolerance      float64 `opt:"tolerance" range:"[0,inf]" wrong:"tolerance {tolerance}; want 0 or more"`
}

// Of returns the options of a learner that are shared.
func Of(own any) *Options {
	o := &Options{}
	options.Copy(o, own)
	return o
}

// Penalties checks the options and the data and returns the penalties, the largest first. If zero
// is set, one may be 0.
func (o *Options) Penalties(job *learner.Job, zero bool) ([]float64, error) {
	if err := job.Train.Check(); err != nil {
		return nil, err
	}
	if err := options.Check(o); err != nil {
		return nil, err
	}
	if err := learner.Fits(job.Train); err != nil {
		return nil, err
	}
	list, err := learner.Penalties(o.L1, zero)
	if err == nil && len(list) > 1 && job.Valid == nil {
		err = fmt.Errorf("%d penalties, %s, without validation data to choose by; want validation data or one penalty", len(list), strings.TrimSpace(o.L1))
	}
	return list, err
}

// Fit is the result for one penalty.
type Fit struct {
	Features []Feature
	L1       float64
	Parts    []float64 // by variable: its part of the pseudo-log-likelihood of the rows
	Steps    int
	Stopped  bool
}

// errImpossible reports a row of probability 0 that no finite weights can make possible.
var errImpossible = errors.New("a row of the data has probability 0 under the network, and no finite weights can change that")

// Fit fits the weights of features, starting from first's, until the fit converges or ctx ends. The
// features of the result have the fitted weights.
func (o *Options) Fit(ctx context.Context, job *learner.Job, first []Feature, l1 float64) (*Fit, error) {
	p := New(job.Train, first, job.Cores)
	x := make([]float64, len(first))
	for i := range first {
		x[i] = first[i].Weight
	}
	if math.IsInf(p.Log(x, nil), -1) {
		return nil, errImpossible
	}
	f := &Fit{L1: l1}
	fit := convex.Options{Steps: o.Steps, Tolerance: o.Tolerance, Stop: func() bool {
		job.ReportProgress(learner.Event{Done: f.Steps})
		return ctx.Err() != nil
	}}
	// Infinite weights stay and are no variables of the minimisation.
	var free []int
	for i, w := range x {
		if !math.IsInf(w, -1) {
			free = append(free, i)
			if l1 > 0 {
				fit.L1 = append(fit.L1, l1)
			}
		}
	}
	some, slope := make([]float64, len(free)), make([]float64, len(x))
	for k, i := range free {
		some[k] = x[i]
	}
	set := func(weights []float64) {
		for k, i := range free {
			x[i] = weights[k]
		}
	}
	convex.Minimise(func(weights, gradient []float64) float64 {
		f.Steps++
		set(weights)
		value := -p.Log(x, slope)
		for k, i := range free {
			gradient[k] = -slope[i]
			if o.WeightVariance > 0 {
				value += x[i] * x[i] / (2 * o.WeightVariance)
				gradient[k] += x[i] / o.WeightVariance
			}
		}
		return value
	}, some, fit)
	set(some)
	p.Log(x, nil)
	f.Parts, f.Stopped = p.Parts(), ctx.Err() != nil
	for i, w := range x {
		f.Features = append(f.Features, Feature{first[i].Tests, w})
	}
	return f, nil
}

// Path fits with each penalty, each fit starting from the one before. It returns the fit that the
// validation data choose, and the points and remarks for the report.
func Path(job *learner.Job, penalties []float64, fit func(l1 float64, before *Fit) (*Fit, error)) (*Fit, []learner.Point, []string, error) {
	var points []learner.Point
	var fits []*Fit
	var last *Fit
	for _, l1 := range penalties {
		var err error
		if last, err = fit(l1, last); err != nil {
			return nil, nil, nil, err
		}
		p := learner.Point{L1: l1, Params: last.Params()}
		if job.Valid != nil {
			mean := last.Mean(job.Valid, job.Cores)
			p.Valid = &mean
		}
		points, fits = append(points, p), append(fits, last)
		if last.Stopped {
			break
		}
	}
	at, remarks := learner.Choose(points)
	return fits[at], points, remarks, nil
}

// Params returns the number of weights that are neither zero nor infinite.
func (f *Fit) Params() (n int) {
	for _, x := range f.Features {
		if x.Weight != 0 && !math.IsInf(x.Weight, -1) {
			n++
		}
	}
	return n
}

// Mean returns the mean pseudo-log-likelihood of the rows of a set.
func (f *Fit) Mean(s *data.Set, cores int) float64 {
	p := New(s, f.Features, cores)
	weights := make([]float64, len(f.Features))
	for i, x := range f.Features {
		weights[i] = x.Weight
	}
	if p.Rows() == 0 {
		return 0
	}
	return p.Log(weights, nil) / p.Rows()
}
