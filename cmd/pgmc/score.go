package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"sync/atomic"

	"github.com/spf13/cobra"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/rows"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/rate"
)

// scoreFlags are the flags of pgmc score.
type scoreFlags struct {
	cli.ModelFlags
	cli.MethodFlags
	unseen cli.Choice
	data   cli.Choice
	pll    bool
	cll    string
	cmll   string
	// against is another model, whose rows are compared with the first one's.
	against string
}

func (a *app) scoreCommand() *cobra.Command {
	f := &scoreFlags{}
	cmd := &cobra.Command{
		Use:   "score MODEL DATA",
		Short: "The mean log-likelihood of the rows of a data file",
		Long: "Score gives the mean over rows of the natural logarithm of their probability, and its standard error. Cells that are missing\n" +
			"are summed out, and so are variables without a column. Weights of rows count. A row of probability 0 makes the mean\n" +
			"minus infinity, and a warning says which was the first.\n\n" +
			"The pseudo-log-likelihood of a row sums the logarithms of the probability of each state given all others. It takes no\n" +
			"inference, and rows that miss nothing. --pll gives it alone, --json beside the log-likelihood where all rows have it. Of a\n" +
			"dependency network there is no other. Rows that miss nothing take no inference in a Bayesian network either.\n\n" +
			"--cmll draws, for each row and by --seed, which of its states are evidence, those at a smaller fraction among those at a larger.\n" +
			"The others are rated each on its own, by their posteriors (CMLL), and all together (CLL), both for each of them. Of a real variable it is\n" +
			"the logarithm of the density of its value, by the normal distribution with the mean and the variance of its posterior.\n\n" +
			"--against rates the same rows by another model as well, and tests whether the mean difference of the two is zero (paired t-test,\n" +
			"two-sided): of log-likelihoods, or of pseudo-log-likelihoods with --pll and where one is a dependency network.\n\n" +
			"Columns are matched by name, those of .data files, which have none, by their order. DATA is CSV with a header, ARFF, or .data\n" +
			"with numbers of states; - is standard input.",
		Example: "  pgmc score asia.bif patients.csv\n  pgmc score nltcs.ac nltcs.test.data.gz --json\n  pgmc score plants.dn plants.test.data.gz\n" +
			"  pgmc score plants.dn plants.test.data.gz --against plants.mn",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return fmt.Errorf("found %d operands; want a model and a data file", len(args))
			}
			return nil
		},
		RunE: a.Action(func(ctx context.Context, args []string) error { return a.runScore(ctx, args[0], args[1], f) }),
	}
	f.ModelFlags.AddTo(cmd)
	f.MethodFlags.AddTo(cmd)
	cli.AddChoice(cmd, &f.unseen, "unseen", "a value that is no state of its variable is an error, or counts as missing", "error", "missing")
	cli.AddChoice(cmd, &f.data, "data-format", "the format of the data; by name or content unless given", "auto", "csv", "data", "arff")
	fl := cmd.Flags()
	fl.BoolVar(&f.pll, "pll", false, "the pseudo-log-likelihood alone")
	fl.StringVar(&f.cll, "cll", "", "the log-likelihood of `A,B` given the rest of a row alone")
	fl.StringVar(&f.cmll, "cmll", "", "conditional marginal log-likelihoods with these `fractions` of a row as evidence, as in --cmll=0.1,0.5, alone")
	fl.Lookup("cmll").NoOptDefVal = rate.AllFractions
	fl.StringVar(&f.against, "against", "", "another `MODEL`, to compare with on the same rows by a paired t-test")
	return cmd
}

func (a *app) runScore(ctx context.Context, path, dataPath string, f *scoreFlags) error {
	m, opt, err := a.LoadWithOptions(ctx, path, &f.ModelFlags)
	if err != nil {
		return err
	}
	switch conditional := f.cll != "" || f.cmll != ""; {
	case conditional && f.pll:
		return cli.Usagef("--pll is the pseudo-log-likelihood alone; want it, or --cll and --cmll")
	case conditional && f.against != "":
		return cli.Usagef("--against compares log-likelihoods of rows; want it, or --cll and --cmll")
	case conditional:
		return a.scoreConditional(ctx, path, dataPath, m, opt, f)
	}
	if cli.Approximate(opt.MethodName()) != nil && !f.pll && m.Kind != model.Dependency {
		other := "for the log-likelihood try --method jointree or circuit"
		if m.Kind == model.Forest {
			other = "nothing does for a " + m.Kind.String()
		}
		return fmt.Errorf("%s: method %s does not know the probability of a row; %s; --pll takes no inference, and --cmll posteriors of any method", path, opt.MethodName(), other)
	}
	rows, err := a.OpenData(ctx, dataPath, &f.data)
	if err != nil {
		return err
	}
	defer rows.Close()
	if f.against != "" {
		return a.scoreAgainst(ctx, path, m, opt, rows, f)
	}
	s := a.newScorer(m, f.pll)
	if err := a.ready(ctx, s, path, m, opt); err != nil {
		return err
	}
	binding, err := rows.Bind(data.VarsOf(s.model), f.policyOfUnseen())
	if err != nil {
		return err
	}
	defer a.Progress("scoring "+filepath.Base(dataPath), s.done.Load).Stop()
	if err := eachRow(ctx, rows, binding, len(s.vars), s.row); err != nil {
		return err
	}
	if err := s.flush(); err != nil {
		return err
	}
	return s.report(a)
}

