package cli

import (
	"flag"
	"io"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// valueNames name the values of options that are texts, by option.
var valueNames = map[string]string{
	"allow": "edges", "alpha": "numbers", "class": "variable", "correct": "name", "correction": "name", "count": "column", "cpd": "form", "document": "column", "edge-prior": "odds", "edges": "name", "features": "names", "forbid": "edges", "gain": "criterion",
	"join": "rule", "kappa": "numbers", "l1": "numbers", "mean": "name", "moves": "name", "order": "variables", "over": "name", "p-values": "name",
	"parameters": "name", "prior": "prior", "proposal": "name", "regions": "name", "require": "edges", "rule": "name", "sampler": "name", "tiers": "variables",
	"schedule": "name", "score": "score", "search": "name", "start": "name", "states": "range", "test": "test",
}

// OptionFlag returns the flag of a command for an option of a method or a learner. Help names the
// kind of its value, not its type in Go.
func OptionFlag(x *flag.Flag) *pflag.Flag {
	f := pflag.PFlagFromGoFlag(x)
	switch name := valueNames[x.Name]; f.Value.Type() {
	case "int", "uint", "float", "float64", "uint64":
		f.Value = &namedValue{f.Value, "number"}
	case "duration":
		f.Value = &namedValue{f.Value, "time"}
	case "string":
		if name != "" {
			f.Value = &namedValue{f.Value, name}
		}
	}
	return f
}

// namedValue is a value with a name for help.
type namedValue struct {
	pflag.Value
	name string
}

// Type returns the name.
func (v *namedValue) Type() string { return v.name }

// Unwrap returns the value. Its type tells which texts it takes.
func (v *namedValue) Unwrap() pflag.Value { return v.Value }

// AddHelpAll adds --help-all to a command. Its help then ends with a text.
func AddHelpAll(cmd *cobra.Command, usage string, text func() string) {
	h := &helpAll{}
	h.addTo(cmd, usage)
	cmd.SetHelpFunc(func(c *cobra.Command, args []string) {
		c.Parent().HelpFunc()(c, args)
		if h.asked {
			io.WriteString(c.OutOrStdout(), text()) // a failure shows in what is missing
		}
	})
}

// helpAll is the value of --help-all, which asks for help as --help does.
type helpAll struct {
	cmd   *cobra.Command
	asked bool
}

// addTo adds the flag to a command.
func (h *helpAll) addTo(cmd *cobra.Command, usage string) {
	h.cmd = cmd
	cmd.Flags().VarPF(h, "help-all", "", usage).NoOptDefVal = "true"
}

// Set asks for help.
func (h *helpAll) Set(s string) error {
	h.asked = true
	return h.cmd.Flags().Set("help", s)
}

// String returns the value of a flag that was not given.
func (h *helpAll) String() string { return "false" }

// Type names the type of a flag without an argument.
func (h *helpAll) Type() string { return "bool" }
