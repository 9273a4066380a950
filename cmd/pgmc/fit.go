package main

import (
	"context"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/learning"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/learn/em"
	"github.com/pgmc-go/pgmc/learn/mle"
	"github.com/spf13/cobra"
)

// fitHelp is the help of pgmc fit.
const fitHelp = "Fit reads a network and a data file, keeps the structure of the network, fits the\n" +
	"parameters of its tables, trees, noisy-max, Gaussian and softmax CPDs to the rows, and writes\n" +
	"the network. Priors are pseudo-counts: the same for each parameter (k2 is 1); a sample of\n" +
	"--ess rows, spread evenly over each CPD (bdeu) or distributed as in\n" +
	"--prior-network (bde); or --ess rows for each row of a CPD, in the proportions of\n" +
	"the variable's marginal counts (pooled); or a Dirichlet distribution for all rows of a\n" +
	"CPD, or of several (--share), of which the mean and the size have the greatest marginal\n" +
	"likelihood (learned): rows that differ little are drawn together, up to 10,000 rows.\n\n" +
	"With --structure, no model is needed: fit makes the network that the text describes, of\n" +
	"columns of the data. See pgmc new.\n\n" +
	"A Gaussian CPD is a regression for each row: by least squares, that is maximum\n" +
	"likelihood, and --unbiased divides the squares as R does. If --prior names one, or\n" +
	"variables are hidden, its prior is as many pseudo-rows, with the means and\n" +
	"variances of the variables over all rows and no correlations, which widens what the\n" +
	"parents explain well, most of all in few rows.\n\n" +
	"--normal-gamma gives Gaussian CPDs a prior of your own: the mean, and how many rows it is\n" +
	"worth (strength); and of the precision, 1/variance, a Gamma distribution with shape/scale as\n" +
	"mean: shape is half the rows that the variance is worth, scale half their sum of squares.\n" +
	"The CPD has the posterior mean of the mean, and of the variance the mean or, with --estimate\n" +
	"map, the mode. For variables without parents, fit prints the predictive distribution.\n\n" +
	"--counts and --counts-from fit to counts in place of rows, see pgmc count. Whole weights\n" +
	"and discrete variables give the same numbers as the rows, to the bit.\n\n" +
	"A softmax CPD is a multinomial logistic regression by Newton's method, with a\n" +
	"penalty (--softmax) on the squares of its weights.\n\n" +
	"pgmc's own JSON format keeps the counts of the data with the parameters. With\n" +
	"--update, fit adds the new rows to these counts, as if all rows had been in one\n" +
	"file. If earlier rows had missing values, the counts are the expected ones of EM.\n\n" +
	"Without --em, a row that misses a value of a CPD does not count for that CPD. With\n" +
	"--em, fit takes in such rows, and variables that no row observes. EM starts from\n" +
	"the parameters of the model, and if variables are hidden, four more times from random\n" +
	"ones. Variables may be real: EM of Gaussian CPDs takes the pseudo-rows of the prior\n" +
	"as rows, and keeps variances above 0. Ctrl-C and --max-time end EM with the best\n" +
	"result so far.\n\n" +
	"--conditional Y fits the parameters by the conditional likelihood of Y given all other\n" +
	"variables, in place of the likelihood of all (discriminative training): with L-BFGS, the\n" +
	"prior, and the penalties --l1 and --l2. Values that a row misses are summed out. The\n" +
	"result predicts Y and says little about the others. It takes Bayesian networks, also with\n" +
	"Gaussian CPDs, of which it fits the standardised numbers; networks with a transition, as\n" +
	"conditional random fields of sequences; and Markov networks, of which it fits the weights\n" +
	"of features and the numbers of tables.\n\n" +
	"If the model has a transition from slice to slice, the rows are slices of sequences:\n" +
	"rows with one text in --sequence-column, in the order of the file or of --time, or all\n" +
	"rows. The\n" +
	"CPDs of slice 0 are fitted to first rows, CPDs of the transition to all others, and\n" +
	"CPDs that slice 0 shares with later slices (--tie-slices) to all rows. In --tie, --fix\n" +
	"and --fix-mean, x@0 is x in slice 0, x@1 in later slices, and x in both. EM of hidden\n" +
	"Markov models is the algorithm of Baum and Welch, EM of Gaussian templates the algorithm\n" +
	"of Shumway and Stoffer."