// newScorer begins a scorer for a model; alone says that the pseudo-log-likelihood is all that is wanted.
func (a *app) newScorer(m *model.Model, alone bool) *scorer {
	alone = alone || m.Kind == model.Dependency
	return &scorer{alone: alone, pseudo: alone || a.JSON}
}

// ready readies a scorer.
func (a *app) ready(ctx context.Context, s *scorer, path string, m *model.Model, opt compiler.Options) (err error) {
	if s.model, err = a.direct(s, path, m, opt.Rows); err != nil {
		return err
	}
	s.infer = func() error {
		opt.Queries, opt.IgnoreUnderflow = []string{"logprob"}, infer.ScoresInLogSpace(s.model)
		r, err := a.Compile(ctx, path, s.model, opt, nil)
		if err != nil {
			return err
		}
		s.ctx, s.engine = ctx, infer.Of(r, a.Seed)
		s.atOnce, err = s.engine.RowsAtOnce(ctx)
		return err
	}
	return nil
}

// policyOfUnseen is what --unseen says.
func (f *scoreFlags) policyOfUnseen() data.Unseen {
	if f.unseen.Value == "missing" {
		return data.UnseenMissing
	}
	return data.UnseenError
}

// maxPseudo is the most numbers that a pseudo-log-likelihood may look at for each row where nobody asked for it: it then takes no more
// than some milliseconds.
const maxPseudo = 1 << 20

// direct readies a scorer for what takes no inference, and gives the model with rows that sum to one.
func (a *app) direct(s *scorer, path string, m *model.Model, policy model.Rows) (*model.Model, error) {
	if list := m.Check(); list.HasErrors() {
		return nil, list.Err()
	}
	m, list := m.NormalizeRows(policy)
	a.Warn(list.Warnings())
	if list.HasErrors() {
		return nil, list.Err()
	}
	s.vars, s.states = rows.Observable(m), make([]int, len(m.Vars))
	if !s.pseudo && m.Kind != model.Bayes {
		return m, nil
	}
	r, err := rate.NewRows(m)
	switch {
	case err == nil:
		s.rows, s.product = r, m.Kind == model.Bayes
		s.pseudo = s.pseudo && (s.alone || r.Cost() <= maxPseudo)
	case s.alone:
		return nil, fmt.Errorf("%s: %w", path, err)
	default:
		s.pseudo = false
	}
	return m, nil
}

// eachRow gives the rows of a file to do, with the states of n variables or Missing. Rows that cannot be read are reported together,
// the first few of them; after one, do gets no more.
func eachRow(ctx context.Context, rows *data.Reader, binding *data.Binding, n int, do func(rec *data.Record, states []int) error) error {
	var list diag.List
	states := make([]int, n)
	for !list.Full() {
		if err := ctx.Err(); err != nil {
			return err
		}
		rec, err := rows.Next()
		if err == io.EOF {
			break
		}
		if err == nil {
			err = binding.States(rec, states)
		}
		var bad data.RowError
		if errors.As(err, &bad) {
			list.Errorf(bad.Pos, "%s", bad.Msg)
			continue
		}
		if err == nil && !list.HasErrors() {
			err = do(rec, states)
		}
		if err != nil {
			return err
		}
	}
	return list.Err()
}

// scorer rates rows: those that miss nothing by the factors of the model where that does, and the others by inference.
type scorer struct {
	model  *model.Model
	vars   []model.VarID // the columns of the data
	states []int         // of a row that misses nothing, by variable
	rows   *rate.Rows    // nil where nothing can be had without inference

	product bool // rows that miss nothing have the product of the factors as their probability
	pseudo  bool // the pseudo-log-likelihood is wanted, and there for all rows up to here
	alone   bool // it alone is wanted
	ll, pll rate.Tally
	logs    []float64 // by row: what is wanted alone, or the log-likelihood; kept where keep is
	keep    bool

	infer   func() error // makes the engine
	ctx     context.Context
	engine  *infer.Engine // nil until a row needs it
	atOnce  int           // how many rows the engine takes at a time
	waiting []waiting     // the rows that it has not scored yet
	done    atomic.Int64
}

