package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pgmc-go/pgmc/ir/diag"
)

// FlagError adds the nearest flag of c that is not hidden to err if that is about a flag that c
// does not have.
func FlagError(c *cobra.Command, err error) error {
	name, ok := strings.CutPrefix(err.Error(), "unknown flag: --")
	if !ok {
		return err
	}
	var known []string
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			known = append(known, "--"+f.Name)
		}
	})
	return fmt.Errorf("%w%s", err, diag.DidYouMean("--"+name, known))
}

// commandError adds the nearest subcommand of c to err if err reports an unknown subcommand.
func commandError(c *cobra.Command, err error) error {
	text, ok := strings.CutPrefix(err.Error(), `unknown command "`)
	if !ok {
		return err
	}
	word, _, _ := strings.Cut(text, `"`)
	var known []string
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			known = append(known, sub.Name())
		}
	}
	return fmt.Errorf("%s%s", oneLine(err), diag.DidYouMean(word, known))
}
