package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/decision"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/view"
)

func (a *app) showCommand() *cobra.Command {
	f := &view.Options{}
	cmd := &cobra.Command{
		Use:   "show WHAT [MODEL]",
		Short: "Show a model, a stage of its compilation, or what pgmc has",
		Long: "Show prints a list (" + strings.Join(view.Lists, ", ") + "), or of a model:\n\n" +
			"  model     its variables; with --var one variable, its Markov blanket and the parameters of its CPD,\n" +
			"            which -o x.csv writes as the file that pgmc edit --cpt reads;\n" +
			"            with --dsep whether two are separated, with --adjust the sets to adjust for to\n" +
			"            estimate an effect; for a dependency network also whether its CPDs are consistent;\n" +
			"            of a template of a sequence, the first two slices, drawn in frames\n" +
			"  tree      the clique tree of method jointree; with real variables the strong tree of method clg, which\n" +
			"            eliminates them first; cliques with real variables are green, roots have a heavy outline\n" +
			"  circuit   the arithmetic circuit of the probability of the evidence, or of the best completion (--query mpe)\n" +
			"  problem, plan, program\n" +
			"            a stage of its compilation, after the last pass or after the pass --stage\n" +
			"  vectors   how each block of its program runs: the back-end and its alternatives; on vectors of four\n" +
			"            numbers a line a message: its axes, slowest first (CO:3/4 is padded to 4), what the lanes are\n" +
			"            (places of the result, or states of a summed variable) and the instructions of that choice and\n" +
			"            of others, and instructions by kind\n\n" +
			"and states, the image of an answer of pgmc query --mpe --json to a model of pgmc new --grid,\n" +
			"as .pgm, .png or .svg.\n\n" +
			"A model, tree or circuit is printed as text, as JSON with --json, for Graphviz\n" +
			"with --dot, or as a picture with --svg. In a picture of a model, --bars shows the\n" +
			"posteriors as bars in the nodes; with --evidence the thin grey bars are those before\n" +
			"it; --strategy shows those of an influence diagram under a strategy; --dsep colours\n" +
			"the given variables grey and those of an open trail amber.\n" +
			"--strength mi draws edges the wider, the larger the mutual information of their\n" +
			"variables; with the report of a learner in place of mi (pgmc learn average --json, or\n" +
			"any with --bootstrap), by the probability of the edge.",
		Example: "  pgmc show passes\n" +
			"  pgmc show model asia.bif --var lung\n" +
			"  pgmc show model asia.bif --var lung -o lung.csv\n" +
			"  pgmc show model asia.bif --dsep 'smoke, xray | either'\n" +
			"  pgmc show model asia.bif --adjust smoke,dysp\n" +
			"  pgmc show model asia.bif --svg -o asia.svg\n" +
			"  pgmc show model asia.bif --evidence dysp=yes --strength mi -o asia.svg\n" +
			"  pgmc show tree asia.bif --dot | dot -Tpdf -o tree.pdf\n" +
			"  pgmc show circuit sprinkler.bif\n" +
			"  pgmc show program asia.bif --stage lower\n" +
			"  pgmc show vectors alarm.bif --query marginals",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return fmt.Errorf("found no operand; want %s", strings.Join(view.All, ", "))
			}
			return view.CheckOperands(args)
		},
		ValidArgsFunction: completeShow,
		RunE:              a.Action(func(ctx context.Context, args []string) error { return view.Show(ctx, a.App, args, f) }),
	}
	addShowFlags(cmd, f)
	return cmd
}

// completeShow completes the operands of show.
func completeShow(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	switch {
	case len(args) == 0:
		return view.All, cobra.ShellCompDirectiveNoFileComp
	case len(args) == 1 && !slices.Contains(view.Lists, args[0]):
		return nil, cobra.ShellCompDirectiveDefault
	}
	return nil, cobra.ShellCompDirectiveNoFileComp
}

func addShowFlags(cmd *cobra.Command, f *view.Options) {
	f.AddTo(cmd)
	fl := cmd.Flags()
	fl.StringVar(&f.Stage, "stage", "", "show the result of this `pass`")
	fl.StringArrayVar(&f.Queries, "query", nil, "a `query` to compile, as for pgmc compile; for a circuit logprob or mpe; repeatable")
	fl.BoolVar(&f.DOT, "dot", false, "draw for Graphviz")
	fl.BoolVar(&f.SVG, "svg", false, "draw as a picture: SVG, or with -o PNG or PDF by the ending of the name")
	fl.StringVarP(&f.Output, "output", "o", "", "`file` to write to instead of standard output")
	fl.IntVar(&f.MaxNodes, "max-nodes", 0, "the most `nodes` of a drawing or circuit; 0 is "+fmt.Sprintf("%d with --svg, %d with --dot, %d as text", view.MaxSVGNodes, view.MaxDOTNodes, view.MaxTextNodes))
	fl.StringArrayVar(&f.Vars, "var", nil, "describe this `variable` of a model; repeatable")
	fl.StringArrayVar(&f.DSep, "dsep", nil, "tell whether two variables are d-separated given others: a `question` such as 'A, B | C, D'; repeatable")
	fl.StringArrayVar(&f.Adjust, "adjust", nil, "the sets of variables to adjust for, to estimate the effect of the first of `X,Y` on the second from data; repeatable")
	fl.BoolVar(&f.Bars, "bars", false, "show posteriors as bars in the nodes of a drawing")
	fl.StringArrayVarP(&f.Evidence, "evidence", "e", nil, "show posteriors before and after these states were observed: `A=yes,B=no|maybe`; repeatable")
	decision.AddStrategy(fl, &f.Strategy)
	fl.StringVar(&f.Strength, "strength", "", "draw edges by their strength: `mi` for mutual information, or the file of a learner's report")
}
