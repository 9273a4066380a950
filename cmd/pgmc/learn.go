package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/format/libra"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/rate"
)

// learnFlags are the flags of pgmc learn.
type learnFlags struct {
	algo                    cli.Choice
	train, valid, init, out string
	circuit                 string
	resume, target          string
	truth                   string
	to                      cli.Choice
	data                    cli.Choice
	maxTime                 time.Duration
	bins, folds             int
	binning                 cli.Choice
	real                    []string
	cmd                     *cobra.Command
	own                     map[string]*ownFlag // of learners, by name
}

// ownFlag is the value of a flag that one or more learners have.
type ownFlag struct {
	value    string
	set      bool
	learners []string
	isBool   bool
}

func (f *ownFlag) String() string { return f.value }

func (f *ownFlag) Set(s string) error {
	f.value, f.set = s, true
	return nil
}

// maxList is the most bytes of a file that a flag names: more than lists of edges take.
const maxList = 16 << 20

// text is the value, or what the file holds that @ names.
func (f *ownFlag) text() (string, error) {
	path, ok := strings.CutPrefix(f.value, "@")
	if !ok {
		return f.value, nil
	}
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	b, err := io.ReadAll(io.LimitReader(file, maxList+1))
	if err == nil && len(b) > maxList {
		err = fmt.Errorf("%s: more than %d bytes; want a list of names", path, maxList)
	}
	return string(b), err
}

// Type is how help names the value.
func (f *ownFlag) Type() string {
	if f.isBool {
		return ""
	}
	return "value"
}

func (a *app) learnCommand() *cobra.Command {
	f := &learnFlags{}
	cmd := &cobra.Command{
		Use:   "learn --algo A --train DATA -o MODEL",
		Short: "Learn a model from data",
		Long: "Learn makes a model from the rows of a data file and writes it in the format of its name's extension. What is learned can be\n" +
			"compiled, queried and scored like any model. Ctrl-C and --max-time end a search with the best it has found.\n\n" +
			"Columns become variables whose states are their different values, or intervals by --bins. Those that --real names are real variables,\n" +
			"whose values stay numbers; learners ldfm and ldfm-s take them. With --init, columns are what the model has.\n\n" +
			"--folds learns once more for each of some parts of the rows, from the others, and says how probable its rows are: by their\n" +
			"log-likelihood, or by their pseudo-log-likelihood where that is what the learner maximises. The model is of all rows.\n\n" +
			"Each learner has options of its own, which name it in brackets, with what it is unless given where they\n" +
			"differ; pgmc show algos lists the learners. A list, as of --order, may be @FILE, which holds it.",
		Example: "  pgmc learn --algo chowliu --train patients.csv -o patients.bif\n" +
			"  pgmc learn --algo hillclimb --train patients.csv -o patients.bif --score bic --tabu 10 --forbid 'lung->smoke'",
		Args: cobra.NoArgs,
		RunE: a.Action(func(ctx context.Context, _ []string) error { return a.runLearn(ctx, f) }),
	}
	var names, writable []string
	for _, l := range learn.Learners {
		names = append(names, l.Name)
	}
	for _, x := range compiler.Formats {
		if x.Write != nil {
			writable = append(writable, x.Name)
		}
	}
	f.cmd = cmd
	cli.AddChoice(cmd, &f.algo, "algo", "the learner", names...)
	fl := cmd.Flags()
	fl.StringVar(&f.train, "train", "", "the data `file` to learn from")
	fl.StringVar(&f.valid, "valid", "", "a data `file` to choose between results by")
	fl.StringVar(&f.init, "init", "", "a model `file` to begin from")
	fl.StringVar(&f.truth, "truth", "", "a model `file` whose structure the learned one is compared with")
	fl.StringVarP(&f.out, "output", "o", "", "`file` to write the model to, compressed where it ends in .gz")
	fl.StringVar(&f.circuit, "circuit", "", "a `file` to write the circuit to, of learners that make a network and one")
	fl.DurationVar(&f.maxTime, "max-time", 0, "end the search after this `time` with the best so far; 0 for never")
	fl.StringVar(&f.target, "target", "", "a network `file` to come close to, of acopt, in place of --train")
	fl.StringVar(&f.resume, "resume", "", "a `file` to keep checkpoints in; where there is one, the search goes on from it to the same model ["+cli.Resuming()+"]")
	fl.IntVar(&f.folds, "folds", 0, "rate the learner by cross-validation in so many `parts`, drawn by --seed; 0 for none")
	fl.IntVar(&f.bins, "bins", 0, "turn columns with more different numbers than this into so many `intervals`, which are states; 0 for no column")
	fl.StringArrayVar(&f.real, "real", nil, "of ldfm and ldfm-s: the columns of real numbers, `A,B`; repeatable")
	cli.AddChoice(cmd, &f.binning, "binning", "intervals with about as many rows each, or of the same length", "frequency", "width")
	cli.AddFormatChoice(cmd, &f.to, "to", "the format of the model", writable)
	cli.AddChoice(cmd, &f.data, "data-format", "the format of the data; by name or content unless given", "auto", "csv", "data", "arff")
	f.addOwn(cmd)
	return cmd
}

