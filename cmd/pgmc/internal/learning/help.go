package learning

import (
	"io"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/spf13/cobra"
)

// helpMore is the part of the help of pgmc learn that --help-all adds.
const helpMore = "Columns become variables. Their states are the values in the column, or intervals\n" +
	"with --bins, a list of rules such as 5, age=3,fare=quantile:4 or mdl:class. The\n" +
	"bounds are part of the model: data and evidence may hold numbers. Columns that\n" +
	"--real names stay numbers, for learners of networks with Gaussian CPDs and for\n" +
	"ldfm and ldfm-s. '*' stands for the columns of numbers with one that is not whole,\n" +
	"or with more than 20 different ones. With --init, the variables are those of the\n" +
	"model.\n\n" +
	"--folds rates a learner by cross-validation: for each part of the rows it learns\n" +
	"from the other parts, and reports the log-likelihood of the part, or the\n" +
	"pseudo-log-likelihood if the learner maximises that. The model itself is learned\n" +
	"from all rows.\n\n" +
	"With --sequence-column or --one-sequence, rows are slices of sequences, in the order\n" +
	"of the file or of --time, and the result is a network of slice 0 with a transition from slice to\n" +
	"slice. Learners of networks find parents in the same slice and in the one before,\n" +
	"whose variables are called x@-1, as in --forbid 'x@-1->y'. Slice 0 is learned from the\n" +
	"first rows, or from all rows of a single sequence. --folds and --split then divide\n" +
	"sequences."

// SetHelp makes the help of pgmc learn brief: the learners, and the flags that most people need.
// The help of a learner has all.
func SetHelp(cmd *cobra.Command) {
	whole := cmd.HelpFunc()
	brief := &cli.Brief{Core: []string{"bins", "folds", "init", "max-time", "output", "real", "sequence-column", "split",
		"help", "json", "max-mem", "quiet", "seed", "timeout"}}
	cmd.SetHelpFunc(func(c *cobra.Command, args []string) {
		if c == cmd {
			brief.Hide(c)
		}
		whole(c, args)
		if c == cmd { // a failure shows in what is missing
			io.WriteString(c.OutOrStdout(), "All flags, and those of the learners: pgmc learn --help-all.\n")
		}
	})
}

// helpAll writes the help of pgmc learn with all flags, and after it the learners' flags.
func helpAll(cmd *cobra.Command, whole func(*cobra.Command, []string)) error {
	cmd.Long += "\n\n" + cli.WrapText(helpMore)
	whole(cmd, nil)
	_, err := io.WriteString(cmd.OutOrStdout(), HelpAll())
	return err
}