func (a *app) fitCommand() *cobra.Command {
	f := &learning.FitOptions{}
	cmd := &cobra.Command{
		Use:   "fit MODEL DATA -o MODEL",
		Short: "Fit the parameters of a network to data",
		Long:  fitHelp,
		Example: "  pgmc sample asia.bif -n 1000 -o patients.csv\n" +
			"  pgmc fit asia.bif patients.csv -o asia.json\n" +
			"  pgmc fit asia.json patients.csv -o asia.json --update\n" +
			"  pgmc fit asia.bif patients.csv -o asia.json --em --prior k2 --estimate map\n" +
			"  pgmc fit naive.bif patients.csv -o classifier.bif --conditional lung\n" +
			"  pgmc fit --structure 'smoke->lung->xray<-tub' patients.csv -o lung.bif",
		Args: func(_ *cobra.Command, args []string) error {
			if (f.Structure != "" || f.Counts.Given()) && len(args) == 1 {
				return nil
			}
			if f.Counts.Given() {
				return cli.WrongCount(args, "a model, since counts are in place of the data")
			}
			if f.Structure != "" {
				return cli.WrongCount(args, "a data file, since --structure is in place of the model")
			}
			if len(args) != 2 {
				return cli.WrongCount(args, "a model and a data file")
			}
			return nil
		},
	}
	cmd.RunE = a.Action(a.Bounded(1, learning.LessMemory, func(ctx context.Context, args []string) error {
		if err := f.Check(cmd.Flags().Changed); err != nil {
			return err
		}
		rows := args[len(args)-1]
		if f.Counts.Given() {
			rows = f.Counts.Name()
		}
		return learning.Fit(ctx, a.App, args[0], rows, f)
	}))
	addFitFlags(cmd, f)
	return cmd
}