// addOwn adds the options of the learners, those of one name once.
func (f *learnFlags) addOwn(cmd *cobra.Command) {
	f.own = map[string]*ownFlag{}
	meanings, defaults := map[string][]meaning{}, map[string][]string{}
	var order []string
	for _, l := range learn.Learners {
		fs := flag.NewFlagSet(l.Name, flag.ContinueOnError)
		l.New().Bind(fs)
		fs.VisitAll(func(x *flag.Flag) {
			own := f.own[x.Name]
			if own == nil {
				b, ok := x.Value.(interface{ IsBoolFlag() bool })
				own = &ownFlag{value: x.DefValue, isBool: ok && b.IsBoolFlag()}
				f.own[x.Name] = own
				order = append(order, x.Name)
			}
			own.learners = append(own.learners, l.Name)
			defaults[x.Name] = append(defaults[x.Name], x.DefValue)
			meanings[x.Name] = addMeaning(meanings[x.Name], x.Usage, len(own.learners)-1)
		})
	}
	for _, name := range order {
		own := f.own[name]
		who := slices.Clone(own.learners)
		if d := defaults[name]; slices.ContainsFunc(d, func(x string) bool { return x != d[0] }) {
			for i := range who {
				who[i] += " " + d[i]
			}
			own.value = ""
		}
		var usage []string
		for _, m := range meanings[name] {
			var list []string
			for _, i := range m.learners {
				list = append(list, who[i])
			}
			usage = append(usage, m.text+" ["+strings.Join(list, ", ")+"]")
		}
		cmd.Flags().Var(own, name, strings.Join(usage, "; "))
		if own.isBool {
			cmd.Flags().Lookup(name).NoOptDefVal = "true"
		}
	}
}

// meaning is what a flag says to some of the learners that have it, by their places among them.
type meaning struct {
	text     string
	learners []int
}

// addMeaning adds what a flag says to one more learner.
func addMeaning(list []meaning, text string, learner int) []meaning {
	i := slices.IndexFunc(list, func(m meaning) bool { return m.text == text })
	if i < 0 {
		return append(list, meaning{text, []int{learner}})
	}
	list[i].learners = append(list[i].learners, learner)
	return list
}

