package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data/parquet"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
	"github.com/pgmc-go/pgmc/learn/score"
)

// CompleteVariables makes the shell complete the values of flags, lists of variables of the model
// that is the first operand.
func (a *App) CompleteVariables(cmd *cobra.Command, flags ...string) {
	a.complete(cmd, flags, func(m *model.Model, _ string) []string { return variableNames(m, "") })
}

// CompleteStates makes the shell complete the values of flags, lists of variables with states.
func (a *App) CompleteStates(cmd *cobra.Command, flags ...string) {
	a.complete(cmd, flags, func(m *model.Model, item string) (list []string) {
		name, _, ok := strings.Cut(item, "=")
		if !ok {
			return variableNames(m, "=")
		}
		if unquoted, _, err := diag.CutName(name); err == nil {
			if v, ok := m.VarByName(unquoted); ok {
				for _, s := range m.States(v.ID) {
					list = append(list, name+"="+QuoteName(s))
				}
			}
		}
		return list
	})
}

// CompleteQueries makes the shell complete the values of --query: kinds of queries and variables.
func (a *App) CompleteQueries(cmd *cobra.Command) {
	a.complete(cmd, []string{"query"}, func(m *model.Model, _ string) []string {
		return append(strings.Split(QueryWords(), ", "), variableNames(m, "")...)
	})
}

// variableNames returns the quoted names of the variables that are not latent, with an end.
func variableNames(m *model.Model, end string) (list []string) {
	for _, v := range m.Vars {
		if !v.Latent {
			list = append(list, QuoteName(v.Name)+end)
		}
	}
	return list
}

// complete makes the shell complete the last item of the values of flags by what of returns for the
// model that is the first operand. A model that cannot be read has no completions.
func (a *App) complete(cmd *cobra.Command, flags []string, of func(m *model.Model, item string) []string) {
	register(cmd, flags, func(args []string, value string) []string {
		if len(args) == 0 {
			return nil
		}
		m, list := a.read(args[0], "", nil)
		if m == nil || list.HasErrors() {
			return nil
		}
		at := strings.LastIndexByte(value, ',') + 1
		var out []string
		for _, item := range of(m, value[at:]) {
			out = append(out, value[:at]+item)
		}
		return out
	})
}

// CompleteLearner makes the shell complete the scores of a learner, and its class by the columns of
// the data file that is the first operand.
func CompleteLearner(cmd *cobra.Command) {
	register(cmd, []string{"score"}, func([]string, string) (list []string) {
		for _, k := range score.Kinds {
			list = append(list, k.Name)
		}
		return list
	})
	register(cmd, []string{"class"}, func(args []string, _ string) (list []string) {
		if len(args) == 0 || args[0] == Standard {
			return nil
		}
		rows, err := parquet.OpenReader(rowfile.ReadOptions{}, args[0], 0)
		if err != nil {
			return nil
		}
		defer rows.Close()
		for _, c := range rows.Columns {
			list = append(list, c.Name)
		}
		return list
	})
}

// register sets the completion of the flags that the command has.
func register(cmd *cobra.Command, flags []string, of func(args []string, value string) []string) {
	for _, name := range flags {
		if cmd.Flags().Lookup(name) == nil {
			continue
		}
		err := cmd.RegisterFlagCompletionFunc(name, func(_ *cobra.Command, args []string, value string) ([]string, cobra.ShellCompDirective) {
			var fitting []string
			for _, item := range of(args, value) {
				if strings.HasPrefix(item, value) {
					fitting = append(fitting, item)
				}
			}
			return fitting, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
		})
		if err != nil {
			panic(err) // the flag exists
		}
	}
}
