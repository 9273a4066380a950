package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/options"
	"github.com/pgmc-go/pgmc/learn"
	"github.com/pgmc-go/pgmc/learn/learner"
)

// defaultLearner is the learner that runs if the command line names none.
const defaultLearner = "hillclimb"

// learnCommand is pgmc learn, with a subcommand for each learner.
func (a *app) learnCommand() *cobra.Command {
	f := &learnFlags{}
	cmd := &cobra.Command{
		Use:   "learn ALGO DATA -o MODEL",
		Short: "Learn a model from data",
		Long: "Learn learns a model from the rows of a data file and writes it in the format of its name's extension. The result can be\n" +
			"compiled, queried and scored like any model. Ctrl-C and --max-time end a search with the best model so far.\n\n" +
			"Each learner is a subcommand with options of its own: see pgmc learn ALGO --help. Without one, pgmc learn DATA runs\n" +
			defaultLearner + ". A word that is the name of a learner is the learner; ./NAME is a file of that name. --algo ALGO and --train DATA\n" +
			"are other ways to name the two.\n\n" +
			"Columns become variables. Their states are the column's values, or intervals with --bins. Columns that --real names stay numbers;\n" +
			"the learners ldfm and ldfm-s take them. With --init, the model has the variables.\n\n" +
			"--folds rates a learner by cross-validation: it learns once more for each part of the rows, from the others, and reports the\n" +
			"log-likelihood of the part, or the pseudo-log-likelihood if the learner maximises that. The model is learned from all rows.",
		Example: "  pgmc learn chowliu patients.csv -o patients.bif\n" +
			"  pgmc learn hillclimb patients.csv -o patients.bif --score bic --tabu 10 --forbid 'lung->smoke'\n" +
			"  pgmc learn hillclimb --help",
		DisableFlagParsing: true, // the flags are those of the learner
	}
	cmd.RunE = func(_ *cobra.Command, args []string) error { return a.learnByName(cmd, args) }
	f.addTo(cmd)
	for i := range learn.Learners {
		cmd.AddCommand(a.learnerCommand(&learn.Learners[i], f))
	}
	return cmd
}

// addTo adds the flags that all learners have, for the subcommands of cmd.
func (f *learnFlags) addTo(cmd *cobra.Command) {
	var writable []string
	for _, x := range compiler.Formats {
		if x.Write != nil {
			writable = append(writable, x.Name)
		}
	}
	fl := cmd.PersistentFlags()
	fl.StringVar(&f.train, "train", "", "the data `file`, in place of DATA")
	fl.StringVar(&f.valid, "valid", "", "a data `file` to choose between results by")
	fl.StringVar(&f.init, "init", "", "a model `file` to begin from")
	fl.StringVar(&f.truth, "truth", "", "a model `file` whose structure the learned one is compared with")
	fl.StringVarP(&f.out, "output", "o", "", "`file` to write the model to, compressed if its name ends in .gz")
	fl.StringVar(&f.circuit, "circuit", "", "a `file` to write the circuit to, of learners that make a network and a circuit")
	fl.DurationVar(&f.maxTime, "max-time", 0, "end the search after this `time` with the best so far; 0 for never")
	fl.StringVar(&f.target, "target", "", "a network `file` to approximate, for acopt, in place of DATA")
	fl.StringVar(&f.resume, "resume", "", "a `file` to keep checkpoints in; if it exists, the search goes on from it to the same model ["+cli.Resuming()+"]")
	fl.IntVar(&f.folds, "folds", 0, "rate the learner by cross-validation in this many `parts`, drawn by --seed; 0 for none")
	fl.IntVar(&f.bins, "bins", 0, "turn columns with more different numbers than this into this many `intervals`, which are states; 0 for no column")
	fl.StringArrayVar(&f.real, "real", nil, "the columns of real numbers, `A,B`, for ldfm and ldfm-s; repeatable")
	cli.AddPersistentChoice(cmd, &f.binning, "binning", "intervals with about as many rows each, or of the same length", "frequency", "width")
	cli.AddPersistentChoice(cmd, &f.data, "data-format", "the format of the data; by name or content unless given", "auto", "csv", "data", "arff")
	cli.AddPersistentFormatChoice(cmd, &f.to, "to", "the format of the model", writable)
}

