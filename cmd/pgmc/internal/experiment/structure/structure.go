package structure

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/experiment"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/hillclimb"
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
var byBDeu = []string{"-score", "bdeu"}

// Spec is a learner of structures with its options, as flags of pgmc learn.
type Spec struct {
	name, algo string
	options    []string
	quick      []string // in addition with --quick
	from       []string // options of hill climbing, which finds the initial network; nil for no edges
	hidden     bool     // it learns from incomplete rows
}

// specs lists the learners, with the same score if they use one. ORDER means an order of the true
// network.
var specs = []Spec{
	{name: "Chow-Liu tree", algo: "chowliu"},
	{name: "K2, true order", algo: "k2", options: []string{"-score", "bdeu", "-order", "ORDER"}},
	{name: "hill climbing", algo: "hillclimb", options: byBDeu},
	{name: "hill climbing, tabu list", algo: "hillclimb", options: []string{"-score", "bdeu", "-tabu", "10"}},
	{name: "search over orders", algo: "order", options: byBDeu, quick: []string{"-candidates", "8", "-restarts", "1"}},
	{name: "GES", algo: "ges", options: byBDeu},
	{name: "GES, BIC", algo: "ges", options: []string{"-score", "bic"}},
	{name: "PC, G test", algo: "pc"},
	{name: "PC, chi-square test", algo: "pc", options: []string{"-test", "chi2", "-alpha", "0.01"}},
	{name: "MCMC over structures", algo: "average", options: []string{"-score", "bdeu", "-over", "structures"}, quick: []string{"-candidates", "8", "-burn-in", "1000", "-samples", "50"}},
	{name: "the same from hill climbing", algo: "average", options: []string{"-score", "bdeu", "-over", "structures", "-chains", "1"}, quick: []string{"-burn-in", "1000", "-samples", "50"},
		from: []string{"-score", "bdeu", "-max-parents", "3", "-tabu", "10"}},
	{name: "MCMC over orders", algo: "average", options: []string{"-score", "bdeu", "-over", "orders"}, quick: []string{"-candidates", "8", "-burn-in", "100", "-samples", "10"}},
	{name: "structural EM, 10 % hidden", algo: "structem", options: byBDeu, quick: []string{"-rounds", "2", "-em-steps", "2", "-draws", "2"}, hidden: true},
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
	out, err := experiment.NewOutput(a, "structure", f)
	if err != nil {
		return err
	}
	x := &Experiment{App: a, quick: f.Quick, rows: allRows}
	switch {
	case f.Rows < 0:
		return cli.Usagef("--rows is %d; want 1 or more", f.Rows)
	case f.Quick:
		x.rows = quickRows
	}
	if f.Rows > 0 {
		x.rows = f.Rows
	}
	network := "alarm"
	switch len(f.Networks) {
	case 0:
	case 1:
		network = f.Networks[0]
	default:
		return cli.Usagef("--networks: found %d networks; want one to draw rows from", len(f.Networks))
	}
	r, err := x.run(ctx, f.Network(network))
	if err != nil {
		return err
	}
	return out.Write(ctx, r.text(), r, r.tables())
}

// Experiment is a run of the experiment.
type Experiment struct {
	*cli.App
	rows   int
	quick  bool
	set    *data.Set
	truth  [][]int
	order  string
	scores [2]*score.Scorer // bdeu and bic
	done   atomic.Int64
}

func (x *Experiment) run(ctx context.Context, path string) (*Result, error) {
	defer x.Progress("learning structures", x.done.Load).Stop()
	m, err := x.Load(ctx, path, "")
	if err != nil {
		return nil, err
	}
	if x.set, err = x.drawRows(ctx, path, m); err != nil {
		return nil, err
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
			return nil, err
		}
	}
	r := &Result{Network: cli.ModelName(path), Rows: x.rows, Edges: edgesOf(x.truth), BDeu: x.scores[0].Network(x.truth), BIC: x.scores[1].Network(x.truth)}
	for _, l := range specs {
		row, err := x.learn(ctx, &l)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", l.name, err)
		}
		r.Learned = append(r.Learned, row)
		x.done.Add(1)
	}
	return r, nil
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
	rows := make([][]int, x.set.Len())
	for i := range rows {
		rows[i] = make([]int, len(x.set.Vars))
		x.set.Row(i, rows[i])
		for v := range rows[i] {
			if rng.Float64() < hiddenShare {
				rows[i][v] = data.Missing
			}
		}
	}
	return data.New(x.set.Vars, rows, nil)
}

// learn runs one learner.
func (x *Experiment) learn(ctx context.Context, l *Spec) (*Row, error) {
	found, err := learn.Find(l.algo)
	if err != nil {
		return nil, err
	}
	job := &learner.Job{Train: x.set}
	if l.hidden {
		if job.Train, err = x.hide(); err != nil {
			return nil, err
		}
	}
	options := slices.Clone(l.options)
	if x.quick {
		options = append(options, l.quick...)
	}
	if i := slices.Index(options, "ORDER"); i >= 0 {
		options[i] = x.order
	}
	begin := time.Now()
	if l.from != nil {
		first, err := experiment.Learn(ctx, x.App, hillclimb.Learner, l.from, &learner.Job{Train: x.set})
		if err != nil {
			return nil, err
		}
		job.Init = first.Models[0]
	}
	r, err := experiment.Learn(ctx, x.App, *found, options, job)
	if err != nil {
		return nil, err
	}
	seconds := time.Since(begin).Seconds()
	parents := data.Parents(r.Models[0], x.set.Vars)
	return &Row{Learner: l.name, Edges: edgesOf(parents), Distance: rate.CompareStructures(x.truth, parents), BDeu: x.scores[0].Network(parents), BIC: x.scores[1].Network(parents), Seconds: seconds}, nil
}

// edgesOf counts edges.
func edgesOf(parents [][]int) (n int) {
	for _, p := range parents {
		n += len(p)
	}
	return n
}

// text returns the table as text.
func (r *Result) text() string {
	t := r.table()
	t.AlignRight()
	return fmt.Sprintf("%d rows drawn from %s, %d edges. SHD: structural Hamming distance of class graphs. Scores are of the complete rows.\n", r.Rows, r.Network, r.Edges) + t.String()
}

func (r *Result) tables() []experiment.Table {
	return []experiment.Table{{Name: "structure", Table: r.table()}}
}

func (r *Result) table() *table.Table {
	t := &table.Table{}
	t.Add("learner", "edges", "SHD", "missing", "extra", "directions", "precision", "recall", "BDeu", "BIC", "seconds")
	t.Add("(the network itself)", fmt.Sprint(r.Edges), "0", "0", "0", "0", "1.000", "1.000", fmt.Sprintf("%.1f", r.BDeu), fmt.Sprintf("%.1f", r.BIC), "-")
	for _, x := range r.Learned {
		t.Add(x.Learner, fmt.Sprint(x.Edges), fmt.Sprint(x.SHD), fmt.Sprint(x.Missing), fmt.Sprint(x.Extra), fmt.Sprint(x.Directions), fmt.Sprintf("%.3f", x.Precision), fmt.Sprintf("%.3f", x.Recall),
			fmt.Sprintf("%.1f", x.BDeu), fmt.Sprintf("%.1f", x.BIC), fmt.Sprintf("%.2f", x.Seconds))
	}
	return t
}
