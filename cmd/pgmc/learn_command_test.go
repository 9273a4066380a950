package main

import (
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/learning"
	"github.com/pgmc-go/pgmc/learn"
)

// TestLearnExamples parses the example of each learner and checks that every example belongs to a
// learner.
func TestLearnExamples(t *testing.T) {
	names := learning.Names()
	for name := range learning.Examples {
		if !slices.Contains(names, name) {
			t.Errorf("there is an example of %q, which is no learner", name)
		}
	}
	for _, l := range learn.Learners {
		args := append([]string{"learn", l.Name}, shellWords(learning.Example(l.Name))...)
		a := &app{&cli.App{Args: args, Stdout: io.Discard, Stderr: io.Discard}}
		cmd, rest, err := a.root().Find(args)
		if err != nil {
			t.Errorf("%s: %v", l.Name, err)
			continue
		}
		for i, word := range rest {
			rest[i] = strings.Replace(word, "@order.txt", "smoke,lung", 1) // the file does not exist
		}
		if err := cmd.ParseFlags(rest); err != nil || cmd.Name() != l.Name || cmd.Flags().NArg() != 1 {
			t.Errorf("%s: the example %q gives %v, command %s and operands %v", l.Name, learning.Example(l.Name), err, cmd.Name(), cmd.Flags().Args())
		}
	}
}