// addFitFlags adds the flags of pgmc fit.
func addFitFlags(cmd *cobra.Command, f *learning.FitOptions) {
	var readable, writable []string
	for _, x := range compiler.Formats {
		readable = append(readable, x.Name)
		if x.Write != nil {
			writable = append(writable, x.Name)
		}
	}
	fl := cmd.Flags()
	fl.StringVarP(&f.Out, "output", "o", "", "`file` to write the model to, compressed if its name ends in .gz")
	fl.StringVar(&f.Prior, "prior", learning.AutoPrior, "`kind`: none, k2, bdeu, bde, pooled, learned, or the pseudo-count of each number; auto is bdeu, and for Gaussian CPDs none unless variables are hidden")
	fl.Float64Var(&f.Size, "ess", 1, "equivalent sample size of bdeu, bde and pooled: `rows`")
	fl.StringVar(&f.Network, "prior-network", "", "model `file` of the prior network; its prior is bde")
	cli.AddChoice(cmd, &f.Estimate, "estimate", "the posterior mean of a number, or its mode", "mean", "map")
	cli.AddChoice(cmd, &f.Empty, "empty", "a CPD row without data and prior becomes uniform, becomes the variable's marginal, or stays as it is", "uniform", "pooled", "keep")
	fl.StringArrayVar(&f.NormalGamma, "normal-gamma", nil, "prior of the Gaussian CPDs of the variables A and B, or of all without 'A,B:': `A,B:mean=M,strength=N,shape=A,scale=B`; repeatable")
	fl.BoolVar(&f.Opt.Unbiased, "unbiased", false, "variances without a prior: divide by the rows less the fitted coefficients, not by the rows")
	fl.Float64Var(&f.Opt.Floor, "min-variance", 0, "least variance of a Gaussian CPD")
	fl.Float64Var(&f.Opt.Softmax, "softmax", mle.DefaultSoftmax, "penalty of the squares of the weights of softmax CPDs, with standardised parents")
	fl.StringArrayVar(&f.Tie, "tie", nil, "variables that share their parameters: `A,B`; repeatable, once for each group")
	fl.StringArrayVar(&f.Share, "share", nil, "variables whose CPDs share one learned prior: `A,B`; repeatable, once for each group")
	fl.StringArrayVar(&f.Fix, "fix", nil, "variables whose CPDs stay as they are: `A,B`; repeatable")
	fl.StringArrayVar(&f.FixMean, "fix-mean", nil, "real variables of whose CPDs only the variances are fitted: `A,B`; repeatable")
	fl.StringVar(&f.Conditional, "conditional", "", "fit by the conditional likelihood of these variables given all others: `A,B`")
	fl.Float64Var(&f.Opt.L1, "l1", 0, "with --conditional: the penalty, a `number`, of the absolute value of each logarithm of a parameter, or each weight of a Markov network, in nats")
	fl.Float64Var(&f.Opt.L2, "l2", 1, "with --conditional: the penalty, a `number`, of half the square of each logarithm of a parameter, or each weight, in nats")
	f.Slices.AddOfModel(fl)
	f.Data.AddTwoSlices(fl)
	cli.AddChoice(cmd, &f.TieSlices, "tie-slices", "CPDs of slice 0 that share the parameters of later slices, if their parents are the same: CPDs with equal parameters in MODEL, all, or none", "equal", "all", "none")
	fl.Float64Var(&f.Opt.Sticky, "sticky", 0, "of a model with a transition: pseudo-count of each state staying as it was a slice ago")
	fl.BoolVar(&f.Opt.KeepZeros, "keep-zeros", false, "parameters that are 0 in MODEL get no pseudo-counts, and stay 0 in random starts; always with --em and a transition")
	fl.BoolVar(&f.Opt.Update, "update", false, "add the rows to the counts that the model keeps")
	fl.BoolVar(&f.Opt.EM, "em", false, "learn from missing values and hidden variables by EM")
	fl.BoolVar(&f.Opt.Ascent, "ascent", false, "with --em: gradient ascent (L-BFGS) in place of EM")
	fl.BoolVar(&f.Opt.Random, "random-start", false, "with --em or --conditional: the first start is random too")
	fl.IntVar(&f.Restarts, "restarts", -1, "with --em or --conditional: further `starts` from random numbers; -1 is 4 if variables are hidden, and otherwise 0")
	fl.IntVar(&f.Opt.Steps, "steps", em.DefaultSteps, "with --em or --conditional: the most `steps` of a start")
	fl.Float64Var(&f.Opt.Tolerance, "tolerance", em.DefaultTolerance, "with --em or --conditional: a start ends after a step that improves the objective by less than this `part` of it")
	fl.BoolVar(&f.Opt.Identify, "identifiability", false, "with --em: report how many parameters the rows leave free, and in which rows of CPDs")
	fl.DurationVar(&f.MaxTime, "max-time", 0, "with --em or --conditional: end after this `time` with the best result so far; 0 is never")
	cli.AddChoice(cmd, &f.Unseen, "unseen", "treat a value that is no state of its variable as an error, or as missing", "error", "missing")
	cli.AddFormatChoice(cmd, &f.From, "format", "the format of MODEL", readable)
	cli.AddFormatChoice(cmd, &f.To, "to", "the format of the model written", writable)
	fl.StringVar(&f.Structure, "structure", "", "the structure of a network, as `'A->B<-C'`, in place of MODEL; its variables are columns of the data and have their values as states")
	fl.StringVar(&f.Bins, "bins", "0", "with --structure: turn columns of numbers into `intervals`, as pgmc learn does")
	fl.StringArrayVar(&f.Real, "real", nil, "with --structure: the columns of real numbers, `A,B`, or '*' for all that look like measurements; repeatable")
	fl.BoolVar(&f.AsIs, "as-is", false, "with --structure: fit to columns that look wrong, as pgmc learn does")
	f.Counts.AddTo(cmd)
	f.Data.AddTo(cmd)
	f.Data.AddSplit(cmd.Flags(), "the model is fitted to the others")
}
