package ldfm

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/options"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/rate"
)

// Plain is the learner of LDFM, and Stopping the learner of LDFM-S.
var (
	Plain = learner.Learner{
		Name:    "ldfm",
		Doc:     "a latent dependency forest model, by EM",
		New:     func() learner.Instance { return NewOptions() },
		Takes:   model.Forests | model.Reals | model.Mixed,
		Resumes: true,
	}
	Stopping = learner.Learner{
		Name:    "ldfm-s",
		Doc:     "a latent dependency forest model with stop weights, by EM",
		New:     func() learner.Instance { return NewStoppingOptions() },
		Takes:   model.Forests | model.Reals | model.Mixed,
		Resumes: true,
	}
)

// Options holds the options of ldfm.
type Options struct {
	Alpha    string  `opt:"alpha" default:"0,1,-5" help:"parameter of the modified Dirichlet prior: 1 for no prior, smaller for fewer weights; of several, the validation data choose, otherwise the first"`
	Epsilon  float64 `opt:"epsilon" default:"1e-6" help:"least weight of an edge"`
	Rounds   int     `opt:"rounds" default:"100" help:"most rounds of EM" range:"[1,inf)" wrong:"{rounds} rounds of EM; want 1 or more"`
	MaxEdges int     `opt:"max-edges" help:"most weights above epsilon, the others are cut; 0 for any number" range:"[0,inf)" wrong:"at most {max-edges} edges; want 0 or more"`
}

// StoppingOptions holds the options of ldfm-s.
type StoppingOptions Options

// NewOptions returns the defaults of ldfm.
func NewOptions() *Options { return options.New[Options]() }

// NewStoppingOptions returns the defaults of ldfm-s.
func NewStoppingOptions() *StoppingOptions { return options.New[StoppingOptions]() }

// Learn learns a latent dependency forest model.
func (o *Options) Learn(ctx context.Context, job *learner.Job) (*learner.Result, error) {
	return (&instance{Options: *o}).learn(ctx, job)
}

// Learn learns a latent dependency forest model with stop weights.
func (o *StoppingOptions) Learn(ctx context.Context, job *learner.Job) (*learner.Result, error) {
	return (&instance{Options: Options(*o), stop: true}).learn(ctx, job)
}

// instance is either learner.
type instance struct {
	Options
	stop bool
}

// check parses the alphas; entries is the most entries of a row of weights.
func (l *instance) check(entries int) (alphas []float64, err error) {
	if err := options.Check(l); err != nil {
		return nil, err
	}
	for text := range strings.SplitSeq(l.Alpha, ",") {
		x, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
			return nil, fmt.Errorf("alpha %q; want numbers separated by commas", text)
		}
		alphas = append(alphas, x)
	}
	switch {
	case !(l.Epsilon > 0) || l.Epsilon*float64(entries) > .5:
		return nil, fmt.Errorf("epsilon %v for rows of %d weights; want more than 0 and at most half of a row's sum in total", l.Epsilon, entries)
	case entries > model.MaxForestStates:
		return nil, fmt.Errorf("the variables have %d states in total; want at most %d", entries, model.MaxForestStates)
	}
	return alphas, nil
}

func (l *instance) learn(ctx context.Context, job *learner.Job) (*learner.Result, error) {
	if err := job.Train.Check(); err != nil {
		return nil, err
	}
	e, err := newEM(job.Train, job.Cores, l.stop)
	if err != nil {
		return nil, err
	}
	e.epsilon, e.maxEdges = l.Epsilon, l.MaxEdges
	alphas, err := l.check(e.columns())
	if err != nil {
		return nil, err
	}
	if err := e.checkEdges(l.MaxEdges); err != nil {
		return nil, err
	}
	if job.Valid == nil || job.Valid.Len() == 0 {
		alphas = alphas[:1]
	}
	begin, err := l.begin(e, job.Init)
	if err != nil {
		return nil, err
	}
	timed, cancel := job.Limit(ctx)
	defer cancel()
	search := &search{l: l, e: e, job: job, alphas: alphas, begin: begin, saver: job.Saver(e.m.Name, *l)}
	if err := search.run(timed); err != nil {
		return nil, err
	}
	return search.result(ctx, timed.Err() != nil)
}

