package main

import (
	"github.com/spf13/cobra"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
)

// root returns the command pgmc with all its subcommands, those that most people need first.
func (a *app) root() *cobra.Command {
	root := a.Root()
	for _, group := range []struct {
		id, title string
		commands  []*cobra.Command
	}{
		{"core", "Core commands:", []*cobra.Command{a.queryCommand(), a.learnCommand(), a.compileCommand(), a.showCommand()}},
		{"model", "Models:", []*cobra.Command{a.modelsCommand(), a.newCommand(), a.editCommand(), a.convertCommand(), a.fitCommand(), a.decideCommand(), a.statsCommand(), a.compareCommand(), a.reportCommand(), a.solveCommand()}},
		{"data", "Data:", []*cobra.Command{a.countCommand(), a.dataCommand(), a.imputeCommand(), a.predictCommand(), a.sampleCommand(), a.scoreCommand(), a.sqlCommand()}},
		{"package", "Packages:", []*cobra.Command{a.verifyCommand(), a.vetCommand(), a.benchCommand()}},
		{"more", "More:", []*cobra.Command{a.demoCommand(), a.playgroundCommand(), a.experimentCommand(), a.versionCommand()}},
	} {
		root.AddGroup(&cobra.Group{ID: group.id, Title: group.title})
		for _, c := range group.commands {
			c.GroupID = group.id
		}
		root.AddCommand(group.commands...)
	}
	root.SetHelpCommandGroupID("more")
	root.SetCompletionCommandGroupID("more")
	root.Version = versionText()
	root.SetVersionTemplate("{{.Version}}")
	synonyms(root)
	cli.WrapHelp(root)
	return root
}

// synonyms gives commands the names that other tools have for them, for messages about unknown
// commands.
func synonyms(root *cobra.Command) {
	names := map[string][]string{
		"query": {"infer", "inference", "posterior", "ask", "marginal", "marginals", "maxmarginal", "maxmarginals", "mpe", "map"}, "learn": {"train"}, "compile": {"generate", "gen", "build", "emit"},
		"show": {"draw", "plot", "print", "view"}, "predict": {"classify"}, "fit": {"estimate"}, "sample": {"simulate"},
	}
	for _, c := range root.Commands() {
		c.SuggestFor = names[c.Name()]
	}
}
