package pseudo

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math"
	"strings"

	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/internal/convex"
	"github.com/pgmc-go/pgmc/learn/learner"
)

// Options are the options that learners of weights share.
type Options struct {
	L1        string
	Variance  float64
	Steps     int
	Tolerance float64
}

// Bind declares the flags of the options.
func Bind(fs *flag.FlagSet, l1 *string, variance *float64, steps *int, tolerance *float64) {
	fs.StringVar(l1, "l1", *l1, "penalty for a unit of each weight, in nats; of several, as in 1,2,5, the validation data choose")
	fs.Float64Var(variance, "weight-variance", *variance, "variance of the Gaussian prior of each weight; 0 for none")
	fs.IntVar(steps, "steps", *steps, "most steps of the fit")
	fs.Float64Var(tolerance, "tolerance", *tolerance, "relative change of the objective over a step at which the fit ends")
}

// Penalties checks the options and the data, and gives the penalties, the largest first. With zero, one may be 0.
func (o *Options) Penalties(job *learner.Job, zero bool) ([]float64, error) {
	switch {
	case len(job.Train.Vars) == 0:
		return nil, fmt.Errorf("the data has no columns; want one at least")
	case job.Train.Len() == 0:
		return nil, fmt.Errorf("the data has no rows; want one at least")
	case !(o.Variance >= 0) || math.IsInf(o.Variance, 0):
		return nil, fmt.Errorf("variance of weights %v; want a number from 0", o.Variance)
	case o.Steps < 0:
		return nil, fmt.Errorf("at most %d steps; want 0 or more", o.Steps)
	case !(o.Tolerance >= 0):
		return nil, fmt.Errorf("tolerance %v; want a number from 0", o.Tolerance)
	}
	if err := learner.Fits(job.Train); err != nil {
		return nil, err
	}
	list, err := learner.Penalties(o.L1, zero)
	if err == nil && len(list) > 1 && job.Valid == nil {
		err = fmt.Errorf("%d penalties, %s, and no validation data to choose by; give some, or one penalty", len(list), strings.TrimSpace(o.L1))
	}
	return list, err
}

// Fit is what one penalty gave.
type Fit struct {
	Features []Feature
	L1       float64
	Parts    []float64 // of the pseudo-log-likelihood of the rows, by variable
	Steps    int
	Stopped  bool
}

// errImpossible says that no weights but infinite ones make the rows possible.
var errImpossible = errors.New("the network gives a row of the data no probability; no weights but those that forbid states can change that")

// Fit fits the weights of features, as far as ctx lets it: first is their beginning, and the result has them changed.
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
	options := convex.Options{Steps: o.Steps, Tolerance: o.Tolerance, Stop: func() bool {
		job.Tell(learner.Event{Done: f.Steps})
		return ctx.Err() != nil
	}}
	// Weights that stay have no place in what is minimised.
	var free []int
	for i, w := range x {
		if !math.IsInf(w, -1) {
			free = append(free, i)
			if l1 > 0 {
				options.L1 = append(options.L1, l1)
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
			if o.Variance > 0 {
				value += x[i] * x[i] / (2 * o.Variance)
				gradient[k] += x[i] / o.Variance
			}
		}
		return value
	}, some, options)
	set(some)
	p.Log(x, nil)
	f.Parts, f.Stopped = p.Parts(), ctx.Err() != nil
	for i, w := range x {
		f.Features = append(f.Features, Feature{first[i].Tests, w})
	}
	return f, nil
}

// Path fits with each penalty, with what the one before it gave at hand, and gives the fit that the validation data choose and what a
// report says of the choice.
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

// Params is how many weights are not zero and may change.
func (f *Fit) Params() (n int) {
	for _, x := range f.Features {
		if x.Weight != 0 && !math.IsInf(x.Weight, -1) {
			n++
		}
	}
	return n
}

// Mean is the mean pseudo-log-likelihood of the rows of a set.
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