// begin returns the initial weights: equal ones, or init's raised to epsilon.
func (l *instance) begin(e *em, init *model.Model) (*model.LDFM, error) {
	if init == nil {
		return e.start(), nil
	}
	same := init.Kind == model.Forest && len(init.Vars) == len(e.m.Vars)
	for i := 0; same && i < len(init.Vars); i++ {
		same = init.Vars[i].Name == e.m.Vars[i].Name && init.IsReal(model.VarID(i)) == e.m.IsReal(model.VarID(i)) && strings.Join(init.States(model.VarID(i)), "\x00") == strings.Join(e.m.States(model.VarID(i)), "\x00")
	}
	if !same || (init.Forest().Stop != nil) != l.stop {
		return nil, fmt.Errorf("the model to begin with is no %v of this kind over the variables of the data", model.Forest)
	}
	d := init.Forest()
	n := e.columns()
	out := e.start()
	out.Normals = e.unusual(d.Normals)
	e.entries(func(row int, ranges [2][2]int) {
		var a []float64
		for _, r := range ranges {
			a = append(a, d.Weights[row*n+r[0]:row*n+r[1]]...)
		}
		if l.stop {
			a = append(a, d.Stop[row])
		}
		if len(a) == 0 {
			return
		}
		maximise(a, a, e.epsilon)
		for _, r := range ranges {
			a = a[copy(out.Weights[row*n+r[0]:row*n+r[1]], a):]
		}
		if l.stop {
			out.Stop[row] = a[0]
		}
	})
	return out, nil
}

// rate scores weights by the validation data.
func (e *em) rate(d *model.LDFM, valid *data.Set) (float64, error) {
	if len(e.reals) > 0 {
		return e.heldOut(d, valid), nil
	}
	return e.pseudo(d, valid)
}

// measure returns the name of the score of rate.
func (e *em) measure() string {
	if len(e.reals) > 0 {
		return "log-weight"
	}
	return "pseudo-log-likelihood"
}

// validRows is the number of validation rows that are scored, since each takes a factorisation for
// each state of each variable.
const validRows = 200

// pseudo returns the mean pseudo-log-likelihood of the first validRows complete rows of the
// validation data.
func (e *em) pseudo(d *model.LDFM, valid *data.Set) (float64, error) {
	n := min(validRows, valid.Len())
	logs, weights := make([]float64, n), make([]float64, n)
	m := e.with(d)
	var failed error
	cores := max(1, e.cores)
	sets := make([]*rate.Rows, cores)
	for i := range sets {
		if sets[i], failed = rate.NewRows(m); failed != nil {
			return 0, failed
		}
	}
	learner.Each(cores, cores, func(core int) {
		row := make([]int, len(m.Vars))
		for r := core; r < n; r += cores {
			valid.Row(r, row)
			complete := true
			for _, s := range row {
				complete = complete && s != data.Missing
			}
			if complete {
				logs[r], weights[r] = sets[core].Pseudo(row), valid.Weight(r)
			}
		}
	})
	sum, total := 0.0, 0.0
	for r, w := range weights {
		if w > 0 {
			sum += w * logs[r]
			total += w
		}
	}
	return sum / max(total, math.SmallestNonzeroFloat64), nil
}

// with returns the model with weights d, with normal distributions of standardised values.
func (e *em) with(d *model.LDFM) *model.Model {
	m := *e.m
	f := *m.Factors[0]
	f.Dist = &model.LDFM{Weights: d.Weights, Stop: d.Stop, Normals: e.usual(d.Normals)}
	m.Factors = []*model.Factor{&f}
	return &m
}
