package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pgmc-go/pgmc/codegen"
	"github.com/pgmc-go/pgmc/ir/diag"
)

// Choice is the value of a flag that takes one of several words.
type Choice struct {
	Value string
	Words []string
}

// String returns the word that was chosen.
func (c *Choice) String() string { return c.Value }

// Type returns the name of the value in help.
func (c *Choice) Type() string {
	if words := strings.Join(c.Words, "|"); len(words) <= mostWords {
		return words
	}
	return "name"
}

// mostWords is the length up to which help shows the list of words as the name of the value. A
// longer list follows the usage.
const mostWords = 24

// Set sets the value to one of the words. The error for any other word has the nearest one.
func (c *Choice) Set(s string) error {
	for _, w := range c.Words {
		if w == s {
			c.Value = s
			return nil
		}
	}
	return fmt.Errorf("want %s%s", strings.Join(c.Words, ", "), diag.DidYouMean(s, c.Words))
}

// AddChoice adds a flag to cmd that takes one of words. The first is the default.
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

// AddFormatChoice adds a flag to cmd that takes the name of a format. The default is empty, so that
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
	AddChoice(cmd, c, "backend", "the back-end that writes blocks of the program as Go; asm is auto with batches in assembly", append(words, codegen.Assembly)...)
}
