package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// loopFlags are the flags of iterating methods. What is left at its default is the method's own.
type loopFlags struct {
	iterations         int
	tolerance, damping float64
	schedule, regions  string
	mean, start        string
	maxCluster         int
	parameters, edges  string
	correction         string
	chain              chainFlags
	trial              trialFlags
	cmd                *cobra.Command
}

func (f *loopFlags) addTo(cmd *cobra.Command) {
	f.cmd = cmd
	fl := cmd.Flags()
	fl.IntVar(&f.iterations, "iterations", 1000, "of methods that iterate: at most so many rounds; of methods gibbs and ldfm: sweeps of a chain that count; of lw samples, of ais temperatures, of icm and anneal sweeps, of tabu moves")
	fl.Float64Var(&f.tolerance, "tolerance", 1e-9, "of methods that iterate: end after a round that changes no number by more; of trws and mplp: no bound")
	fl.Float64Var(&f.damping, "damping", 0, "of methods that iterate: the share of the old value in a new one, below 1")
	fl.StringVar(&f.schedule, "schedule", "", "the `order` of messages of methods belief and maxprod, sequential (default) or flooding, of belief also residual; of the updates of meanfield, roundrobin (default) or queue")
	fl.StringVar(&f.mean, "mean", "log", "of method meanfield: what updates average, the `log` of probabilities, or of dependency networks probability itself")
	fl.StringVar(&f.start, "start", "likelihood", "of method meanfield: where it starts, at the `likelihood`, or at random, which is that times numbers drawn by --seed")
	fl.StringVar(&f.regions, "regions", "bethe", "between what messages of method belief go: `bethe`, variables and factors; of clusters, factors, loops of up to 4 variables as loop4, or join")
	fl.IntVar(&f.maxCluster, "max-cluster", 1<<16, "of method edgedel, and of belief with --regions join: the most joint states of a cluster; 1 deletes all edges")
	fl.StringVar(&f.parameters, "parameters", "bp", "of method edgedel: what stands in for a deleted edge, `bp, posterior, true or prior`")
	fl.StringVar(&f.edges, "edges", "bucket", "of method edgedel: how edges are chosen, `bucket, information or recovery`")
	fl.StringVar(&f.correction, "correction", "bethe", "of method edgedel: how ln P is corrected for deleted edges, `bethe or general`")
	f.chain.addTo(cmd)
	f.trial.addTo(cmd)
}

// options are the flags that were given, as the compiler's MethodOptions.
func (f *loopFlags) options() (list []string) {
	all := [][2]string{{"iterations", strconv.Itoa(f.iterations)}, {"tolerance", fmt.Sprint(f.tolerance)}, {"damping", fmt.Sprint(f.damping)}, {"schedule", f.schedule}, {"regions", f.regions}, {"mean", f.mean}, {"start", f.start},
		{"max-cluster", strconv.Itoa(f.maxCluster)}, {"parameters", f.parameters}, {"edges", f.edges}, {"correction", f.correction}}
	for _, o := range append(append(all, f.chain.options()...), f.trial.options()...) {
		if f.cmd.Flags().Changed(o[0]) {
			list = append(list, o[0]+"="+o[1])
		}
	}
	return list
}

// stamp is options as flags of pgmc compile.
func (f *loopFlags) stamp() (words []string) {
	for _, o := range f.options() {
		name, value, _ := strings.Cut(o, "=")
		words = append(words, "--"+name, value)
	}
	return words
}

// by has w answered by the query of a.
func (w *wanted) by(a *ir.Approximation) { w.Loop, w.Kind = a.GoName, a.Kind.String() }

// iterate has w answered by the approximate method, where the named one is, and gives its query. Such a method answers nothing
// but marginals and ln P, which Gibbs sampling estimates only where it was asked for by name. A search for states answers the most
// probable completion alone; asked says that something else was asked for.
func (w *wanted) iterate(name string, m *model.Model, logP, asked bool) (query string, err error) {
	by := cli.Approximate(name)
	if by == nil {
		return "", nil
	}
	w.by(by.Answers)
	query = by.Answers.Word
	switch by.Answers.Kind {
	case ir.Decoding:
		return query, w.decodes(by, logP)
	case ir.Climb:
		return query, w.climbs(name, asked)
	}
	if w.MPE || w.Joint != nil || w.MAP != nil || w.KMPE > 0 {
		return "", fmt.Errorf("method %s answers marginals and the log-probability alone; for --mpe, --joint, --map and --kmpe %s", name, method.Others(m))
	}
	switch {
	case by.Answers.Kind == ir.Estimates:
		w.LogP = logP
	case m.Kind == model.Dependency:
		w.LogP = false // it has no joint distribution
	}
	return query, nil
}

// unsampled is err with a place in the data, where it says that sampling came to no answer there.
func unsampled(pos diag.Pos, err error) error {
	if errors.Is(err, pgmrt.ErrStart) || errors.Is(err, pgmrt.ErrWeights) {
		return diag.Diagnostic{Pos: pos, Msg: err.Error()}
	}
	return err
}

// posteriorQuery is the query by which a method that iterates or samples gives marginals; empty for exact methods, and an error for methods
// that give none.
func posteriorQuery(name string) (string, error) {
	by := cli.Approximate(name)
	switch {
	case by == nil:
		return "", nil
	case by.Answers.Kind.Answer() == ir.AnswerMarginals:
		return by.Answers.Word, nil
	}
	return "", fmt.Errorf("method %s chooses states and gives no posteriors; try --method jointree or circuit, or approximately belief, meanfield, edgedel, gibbs, lw or ais", name)
}

// reportJSON is how an iterating method went.
type reportJSON struct {
	Method     string   `json:"method,omitempty"` // what it decided
	Status     string   `json:"status"`
	Iterations int      `json:"iterations"`
	Residual   float64  `json:"residual"`
	RHat       *float64 `json:"rhat"`                  // of sampling; nil where it is infinite
	ESS        *float64 `json:"ess"`                   // of sampling
	Warning    string   `json:"warning,omitempty"`     // of sampling that went badly
	Bound      float64  `json:"bound"`                 // of the divergence from the exact posterior; 0 where there is none
	Unbounded  bool     `json:"unbounded"`             // the method gives bounds, but none here
	Upper      *float64 `json:"upper_bound,omitempty"` // of the log-probability of completions; nil where none is known
	Gap        *float64 `json:"gap,omitempty"`         // to that of the completion; nil where none is known
	Weights    bool     `json:"weights,omitempty"`     // samples were weighted
	LogError   *float64 `json:"logp_error,omitempty"`  // of them: the standard error of ln P; nil where it is unknown
	Search     bool     `json:"search,omitempty"`      // states were searched for
	decodes    bool
	unit       string // of Upper and Gap, for people
}

// print writes the report for people.
func (r *reportJSON) print() string {
	if r.Weights || r.Search {
		return r.trialText()
	}
	if r.ESS != nil {
		return r.chainText()
	}
	if r.decodes {
		return r.decodeText()
	}
	text := fmt.Sprintf("%s after %d %s, residual %.3g\n", r.Status, r.Iterations, table.Plural("round", r.Iterations), r.Residual)
	if r.Method != "" {
		text += r.Method + "\n"
	}
	switch {
	case r.Unbounded:
		text += "no bound of the divergence from the exact posterior: a CPD lost two edges\n"
	case r.Bound != 0:
		text += fmt.Sprintf("divergence from the exact posterior at most %.6g nats\n", r.Bound)
	}
	return text
}
