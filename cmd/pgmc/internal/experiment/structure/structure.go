package structure

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/experiment"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/rate"
	"github.com/pgmc-go/pgmc/learn/score"
)

// The numbers of rows, without and with --quick, and the share of cells that are hidden for
// learners from incomplete rows.
const (
	allRows     = 10_000
	quickRows   = 1_000
	hiddenShare = 0.1
)

// byBDeu holds the options of learners that maximise BDeu, with an equivalent sample size of 1.
const byBDeu = "score=bdeu"

// Spec is a learner of structures with its options, as flags of pgmc learn.
type Spec struct {
	name, algo string
	options    string
	quick      string // in addition with --quick
	from       string // options of hill climbing, which finds the initial network; "" for no edges
	hidden     bool   // it learns from incomplete rows
}

// specs lists the learners, with the same score if they use one. ORDER means an order of the true
// network.
var specs = []Spec{
	{name: "Chow-Liu tree", algo: "chowliu"},
	{name: "K2, true order", algo: "k2", options: byBDeu + " order=ORDER"},
	{name: "hill climbing", algo: "hillclimb", options: byBDeu},
	{name: "hill climbing, tabu list", algo: "hillclimb", options: byBDeu + " tabu=10"},
	{name: "search over orders", algo: "boss", options: byBDeu + " restarts=10", quick: "restarts=1"},
	{name: "GES", algo: "ges", options: byBDeu},
	{name: "GES, BIC", algo: "ges", options: "score=bic"},
	{name: "PC, G test", algo: "pc"},
	{name: "PC, chi-square test", algo: "pc", options: "test=chi2 alpha=0.01"},
	{name: "MCMC over structures", algo: "average", options: byBDeu + " over=structures", quick: "candidates=8 burn-in=1000 samples=50"},
	{name: "the same from hill climbing", algo: "average", options: byBDeu + " over=structures chains=1", quick: "burn-in=1000 samples=50", from: byBDeu + " max-parents=3 tabu=10"},
	{name: "MCMC over orders", algo: "average", options: byBDeu + " over=orders", quick: "candidates=8 burn-in=100 samples=10"},
	{name: "structural EM, 10 % hidden", algo: "structem", options: byBDeu, quick: "rounds=2 em-steps=2 draws=2", hidden: true},
}

// Result holds the results.
type Result struct {
	Network string  `json:"network"`
	Rows    int     `json:"rows"`
	Edges   int     `json:"edges"` // of the network
	BDeu    float64 `json:"true_bdeu"`
	BIC     float64 `json:"true_bic"`
	Learned []*Row  `json:"learned"`
}

// Row holds the results of one learner. Scores are of the complete rows for every learner.
type Row struct {
	Learner string `json:"learner"`
	Edges   int    `json:"edges"`
	rate.Distance
	BDeu    float64 `json:"bdeu"` // with an equivalent sample size of 1
	BIC     float64 `json:"bic"`
	Seconds float64 `json:"seconds"`
}

// Run compares the learners of structures by rows drawn from alarm, or from the network of the
// flags.
func Run(ctx context.Context, a *cli.App, f *experiment.Options) error {
	x := &Experiment{Run: experiment.Run{App: a, Flags: f}, rows: experiment.Pick(f, quickRows, allRows, allRows)}
	if err := experiment.AtLeastOne("rows", f.Rows); err != nil {
		return err
	}
	if f.Rows > 0 {
		x.rows = f.Rows
	}
	if len(f.Networks) > 1 {
		return cli.Usagef("--networks: found %d networks; want one to draw rows from", len(f.Networks))
	}
	return x.Do(ctx, &experiment.Plan{Name: "structure", Instances: []string{"alarm"}, Progress: "learning structures", Measure: x.network, Report: x.report})
}

// Experiment is a run of the experiment.
type Experiment struct {
	experiment.Run
	rows   int
	set    *data.Set
	truth  [][]int
	order  string
	scores [2]*score.Scorer // bdeu and bic
	result Result
}