// waiting is what is counted of a row.
type waiting struct {
	pos    diag.Pos
	weight float64
	number int   // of the row among all
	states []int // of a row that waits for the engine
}

// row rates a row.
func (s *scorer) row(rec *data.Record, states []int) error {
	row := waiting{pos: rec.Pos, weight: rec.Weight, number: int(s.done.Add(1)) - 1}
	missing := slices.Index(states, data.Missing)
	if s.rows != nil && missing < 0 {
		for i, v := range s.vars {
			s.states[v] = states[i]
		}
	}
	switch {
	case !s.pseudo:
	case missing < 0:
		s.count(&s.pll, row, s.rows.Pseudo(s.states), s.alone)
	case s.alone:
		return diag.Diagnostic{Pos: rec.Pos, Msg: fmt.Sprintf("this row has no state of variable %d of %d; the pseudo-log-likelihood wants one of each", missing+1, len(states))}
	default:
		s.pseudo = false
	}
	switch {
	case s.alone:
		return nil
	case s.product && missing < 0:
		s.count(&s.ll, row, s.rows.Log(s.states), true)
		return nil
	}
	return s.inferred(row, states)
}

// count counts a row, and keeps what it has where that is to be compared.
func (s *scorer) count(t *rate.Tally, row waiting, log float64, compared bool) {
	t.Add(row.pos, log, row.weight)
	if s.keep && compared {
		for len(s.logs) <= row.number {
			s.logs = append(s.logs, 0)
		}
		s.logs[row.number] = log
	}
}

// inferred rates a row by inference, once as many rows wait as the engine takes at a time.
func (s *scorer) inferred(row waiting, states []int) error {
	if s.engine == nil {
		if err := s.infer(); err != nil {
			return err
		}
	}
	row.states = slices.Clone(states)
	if s.waiting = append(s.waiting, row); len(s.waiting) < s.atOnce {
		return nil
	}
	return s.flush()
}

// flush rates the rows that wait.
func (s *scorer) flush() error {
	if len(s.waiting) == 0 {
		return nil
	}
	rows := make([][]int, len(s.waiting))
	for i := range rows {
		rows[i] = s.waiting[i].states
	}
	logs, err := s.engine.LogProbs(s.ctx, rows)
	if err != nil {
		return err
	}
	for i, row := range s.waiting {
		s.count(&s.ll, row, logs[i], true)
	}
	s.waiting = s.waiting[:0]
	return nil
}

// meanOrText gives the mean of t and its standard error, as text if a row is impossible: JSON has no infinite numbers.
func meanOrText(t *rate.Tally) (value, stderr any) {
	if t.Impossible > 0 {
		return "-inf", "inf"
	}
	return t.Value, t.StdErr()
}

// scoreReport is what pgmc score finds, in nats a row; a log-likelihood is "-inf" where a row is impossible, and its error "inf".
type scoreReport struct {
	Rows      int64 `json:"rows"`
	LL        any   `json:"ll,omitempty"`        // mean log-likelihood
	StdErr    any   `json:"ll_stderr,omitempty"` // its standard error
	PLL       any   `json:"pll,omitempty"`       // mean pseudo-log-likelihood
	PLLStdErr any   `json:"pll_stderr,omitempty"`

	Against *againstReport `json:"against,omitempty"`
}

func (s *scorer) report(a *app) error {
	r, t := s.summary(a)
	if a.JSON {
		return a.PrintJSON(r)
	}
	_, err := io.WriteString(a.Stdout, t.String())
	return err
}

// summary is the report, and the same as text. It warns of rows of probability 0.
func (s *scorer) summary(a *app) (*scoreReport, *table.Table) {
	r := &scoreReport{Rows: s.done.Load()}
	t := &table.Table{}
	t.Add("rows", fmt.Sprint(r.Rows))
	var list diag.List
	if !s.alone {
		r.LL, r.StdErr = meanOrText(&s.ll)
		t.Add("log-likelihood", fmt.Sprintf("%v nats a row", r.LL))
		t.Add("standard error", fmt.Sprint(r.StdErr))
		if s.ll.Impossible > 0 {
			list.Warnf(s.ll.First, "this row has probability 0; it is the first of %d", s.ll.Impossible)
		}
	}
	if s.pseudo {
		r.PLL, r.PLLStdErr = meanOrText(&s.pll)
	}
	if s.alone {
		t.Add("pseudo-log-likelihood", fmt.Sprintf("%v nats a row", r.PLL))
		t.Add("standard error", fmt.Sprint(r.PLLStdErr))
		if s.pll.Impossible > 0 {
			list.Warnf(s.pll.First, "this row has a state of probability 0 given the others; it is the first of %d", s.pll.Impossible)
		}
	}
	a.Warn(list.Warnings())
	return r, t
}