// learnerCommand is the subcommand of a learner.
func (a *app) learnerCommand(l *learner.Learner, f *learnFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use:     l.Name + " DATA -o MODEL",
		Short:   l.Doc,
		Example: "  pgmc learn " + l.Name + " " + learnExample(l.Name),
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			f.algo, f.cmd = l.Name, cmd
			if len(args) == 1 && f.train != "" {
				return cli.Usagef("found the data files %s and %s; want one", args[0], f.train)
			}
			if len(args) == 1 {
				f.train = args[0]
			}
			return a.Action(func(ctx context.Context, _ []string) error { return a.runLearn(ctx, f) })(cmd, args)
		},
	}
	_, own := newLearner(l)
	own.VisitAll(func(x *flag.Flag) { cmd.Flags().AddFlag(learnerFlag(x)) })
	cmd.SetFlagErrorFunc(otherLearnersFlag)
	return cmd
}

// newLearner returns a learner with the set of its own flags.
func newLearner(l *learner.Learner) (learner.Instance, *flag.FlagSet) {
	in := l.New()
	return in, options.Flags(in)
}

// instance returns a new instance of the learner that runs, with the options of the command line.
func (f *learnFlags) instance() (learner.Instance, error) {
	l, err := learn.Find(f.algo)
	if err != nil {
		return nil, cli.Usage(err)
	}
	in, own := newLearner(l)
	f.cmd.Flags().Visit(func(x *pflag.Flag) {
		if err == nil && own.Lookup(x.Name) != nil {
			err = own.Set(x.Name, x.Value.String())
		}
	})
	return in, err
}

// learnExamples are the arguments of the examples of learners that need or want more than data.
var learnExamples = map[string]string{
	"naivebayes": "patients.csv -o patients.bif --class lung",
	"tan":        "patients.csv -o patients.bif --class lung",
	"k2":         "patients.csv -o patients.bif --order smoke,lung,bronc,dysp",
	"knownorder": "patients.csv -o patients.bif --order @order.txt --max-parents 2",
	"hillclimb":  "patients.csv -o patients.bif --score bic --tabu 10 --forbid 'lung->smoke'",
	"pc":         "patients.csv -o patients.bif --alpha 0.01",
	"average":    "patients.csv -o patients.bif --over orders --chains 4",
	"treebn":     "patients.csv -o patients.bn --valid more.csv --kappa 0.1,0.01,0.001",
	"depnet":     "patients.csv -o patients.dn --cpd boosted --valid more.csv",
	"dn2mn":      "patients.csv -o patients.mn --init patients.dn",
	"mnweights":  "patients.csv -o patients.mn --init structure.mn --l1 1",
	"l1mn":       "patients.csv -o patients.mn --l1 2",
	"gssl":       "patients.csv -o patients.mn --features 1000",
	"em":         "patients.csv -o patients.bif --init structure.bif",
	"acbn":       "patients.csv -o patients.ac --quick --shrink --max-edges 200000",
	"acmn":       "patients.csv -o patients.ac --quick --shrink --max-edges 200000 --l1 1",
	"acopt":      "patients.csv -o fitted.ac --init patients.ac",
	"mt":         "patients.csv -o patients.ac --components 10",
	"hclt":       "patients.csv -o patients.bif --states 8",
	"cnet":       "patients.csv -o patients.ac --bags 40",
	"learnspn":   "patients.csv -o patients.spn --valid more.csv",
	"idspn":      "patients.csv -o patients.ac --valid more.csv",
	"ldfm":       "patients.csv -o patients.json --real height,weight",
	"ldfm-s":     "patients.csv -o patients.json",
}

// learnExample returns the arguments of a learner's example.
func learnExample(name string) string {
	if text, ok := learnExamples[name]; ok {
		return text
	}
	return "patients.csv -o patients.bif"
}

