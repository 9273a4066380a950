package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/experiment"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/experiment/acmn"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/experiment/deletion"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/experiment/ldfm"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/experiment/meanfield"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/experiment/structure"
)

// experiments are the papers with tables that can be measured again.
var experiments = []struct {
	name, doc string
	run       func(ctx context.Context, a *cli.App, f *experiment.Options) error
}{
	{"edge-deletion", "figures 1 to 5 of Choi, Chan and Darwiche 2005", deletion.Run},
	{"dn-mean-field", "the tables of Lowd and Shamaei 2011, Mean field inference in dependency networks", meanfield.Run},
	{"structure", "learners of structures, by rows drawn from alarm or another network: distances, scores, times", structure.Run},
	{"acmn", "the tables of Lowd and Rooshenas 2013, Learning Markov networks with arithmetic circuits", acmn.Run},
	{"ldfm", "tables 2, 4 and 5 of Chu, Jiang and Tu 2017, Latent dependency forest models", ldfm.Run},
}

// ownFlags are the flags of single experiments.
var ownFlags = []struct {
	name string
	of   []string
}{
	{"max-time", []string{"acmn"}},
	{"models", []string{"acmn"}},
	{"rows", []string{"dn-mean-field", "structure"}},
	{"engine", []string{"dn-mean-field"}},
	{"trials", []string{"edge-deletion", "ldfm"}},
}

// checkOwn returns an error if a flag was given that is of other experiments.
func checkOwn(cmd *cobra.Command, experiment string) error {
	for _, f := range ownFlags {
		if cmd.Flags().Changed(f.name) && !slices.Contains(f.of, experiment) {
			return cli.Usagef("--%s is for %s; leave it out for %s", f.name, strings.Join(f.of, " and "), experiment)
		}
	}
	return nil
}

func (a *app) experimentCommand() *cobra.Command {
	f := &experiment.Options{}
	var names, docs []string
	for _, e := range experiments {
		names, docs = append(names, e.name), append(docs, "  "+e.name+": "+e.doc)
	}
	cmd := &cobra.Command{
		Use:   "experiment NAME",
		Short: "Measure the tables of a paper again",
		Long: "Experiment measures again what a paper measured, on the networks and data sets of\n" +
			"a folder, and prints the paper's tables, and one of its claims: in print, here, and\n" +
			"whether they are confirmed:\n\n" +
			strings.Join(docs, "\n") + "\n\n" +
			"edge-deletion, structure and ldfm need no folder for the models that are part of\n" +
			"pgmc.\n\n" +
			"The same seed gives the same tables on any number of cores, except for times and\n" +
			"what depends on them. With -o, the tables are also written to a folder, as text,\n" +
			"as JSON, and each as CSV; all files appear, or none does. dn-mean-field and ldfm\n" +
			"write theirs after each set or network, so that Ctrl-C keeps the results so far.",
		Example: "  pgmc experiment structure --quick --networks hydro\n  pgmc experiment edge-deletion --quick\n  pgmc experiment dn-mean-field --networks nltcs,plants -o mean-field\n  pgmc experiment edge-deletion --full --max-mem 8GiB -o edge-deletion\n" +
			"  pgmc experiment edge-deletion --networks barley --trials 70 --json",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 || !slices.Contains(names, args[0]) {
				return fmt.Errorf("found %q; want one of %s", args, strings.Join(names, ", "))
			}
			return nil
		},
		ValidArgs: names,
	}
	cmd.RunE = a.Action(func(ctx context.Context, args []string) error {
		if f.Quick && f.Full {
			return cli.Usagef("found both --quick and --full; want one of them")
		}
		if err := checkOwn(cmd, args[0]); err != nil {
			return err
		}
		return f.Missing(experiments[slices.Index(names, args[0])].run(ctx, a.App, f))
	})
	fl := cmd.Flags()
	fl.BoolVar(&f.Quick, "quick", false, "few networks, trials and thresholds; takes a minute or so")
	fl.BoolVar(&f.Full, "full", false, "all that the paper measures")
	fl.StringVarP(&f.Out, "output", "o", "", "a `folder` to write the tables to")
	fl.StringVar(&f.Data, "data", dataFolder(), "the `folder` with the data; networks are in its folder bif, and data sets in debd")
	fl.StringSliceVar(&f.Networks, "networks", nil, "only these networks: `A,B`")
	fl.DurationVar(&f.MaxTime, "max-time", 0, "of acmn: the most `time` for learning a model; 0 is 1m, 15m with --full, or 1s with --quick")
	fl.StringVar(&f.Models, "models", "", "of acmn: a `folder` for the learned models; models that an earlier run left there are not learned again")
	fl.IntVar(&f.Rows, "rows", 0, "of dn-mean-field: the number of test `rows` of a set; 0 is 100, all with --full, or 20 with --quick; of structure: the number of rows to learn from; 0 is 10,000, or 1,000 with --quick")
	cli.AddChoice(cmd, &f.Engine, "engine", "of dn-mean-field: answer by packages that are compiled and built, or by the interpreter", "compiled", "interp")
	fl.IntVar(&f.Trials, "trials", 0, "the `number` of sets of evidence for each network; 0 is 10, 50 with --full, or 2 with --quick; of ldfm: of queries; 0 is 50, 1000 or 10")
	return cmd
}

// dataFolder returns the default of --data: the folder data in $PGMC_SHARED, or in ../shared.
func dataFolder() string {
	if dir := os.Getenv("PGMC_SHARED"); dir != "" {
		return filepath.Join(dir, "data")
	}
	return filepath.Join("..", "shared", "data")
}
