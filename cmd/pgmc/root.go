package main

import "github.com/spf13/cobra"

// root returns the command pgmc with all its subcommands.
func (a *app) root() *cobra.Command {
	return a.Root(a.compileCommand(), a.verifyCommand(), a.queryCommand(), a.sampleCommand(), a.predictCommand(), a.scoreCommand(), a.solveCommand(), a.statsCommand(), a.compareCommand(), a.experimentCommand(),
		a.convertCommand(), a.learnCommand(), a.fitCommand(), a.showCommand(), a.benchCommand(), a.demoCommand(), a.versionCommand())
}
