package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pgmc-go/pgmc/codegen"
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

// mostWords is how long the list of words may be that help shows for a value. A longer one follows the usage.
const mostWords = 24

func (c *Choice) Set(s string) error {
	for _, w := range c.Words {
		if w == s {
			c.Value = s
			return nil
		}
	}
	return fmt.Errorf("want %s", strings.Join(c.Words, ", "))
}

// AddChoice adds a flag that takes one of words, the first by default.
func AddChoice(cmd *cobra.Command, c *Choice, name, usage string, words ...string) {
	c.Value, c.Words = words[0], words
	if c.Type() == "name" {
		usage += ": " + strings.Join(words, ", ")
	}
	cmd.Flags().Var(c, name, usage)
	if err := cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err)
	}
}

// AddFormatChoice adds a flag that takes the name of a format; it is empty where the extension decides.
func AddFormatChoice(cmd *cobra.Command, c *Choice, name, usage string, formats []string) {
	AddChoice(cmd, c, name, usage+" (default by extension)", formats...)
	c.Value = ""
	cmd.Flags().Lookup(name).DefValue = ""
}

// AddBackend adds --backend.
func AddBackend(cmd *cobra.Command, c *Choice) {
	words := []string{"auto"}
	for _, b := range codegen.Backends {
		words = append(words, b.Name)
	}
	AddChoice(cmd, c, "backend", "how blocks of the program become Go; asm: as auto, and batches as assembly", append(words, codegen.Assembly)...)
}
