package main

import (
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/options"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// loopFlags are the flags of all methods, read off their options. What is left at its default is the
// method's own.
type loopFlags struct {
	flags []*methodFlag // by name
	cmd   *cobra.Command
}

// methodFlag is an option that one or more methods have, as a flag.
type methodFlag struct {
	name  string
	uses  []methodUse
	value string
}

// methodUse is what a flag is of some methods that say and default the same.
type methodUse struct {
	methods []string
	option  *flag.Flag
}

// String is the value that was given; empty if none was.
func (f *methodFlag) String() string { return f.value }

// Set takes a value that the first method takes; types of options of one name are the same.
func (f *methodFlag) Set(s string) error {
	f.value = s
	return f.uses[0].option.Value.Set(s)
}

// Type says what a value is, for help.
func (f *methodFlag) Type() string {
	switch f.uses[0].option.Value.(flag.Getter).Get().(type) {
	case int:
		return "int"
	case float64:
		return "float"
	}
	return "string"
}

// usage says what the flag is of each method, and its default.
func (f *methodFlag) usage() string {
	var parts []string
	for _, u := range f.uses {
		text := "of " + strings.Join(u.methods, ", ") + ": " + u.option.Usage
		if d := u.option.DefValue; d != "" && d != "0" {
			text += " (default " + d + ")"
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, "; ")
}

// notFlags are options that have no flag here: some name variables by their numbers, which commands
// find out, and the seed is that of all commands.
var notFlags = []string{"delete", "evidence", "observed", "seed"}

func (f *loopFlags) addTo(cmd *cobra.Command) {
	f.cmd = cmd
	byName := map[string]*methodFlag{}
	for _, m := range compiler.Methods {
		options.Flags(m.New()).VisitAll(func(o *flag.Flag) {
			if slices.Contains(notFlags, o.Name) {
				return
			}
			x := byName[o.Name]
			if x == nil {
				x = &methodFlag{name: o.Name}
				byName[o.Name], f.flags = x, append(f.flags, x)
			}
			x.add(m.Name, o)
		})
	}
	for _, x := range f.flags {
		cmd.Flags().Var(x, x.name, x.usage())
	}
	slices.SortFunc(f.flags, func(a, b *methodFlag) int { return strings.Compare(a.name, b.name) })
}

// add adds the option of a method.
func (f *methodFlag) add(method string, o *flag.Flag) {
	i := slices.IndexFunc(f.uses, func(u methodUse) bool { return u.option.Usage == o.Usage && u.option.DefValue == o.DefValue })
	if i < 0 {
		f.uses = append(f.uses, methodUse{option: o})
		i = len(f.uses) - 1
	}
	f.uses[i].methods = append(f.uses[i].methods, method)
}

// settings are the flags that were given, each name=value.
func (f *loopFlags) settings() (list []string) {
	for _, x := range f.flags {
		if f.cmd.Flags().Changed(x.name) {
			list = append(list, x.name+"="+x.value)
		}
	}
	return list
}

// value is that of the flag of that name; empty if it was not given.
func (f *loopFlags) value(name string) string { return f.cmd.Flags().Lookup(name).Value.String() }

// method is that of opt with the flags that were given.
func (f *loopFlags) method(opt *compiler.Options) method.Options {
	return compiler.Named(opt.MethodName(), f.settings()...)
}

// stamp is settings as flags of pgmc compile.
func (f *loopFlags) stamp() (words []string) {
	for _, o := range f.settings() {
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
