package acmn

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/experiment"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/rate"
)

// Experiment repeats the evaluation of the poster: tractable models learned from twelve data sets,
// their likelihoods, their answers and query times by the share of evidence, and the divergence
// between the two most similar models.
type Experiment struct {
	experiment.Run
	maxTime time.Duration // time limit of learning one model
	rows    int           // number of rows of the test data for conditional log-likelihoods, the same for all models
	drawn   int           // number of rows drawn for a divergence
	reports []*SetReport
}

// Spec is a learner with one configuration for all sets. The options are those of pgmc learn.
type Spec struct {
	name, algo  string
	options     string
	conditional bool // the poster shows its answers by the share of evidence
	pseudo      bool // it learns by pseudo-likelihood, and its likelihood cannot be computed
}

// The largest number of edges of a circuit, and the option with it.
const (
	maxEdges = "200000"
	edges    = "max-edges=" + maxEdges
)

// The names of the tractable models of the poster. The divergence of the first two is measured.
const acmnName, acbnName, ltmName = "ACMN", "ACBN", "LTM"

var specs = []Spec{
	{name: acmnName, algo: "acmn", options: edges + " quick=true shrink=true split-penalty=5 l1=1 restarts=100", conditional: true},
	{name: acbnName, algo: "acbn", options: edges + " quick=true shrink=true split-penalty=2 restarts=100", conditional: true},
	{name: ltmName, algo: "ltm", options: edges, conditional: true},
	{name: "GSSL", algo: "gssl", pseudo: true},
	{name: "L1", algo: "l1mn", pseudo: true},
	{name: "MT", algo: "mt", options: edges},
	{name: "HCLT", algo: "hclt", options: edges},
	{name: "LearnSPN", algo: "learnspn", options: edges},
	{name: "ID-SPN", algo: "idspn", options: edges},
	{name: "CNet", algo: "cnet", options: edges},
	{name: "CNet bag", algo: "cnet", options: edges + " bags=40"},
}

// allFractions holds the shares of a row that are observed.
var allFractions = []float64{0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9}

// Result holds the results and the configuration.
type Result struct {
	MaxEdges    string                  `json:"max_edges"`
	MaxTime     string                  `json:"max_time"`
	Sets        []*SetReport            `json:"sets"`
	Conclusions []experiment.Conclusion `json:"conclusions"`
}

// SetReport holds the results on a data set.
type SetReport struct {
	Set    string      `json:"set"`
	Vars   int         `json:"variables"`
	Rows   int         `json:"rows"`
	Models []*Score    `json:"models"`
	KL     *Divergence `json:"kl,omitempty"`
}

// Score holds the results of a model.
type Score struct {
	Model     string     `json:"model"`
	Edges     int        `json:"edges,omitempty"`
	Seconds   float64    `json:"seconds"`           // of learning
	Stopped   bool       `json:"stopped,omitempty"` // by --max-time
	LL        *float64   `json:"ll,omitempty"`      // mean test log-likelihood; nil if it cannot be computed or is -Inf
	StdErr    *float64   `json:"ll_stderr,omitempty"`
	Published *float64   `json:"published,omitempty"`
	Failed    string     `json:"failed,omitempty"` // why there is no model
	Given     []Fraction `json:"given,omitempty"`
}

// Fraction holds the accuracy of predicting the rest of a row from an observed share.
type Fraction struct {
	Evidence     float64  `json:"evidence"`
	CLL          *float64 `json:"cll,omitempty"`  // joint log-likelihood of the rest, divided by its number of variables
	CMLL         *float64 `json:"cmll,omitempty"` // mean log-likelihood of each of its variables alone
	Microseconds float64  `json:"microseconds"`   // a query
}

// Divergence holds the divergence of ACMN's circuit from ACBN's.
type Divergence struct {
	Original  float64    `json:"original"`  // difference of the mean test log-likelihoods
	Generated float64    `json:"generated"` // KL(ACBN, ACMN), by rows of ACBN
	StdErr    float64    `json:"stderr"`
	Published [2]float64 `json:"published"`
}

// Run runs the experiment and writes its tables.
func Run(ctx context.Context, a *cli.App, f *experiment.Options) error {
	x := &Experiment{Run: experiment.Run{App: a, Flags: f}, maxTime: experiment.Pick(f, time.Second, time.Minute, 15*time.Minute),
		rows: experiment.Pick(f, 10, 20, 500), drawn: experiment.Pick(f, 1000, 10_000, 100_000)}
	if f.MaxTime > 0 {
		x.maxTime = f.MaxTime
	}
	sets := experiment.SetNames()
	return x.Do(ctx, &experiment.Plan{Name: "acmn", Kind: "data set", Instances: experiment.Pick(f, sets[:1], sets, sets), Known: sets,
		Progress: "learning and scoring models", Measure: x.set, Report: x.report})
}

