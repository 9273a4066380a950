package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pgmc-go/pgmc/codegen"
	"github.com/pgmc-go/pgmc/ir/diag"
)

// Choice is the value of a flag that takes one of a few words.
type Choice struct {
	Value string
	Words []string
}

func (c *Choice) String() string { return c.Value }

// Type is how help names the value.
func (c *Choice) Type() string {
	if words := strings.Join(c.Words, "|"); len(words) <= mostWords {
		return words
	}
	return "name"
}

// mostWords is how long the list of words may be that help shows for a value. A longer one follows
// the usage.
const mostWords = 24

// Set takes one of the words, and offers the nearest one for any other.
func (c *Choice) Set(s string) error {
	for _, w := range c.Words {
		if w == s {
			c.Value = s
			return nil
		}
	}
	return fmt.Errorf("want %s%s", strings.Join(c.Words, ", "), diag.DidYouMean(s, c.Words))
}

// AddChoice adds a flag to cmd that takes one of words, the first by default.
func AddChoice(cmd *cobra.Command, c *Choice, name, usage string, words ...string) {
	c.add(cmd, cmd.Flags(), name, usage, words)
}

// AddPersistentChoice adds the flag of [AddChoice] to the subcommands of cmd.
func AddPersistentChoice(cmd *cobra.Command, c *Choice, name, usage string, words ...string) {
	c.add(cmd, cmd.PersistentFlags(), name, usage, words)
}

func (c *Choice) add(cmd *cobra.Command, fl *pflag.FlagSet, name, usage string, words []string) {
	c.Value, c.Words = words[0], words
	if c.Type() == "name" {
		usage += ": " + strings.Join(words, ", ")
	}
	fl.Var(c, name, usage)
	if err := cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err)
	}
}

// AddFormatChoice adds a flag to cmd that takes the name of a format. By default it is empty, and
// the extension decides.
func AddFormatChoice(cmd *cobra.Command, c *Choice, name, usage string, formats []string) {
	c.addFormat(cmd, cmd.Flags(), name, usage, formats)
}

// AddPersistentFormatChoice adds the flag of [AddFormatChoice] to the subcommands of cmd.
func AddPersistentFormatChoice(cmd *cobra.Command, c *Choice, name, usage string, formats []string) {
	c.addFormat(cmd, cmd.PersistentFlags(), name, usage, formats)
}

func (c *Choice) addFormat(cmd *cobra.Command, fl *pflag.FlagSet, name, usage string, formats []string) {
	c.add(cmd, fl, name, usage+" (default by extension)", formats)
	c.Value = ""
	fl.Lookup(name).DefValue = ""
}

// AddBackend adds --backend.
func AddBackend(cmd *cobra.Command, c *Choice) {
	words := []string{"auto"}
	for _, b := range codegen.Backends {
		words = append(words, b.Name)
	}
	AddChoice(cmd, c, "backend", "how blocks of the program become Go; asm: as auto, and batches as assembly", append(words, codegen.Assembly)...)
}
