package learning

import (
	"flag"
	"time"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/counting"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/slicing"
	"github.com/pgmc-go/pgmc/ir/options"
	"github.com/pgmc-go/pgmc/learn"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Form is the form of a report: a fragment of HTML, or a chart in Vega-Lite. The zero value is
// text.
type Form struct{ HTML, Vega bool }

// Options are the flags that all learners have.
type Options struct {
	Algo                    string // the name of the learner
	Train, Valid, Init, Out string
	Circuit                 string
	Resume, Target          string
	Truth                   string
	PriorNetwork            string
	PriorStructure          string
	To                      cli.Choice
	Data                    cli.DataFlags
	Counts                  counting.Flags // a source of counts in place of rows
	MaxTime                 time.Duration
	Bins                    string
	Folds                   int
	Bootstrap               int // samples of the rows by which to rate edges
	Slices                  slicing.Flags
	OneSequence             bool // all rows are slices of one sequence
	Binning                 cli.Choice
	Real                    []string
	Passes                  bool // read the rows for each request of the learner, and hold none
	Form                    Form
	AsIs                    bool           // learn from columns that look wrong
	Cmd                     *cobra.Command // the subcommand, which also has the learner's own flags
}

// instance returns a new instance of the learner with the options of the command line.
func (f *Options) instance() (learner.Instance, error) {
	l, err := learn.Find(f.Algo)
	if err != nil {
		return nil, cli.Usage(err)
	}
	in, own := NewLearner(l)
	f.Cmd.Flags().Visit(func(x *pflag.Flag) {
		if err == nil && own.Lookup(x.Name) != nil {
			err = own.Set(x.Name, x.Value.String())
		}
	})
	return in, err
}

// NewLearner returns an instance of l and the set of its flags.
func NewLearner(l *learner.Learner) (learner.Instance, *flag.FlagSet) {
	in := l.New()
	return in, options.Flags(in)
}