// set learns and scores all models on a data set.
func (x *Experiment) set(ctx context.Context, set string) error {
	d, err := x.LoadParts(ctx, set)
	if err != nil {
		return err
	}
	r := &SetReport{Set: set, Vars: len(d.Train.Vars), Rows: d.Train.Len()}
	x.reports = append(x.reports, r)
	engines, models := map[string]*infer.Engine{}, map[string]*model.Model{}
	for _, spec := range specs {
		s, m, err := x.learn(ctx, set, &spec, &d)
		if err != nil {
			return fmt.Errorf("%s: %w", spec.name, err)
		}
		r.Models = append(r.Models, s)
		x.Done.Add(1)
		if m == nil {
			continue
		}
		s.Published = publishedOf(spec.name, set)
		if engines[spec.name], err = x.score(ctx, &spec, s, m, d.Test); err != nil {
			return fmt.Errorf("%s: %w", spec.name, err)
		}
		models[spec.name] = m
	}
	if engines[acmnName] != nil && engines[acbnName] != nil {
		r.KL, err = x.divergence(ctx, r, models[acbnName], engines)
	}
	return err
}

// publishedOf returns the published score of a model, or nil.
func publishedOf(name, set string) *float64 {
	list := published[name]
	if list == nil {
		return nil
	}
	return &list[experiment.PlaceOf(set)]
}

// score measures a model on the test data. It returns the engine of the model, or nil for one
// learned by pseudo-likelihood.
func (x *Experiment) score(ctx context.Context, spec *Spec, s *Score, m *model.Model, test *data.Set) (*infer.Engine, error) {
	rows := experiment.RowsOf(test, test.Len())
	if spec.pseudo {
		return nil, x.pseudo(ctx, s, m, rows[:min(len(rows), x.rows)])
	}
	by, err := x.Engine(ctx, spec.name, m, "logprob")
	if err != nil {
		return nil, err
	}
	logs, err := by.LogProbs(ctx, rows)
	if err != nil {
		return nil, err
	}
	s.LL, s.StdErr = table.FiniteMean(rate.MeanOf(logs))
	if spec.conditional {
		err = x.conditional(ctx, s, by, rows[:min(len(rows), x.rows)], logs)
	}
	return by, err
}

// evidenceOf hides all but a share of each row. The seed decides what is observed, and a larger
// share contains every smaller one.
func (x *Experiment) evidenceOf(rows [][]int, share float64) (parts [][]int, hidden int) {
	rng := rand.New(rand.NewPCG(x.Seed, 1))
	for _, row := range rows {
		part, order := slices.Clone(row), rng.Perm(len(row))
		known := min(len(row)-1, int(math.Round(share*float64(len(row)))))
		for _, v := range order[known:] {
			part[v] = data.Missing
		}
		parts, hidden = append(parts, part), len(row)-known
	}
	return parts, hidden
}

// conditional measures ln P(rest | evidence) of rows whose log-probabilities are in whole, and the
// time of one: that of the probability of the row and that of its evidence, eight rows at a time on
// one core.
func (x *Experiment) conditional(ctx context.Context, s *Score, by *infer.Engine, rows [][]int, whole []float64) error {
	for _, f := range allFractions {
		parts, hidden := x.evidenceOf(rows, f)
		start := time.Now()
		logs, err := by.LogProbs(ctx, parts)
		if err != nil {
			return err
		}
		took := 2 * time.Since(start)
		for i := range logs {
			logs[i] = (whole[i] - logs[i]) / float64(hidden)
		}
		cll, _ := table.FiniteMean(rate.MeanOf(logs))
		s.Given = append(s.Given, Fraction{Evidence: f, CLL: cll, Microseconds: took.Seconds() * 1e6 / float64(len(rows))})
	}
	return nil
}

// divergence compares ACBN, whose model is from, with ACMN.
func (x *Experiment) divergence(ctx context.Context, r *SetReport, from *model.Model, engines map[string]*infer.Engine) (*Divergence, error) {
	source, err := x.Engine(ctx, acbnName, from, "sample")
	if err != nil {
		return nil, err
	}
	rows, err := source.Draw(ctx, nil, x.drawn)
	if err != nil {
		return nil, err
	}
	kl := &Divergence{Published: publishedKL[experiment.PlaceOf(r.Set)]}
	if kl.Generated, kl.StdErr, err = rate.ModelDivergence(ctx, rows, engines[acbnName], engines[acmnName], nil); err != nil {
		return nil, err
	}
	var ll []float64
	for _, s := range r.Models {
		if (s.Model == acmnName || s.Model == acbnName) && s.LL != nil {
			ll = append(ll, *s.LL)
		}
	}
	if len(ll) == 2 {
		kl.Original = math.Abs(ll[0] - ll[1])
	}
	return kl, nil
}
