package decision

import (
	"math"

	"github.com/spf13/cobra"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/chart"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
)

// Options are the flags of pgmc decide.
type Options struct {
	cli.ModelFlags // the format and the rows alone
	Evidence, Soft []string
	Willingness    string
	Limited        bool
	Start          string
	Restarts       int
	Best           bool
	Information    bool
	Cases          bool
	Variance       bool
	RiskTolerance  float64
	Before         string
	Know, Price    []string
	Strategy       string
	File           string
	Horizon        int
	Until          bool // whether Horizon was given
}

// AddTo adds the flags to a command.
func (f *Options) AddTo(cmd *cobra.Command) {
	f.AddFormat(cmd, "format")
	f.AddRows(cmd)
	fl := cmd.Flags()
	fl.StringArrayVarP(&f.Evidence, "evidence", "e", nil, "what is known from the outset, decisions that were taken among it: `A=yes,B=no`; repeatable")
	fl.StringArrayVar(&f.Soft, "soft", nil, "likelihoods of the states of a variable: `A=0.2/0.8`; repeatable")
	fl.IntVar(&f.Horizon, "horizon", 0, "of a template of a sequence: the `number` of slices (default: the file's)")
	fl.BoolVar(&f.Limited, "limited", false, "a decision knows its parents alone, and forgets what was known before")
	fl.StringVar(&f.Start, "start", "", "with --limited: a `file` with policies, which -o writes, from which the search starts")
	fl.IntVar(&f.Restarts, "restarts", 0, "with --limited: the `number` of further starts, from random policies")
	fl.BoolVar(&f.Best, "best", false, "with --limited: search for a best strategy; at --timeout print the best one so far, and what bounds the others")
	fl.StringVar(&f.Willingness, "willingness", "", "compare costs and effects: the strategies that are best for some willingness to pay in the interval `LOW:HIGH`")
	fl.BoolVar(&f.Cases, "cases", false, "of each decision print each case that can occur: its probability, what each option is worth, and the choice")
	fl.BoolVar(&f.Variance, "variance", false, "also print mean and variance of each utility and of their sum, and the distribution of the sum if it has at most 4096 values")
	fl.Float64Var(&f.RiskTolerance, "risk-tolerance", 0, "maximise the mean of 1 - exp(-u/`R`) in place of the mean of the utility u, and print certainty equivalents; 0 is none")
	fl.BoolVar(&f.Information, "information", false, "also print what it is worth to know each variable before the first decision, and all together")
	fl.StringVar(&f.Strategy, "strategy", "", "evaluate the strategy of a `file`, which -o writes, in place of the best one")
	fl.StringVarP(&f.File, "output", "o", "", "`file` to write the strategy to instead of standard output: .csv, .json with all that is printed, or as a tree .svg, .png, .pdf or .html; with --willingness the plane of costs and effects")
	fl.StringArrayVar(&f.Know, "know", nil, "also print what it is worth to know these variables together: `A,B`; repeatable")
	fl.StringVar(&f.Before, "before", "", "the `decision` before which variables could be known for --information and --know (default: the first)")
	fl.StringArrayVar(&f.Price, "price", nil, "what it costs to know a variable, which --information and --know subtract: `A=10`; repeatable")
}

// check returns a usage error if flags contradict each other.
func (f *Options) check() error {
	if !(f.RiskTolerance >= 0) || math.IsInf(f.RiskTolerance, 1) {
		return cli.Usagef("--risk-tolerance is %v; want a positive number", f.RiskTolerance)
	}
	if f.Willingness != "" {
		if _, _, err := f.willingness(); err != nil {
			return err
		}
		if f.Cases || f.Variance || f.RiskTolerance != 0 || f.Information || f.Know != nil || f.Strategy != "" {
			return cli.Usagef("--willingness answers with several strategies; leave out --cases, --variance, --risk-tolerance, --information, --know and --strategy")
		}
		if chart.Ending(f.File) == ".csv" {
			return cli.Usagef("-o %s: --willingness answers with several strategies, and .csv holds one; want .json, .svg, .png, .pdf or .html", f.File)
		}
	}
	if !f.Limited && (f.Start != "" || f.Restarts != 0 || f.Best) {
		return cli.Usagef("--start, --restarts and --best are for --limited; add it")
	}
	if f.Restarts < 0 {
		return cli.Usagef("--restarts is %d; want 0 or more", f.Restarts)
	}
	if f.Strategy != "" && (f.Start != "" || f.Restarts != 0 || f.Best) {
		return cli.Usagef("--strategy imposes a strategy; leave out --start, --restarts and --best, which search for one")
	}
	if f.Strategy != "" && (f.Information || f.Know != nil) {
		return cli.Usagef("--information and --know compare best strategies; leave out --strategy")
	}
	if f.File != "" {
		if _, err := (&report{}).encode(f.File); err != nil {
			return err
		}
		if further := f.Cases || f.Variance || f.Information || f.Know != nil; further && (chart.Ending(f.File) == ".csv" || chart.IsPicture(f.File)) {
			return cli.Usagef("-o %s holds the strategy alone; leave out --cases, --variance, --information and --know, or write .json or .html", f.File)
		}
	}
	if (f.Before != "" || f.Price != nil) && !f.Information && f.Know == nil {
		return cli.Usagef("--before and --price are for --information and --know; add one of them")
	}
	return nil
}

// draws reports whether the strategy is drawn as a tree, or the plane.
func (f *Options) draws() bool { return chart.IsPicture(f.File) || chart.Ending(f.File) == ".html" }