// instance is the learner with its options set.
func (f *learnFlags) instance() (learner.Instance, error) {
	l, err := learn.Find(f.algo.Value)
	if err != nil {
		return nil, cli.Usage(err)
	}
	in := l.New()
	fs := flag.NewFlagSet(l.Name, flag.ContinueOnError)
	in.Bind(fs)
	for _, name := range sortedKeys(f.own) {
		own := f.own[name]
		switch {
		case !own.set:
		case fs.Lookup(name) == nil:
			return nil, cli.Usagef("--%s is no option of %s; %s", name, l.Name, "it is one of "+strings.Join(own.learners, ", "))
		default:
			value, err := own.text()
			if err != nil {
				return nil, fmt.Errorf("--%s: %w", name, err)
			}
			if err := fs.Set(name, value); err != nil {
				return nil, cli.Usagef("--%s: found %q: %v", name, own.value, err)
			}
		}
	}
	return in, nil
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func (a *app) runLearn(ctx context.Context, f *learnFlags) error {
	switch {
	case f.target != "" && f.algo.Value != "acopt":
		return cli.Usagef("--target: %s learns from rows; acopt comes close to a network", f.algo.Value)
	case f.target != "" && (f.train != "" || f.valid != ""):
		return cli.Usagef("--target is in place of --train and --valid; want one or the other")
	case f.target == "" && f.train == "":
		return cli.Usagef("--train is missing")
	case f.out == "":
		return cli.Usagef("--output is missing")
	}
	in, err := f.instance()
	if err != nil {
		return err
	}
	to, err := format.Find(compiler.Formats, f.out, f.to.Value)
	if err != nil {
		return cli.Usage(err)
	}
	var done atomic.Int64
	defer a.Progress("learning from "+filepath.Base(f.train+f.target), done.Load).Stop()
	job, err := a.job(ctx, f)
	if err != nil {
		return err
	}
	if f.resume != "" {
		if err := a.Resume(job, f.algo.Value, f.resume); err != nil {
			return err
		}
	}
	if err := f.takesReals(job.Train); err != nil {
		return err
	}
	truth, err := a.loadTruth(ctx, f.truth, job.Train.Vars)
	if err != nil {
		return err
	}
	job.Progress = func(e learner.Event) { done.Store(int64(e.Done)) }
	var folds *foldsReport
	if f.folds != 0 {
		if folds, err = a.crossValidate(ctx, f, job); err != nil {
			return err
		}
	}
	r, err := in.Learn(ctx, job)
	if r == nil || len(r.Models) == 0 {
		return err
	}
	if err != nil && !errors.Is(err, context.Canceled) { // --timeout writes nothing
		return err
	}
	if err := a.writeModels(f, to, r.Models); err != nil {
		return err
	}
	report := &learnReport{Report: r.Report, Truth: truth.compare(r.Models[0], job.Train.Vars), Folds: folds}
	if truth != nil && report.Truth == nil {
		report.Remarks = append(report.Remarks, "what was learned is no Bayesian network, and is not compared with the truth")
	}
	return a.showReport(f.out, r.Models[0], report)
}

// takesReals refuses real variables for learners that want states.
func (f *learnFlags) takesReals(s *data.Set) error {
	l, err := learn.Find(f.algo.Value)
	if err != nil || l.Reals || !s.HasReals() {
		return err
	}
	var names []string
	for _, x := range learn.Learners {
		if x.Reals {
			names = append(names, x.Name)
		}
	}
	return cli.Usagef("%s learns from states alone; real variables are for %s, and --bins makes intervals of numbers", l.Name, strings.Join(names, " and "))
}

// job reads what to learn from.
func (a *app) job(ctx context.Context, f *learnFlags) (*learner.Job, error) {
	job := &learner.Job{Seed: a.Seed, Cores: a.CPU, MaxTime: f.maxTime}
	if job.Cores == 0 {
		job.Cores = runtime.GOMAXPROCS(0)
	}
	if f.cmd.Flags().Changed("max-mem") {
		job.MaxMem = int64(a.MaxMem) // else learners keep to less than a compiled program may take
	}
	opt := data.LoadOptions{MaxMem: int64(a.MaxMem), Bins: f.bins, Binning: data.BinsFrequency}
	if f.binning.Value == "width" {
		opt.Binning = data.BinsWidth
	}
	if f.bins < 0 || f.bins == 1 || f.bins > data.MaxStates {
		return nil, cli.Usagef("--bins is %d; want 0, or 2 to %d", f.bins, data.MaxStates)
	}
	var err error
	for _, value := range f.real {
		names, err := flagNames("--real", value)
		if err != nil {
			return nil, err
		}
		opt.Real = append(opt.Real, names...)
	}
	if f.real != nil && f.init != "" {
		return nil, cli.Usagef("--real is for columns that no model knows; leave it out, since --init has the variables")
	}
	if f.init != "" {
		if job.Init, err = a.Load(ctx, f.init, ""); err != nil {
			return nil, err
		}
		opt.Vars = data.VarsOf(job.Init)
	}
	if f.target != "" {
		if job.Target, err = a.Load(ctx, f.target, ""); err != nil {
			return nil, err
		}
		job.Train, err = data.New(data.VarsOf(job.Target), nil, nil)
		return job, err
	}
	if job.Train, err = a.LoadData(ctx, f.train, &f.data, opt); err != nil {
		return nil, err
	}
	if f.valid != "" {
		opt.Vars = job.Train.Vars
		if job.Valid, err = a.LoadData(ctx, f.valid, &f.data, opt); err != nil {
			return nil, err
		}
	}
	return job, nil
}

// writeModels writes the network or, where it is in a format of circuits or the flag for it is given, the circuit.
func (a *app) writeModels(f *learnFlags, to format.Format, models []*model.Model) error {
	m := models[0]
	if len(models) > 1 && (to.Name == libra.AC.Name || to.Name == libra.SPN.Name) {
		m = models[1]
	}
	if f.circuit != "" {
		if len(models) < 2 {
			return cli.Usagef("--circuit: %s makes no circuit", f.algo.Value)
		}
		to, err := format.Find(compiler.Formats, f.circuit, "")
		if err != nil {
			return cli.Usage(err)
		}
		if err := a.writeModel(to, f.circuit, models[1]); err != nil {
			return err
		}
	}
	return a.writeModel(to, f.out, m)
}

// writeModel writes a model, and says what is lost.
func (a *app) writeModel(to format.Format, path string, m *model.Model) error {
	sink, err := format.Encode(to, path, m)
	if err != nil {
		return err
	}
	var list diag.List
	for _, what := range sink.Lost {
		list.Warnf(diag.Pos{File: path}, "lost: %s", what)
	}
	a.Warn(list.Warnings())
	return sink.Flush()
}

// learnReport is what is said of a result.
type learnReport struct {
	learner.Report
	Truth *rate.Distance `json:"truth,omitempty"` // where there is something to compare with
	Folds *foldsReport   `json:"cross_validation,omitempty"`
}

// showReport prints what was learned, m: a summary, or all as JSON.
func (a *app) showReport(path string, m *model.Model, r *learnReport) error {
	if a.JSON {
		enc := json.NewEncoder(a.Stdout)
		enc.SetIndent("", "  ")
		return enc.Encode(r)
	}
	edges := 0
	for _, f := range r.Families {
		edges += len(f.Parents)
	}
	if len(m.Factors) == 1 {
		if c := m.Factors[0].Circuit(); c != nil {
			edges = c.Edges()
		}
	}
	fmt.Fprintf(a.Stdout, "%s: %d variables, %d edges, %d parameters, %s %.4f\n", path, len(m.Vars), edges, r.Params, r.Score, r.Total)
	for _, x := range r.Remarks {
		fmt.Fprintln(a.Stdout, x)
	}
	if d := r.Truth; d != nil {
		fmt.Fprintf(a.Stdout, "against the truth: structural Hamming distance %d (%d edges missing, %d extra, %d with another direction), skeleton precision %.4f, recall %.4f\n",
			d.SHD, d.Missing, d.Extra, d.Directions, d.Precision, d.Recall)
	}
	if r.Folds != nil {
		fmt.Fprintln(a.Stdout, r.Folds)
	}
	if r.Stopped {
		fmt.Fprintln(a.Stdout, "the search was stopped before its end; this is the best it had found")
	}
	return nil
}