// network learns from rows of a network.
func (x *Experiment) network(ctx context.Context, name string) error {
	path := x.Flags.Network(name)
	m, err := x.Load(ctx, path, "")
	if err != nil {
		return err
	}
	if x.set, err = x.drawRows(ctx, path, m); err != nil {
		return err
	}
	x.truth = data.Parents(m, x.set.Vars)
	var names []string
	for _, v := range m.Topological() {
		names = append(names, m.Vars[v].Name)
	}
	x.order = strings.Join(names, ",")
	counter := data.NewCounter(x.set, int64(x.MaxMem))
	for i, kind := range []string{"bdeu", "bic"} {
		if x.scores[i], err = score.New(kind, counter, score.Options{Size: 1}); err != nil {
			return err
		}
	}
	x.result = Result{Network: cli.ModelName(path), Rows: x.rows, Edges: edgesOf(x.truth), BDeu: x.scores[0].Network(x.truth), BIC: x.scores[1].Network(x.truth)}
	for _, l := range specs {
		row, err := x.learn(ctx, &l)
		if err != nil {
			return fmt.Errorf("%s: %w", l.name, err)
		}
		x.result.Learned = append(x.result.Learned, row)
		x.Done.Add(1)
	}
	return nil
}

// drawRows draws rows from a network.
func (x *Experiment) drawRows(ctx context.Context, path string, m *model.Model) (*data.Set, error) {
	r, err := x.Compile(ctx, path, m, compiler.Options{Queries: []string{"sample"}, MaxTable: x.MaxTable, MaxMem: int64(x.MaxMem)}, nil)
	if err != nil {
		return nil, err
	}
	rows, err := infer.Of(r, x.Seed).Sample(ctx, nil, x.rows)
	if err != nil {
		return nil, err
	}
	return data.New(data.VarsOf(m), rows, nil)
}

// hide returns the rows with some cells missing.
func (x *Experiment) hide() (*data.Set, error) {
	rng := rand.New(rand.NewPCG(x.Seed, 1))
	rows := experiment.RowsOf(x.set, x.set.Len())
	for _, row := range rows {
		for v := range row {
			if rng.Float64() < hiddenShare {
				row[v] = data.Missing
			}
		}
	}
	return data.New(x.set.Vars, rows, nil)
}

// learn runs one learner.
func (x *Experiment) learn(ctx context.Context, l *Spec) (row *Row, err error) {
	job := &learner.Job{Train: x.set, MaxMem: int64(x.MaxMem)}
	if l.hidden {
		if job.Train, err = x.hide(); err != nil {
			return nil, err
		}
	}
	seconds := 0.0
	if l.from != "" {
		first, err := x.Learn(ctx, "hillclimb", l.from, &learner.Job{Train: x.set, MaxMem: int64(x.MaxMem)})
		if err != nil {
			return nil, err
		}
		job.Init, seconds = first.Model, first.Seconds
	}
	r, err := x.Learn(ctx, l.algo, strings.Replace(l.options, "ORDER", x.order, 1)+" "+experiment.Pick(x.Flags, l.quick, "", ""), job)
	if err != nil {
		return nil, err
	}
	parents := data.Parents(r.Model, x.set.Vars)
	return &Row{Learner: l.name, Edges: edgesOf(parents), Distance: rate.CompareStructures(x.truth, parents), BDeu: x.scores[0].Network(parents), BIC: x.scores[1].Network(parents), Seconds: seconds + r.Seconds}, nil
}

// edgesOf counts edges.
func edgesOf(parents [][]int) (n int) {
	for _, p := range parents {
		n += len(p)
	}
	return n
}

// report returns the table.
func (x *Experiment) report() *experiment.Report {
	r, t := &x.result, &table.Table{}
	t.Add("learner", "edges", "SHD", "missing", "extra", "directions", "precision", "recall", "BDeu", "BIC", "seconds")
	t.Add("(the network itself)", fmt.Sprint(r.Edges), "0", "0", "0", "0", "1.000", "1.000", fmt.Sprintf("%.1f", r.BDeu), fmt.Sprintf("%.1f", r.BIC), "-")
	for _, l := range r.Learned {
		t.Addf("%s|%d|%d|%d|%d|%d|%.3f|%.3f|%.1f|%.1f|%.2f", l.Learner, l.Edges, l.SHD, l.Missing, l.Extra, l.Directions, l.Precision, l.Recall, l.BDeu, l.BIC, l.Seconds)
	}
	intro := fmt.Sprintf("%d rows drawn from %s, %d edges. SHD: structural Hamming distance of class graphs. Scores are of the complete rows.\n", r.Rows, r.Network, r.Edges)
	return &experiment.Report{Intro: intro, Tables: []experiment.Table{{Name: "structure", Table: t}}, Value: r}
}