// learnByName runs pgmc learn without a subcommand: with --algo, or with the default learner. It
// finds the subcommand and runs the command line anew with it.
func (a *app) learnByName(cmd *cobra.Command, args []string) error {
	a.Command = cmd.CommandPath()
	name, rest, err := cutFlag(args, "algo")
	if err != nil {
		return err
	}
	asked := func(word string) bool { return slices.Contains(rest, word) }
	if name == "" && (len(rest) == 0 || asked("--help") || asked("-h")) {
		return cmd.Help()
	}
	if name == "" {
		if err := unknownLearner(cmd, rest); err != nil {
			return err
		}
		name = defaultLearner
		if !asked("--quiet") && !asked("-q") {
			fmt.Fprintf(a.Stderr, "no learner named; %s runs. pgmc learn --help lists the others\n", name)
		}
	}
	if _, err := learn.Find(name); err != nil {
		return cli.Usagef("--algo: %w%s", err, diag.DidYouMean(name, learnerNames()))
	}
	root := cmd.Root()
	root.SetArgs(append(append(a.before(cmd), cmd.Name(), name), rest...))
	return root.ExecuteContext(cmd.Context())
}

// before returns the arguments that stand before the command.
func (a *app) before(cmd *cobra.Command) []string {
	if i := slices.Index(a.Args, cmd.Name()); i > 0 {
		return slices.Clone(a.Args[:i])
	}
	return nil
}

// cutFlag takes a flag with its value out of args, in the forms --name value and --name=value.
func cutFlag(args []string, name string) (value string, rest []string, err error) {
	for i := 0; i < len(args); i++ {
		text, ok := strings.CutPrefix(args[i], "--"+name)
		switch {
		case ok && strings.HasPrefix(text, "="):
			value = text[1:]
		case ok && text == "" && i+1 == len(args):
			return "", nil, cli.Usagef("flag needs an argument: --%s", name)
		case ok && text == "":
			i++
			value = args[i]
		default:
			rest = append(rest, args[i])
		}
	}
	return value, rest, nil
}

// unknownLearner refuses a first word that is followed by a second operand, and so can only be
// meant for a learner.
func unknownLearner(cmd *cobra.Command, args []string) error {
	if len(args) < 2 || strings.HasPrefix(args[0], "-") || strings.HasPrefix(args[1], "-") {
		return nil
	}
	return cli.Usagef("unknown learner %q%s", args[0], diag.DidYouMean(args[0], learnerNames()))
}

func learnerNames() []string {
	var names []string
	for _, l := range learn.Learners {
		names = append(names, l.Name)
	}
	return names
}

// otherLearnersFlag says of an unknown flag which other learners have it, or which flag of the
// command is the nearest.
func otherLearnersFlag(cmd *cobra.Command, err error) error {
	flagName, _ := strings.CutPrefix(err.Error(), "unknown flag: --")
	var who []string
	for i := range learn.Learners {
		if _, fs := newLearner(&learn.Learners[i]); fs.Lookup(flagName) != nil {
			who = append(who, learn.Learners[i].Name)
		}
	}
	if who == nil {
		return cli.FlagError(cmd, err)
	}
	return fmt.Errorf("--%s is no option of %s; it is one of %s", flagName, cmd.Name(), strings.Join(who, ", "))
}

// learnerFlag makes a flag of the command line of one of a learner's. A value @FILE stands for the
// text of the file.
func learnerFlag(x *flag.Flag) *pflag.Flag {
	f := pflag.PFlagFromGoFlag(x)
	f.Value = &listValue{Value: f.Value, name: x.Name}
	return f
}

// listValue is a value that a file may hold.
type listValue struct {
	pflag.Value
	name string
}

// maxList is the most bytes of a file that a flag names: more than lists of edges take.
const maxList = 16 << 20

// Set sets the value, which is in a file if s is @ and its name.
func (v *listValue) Set(s string) error {
	if path, ok := strings.CutPrefix(s, "@"); ok {
		text, err := readList(path)
		if err != nil {
			return err
		}
		s = text
	}
	return v.Value.Set(s)
}

func readList(path string) (string, error) {
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
