package main

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/learn"
)

// TestWrapText checks that paragraphs are wrapped to the width and keep their words, and that lines
// that begin with a blank stay as they are.
func TestWrapText(t *testing.T) {
	long := strings.Repeat("word ", 60)
	kept := "  " + long + "\n  and another"
	text := cli.WrapText("short\nlines\n\n" + kept + "\n\n" + long)
	parts := strings.Split(text, "\n\n")
	if len(parts) != 3 || parts[0] != "short lines" || parts[1] != kept {
		t.Fatalf("got %q", text)
	}
	if strings.Join(strings.Fields(parts[2]), " ") != strings.TrimSpace(long) {
		t.Errorf("words are lost: %q", parts[2])
	}
	for _, line := range strings.Split(parts[2], "\n") {
		if len(line) > cli.HelpWidth || len(line) < cli.HelpWidth/2 && !strings.HasSuffix(parts[2], line) {
			t.Errorf("a line of %d bytes; want %d at most, and all but the last nearly full", len(line), cli.HelpWidth)
		}
	}
}

// TestHelpFits checks that the help of each command keeps to the width, but for examples and the
// list of learners, and those of pgmc query and learn to the lines of a screen and a half. Each
// command is there once.
func TestHelpFits(t *testing.T) {
	root, names := (&app{&cli.App{}}).root(), map[string]bool{}
	for _, c := range root.Commands() {
		if names[c.Name()] {
			t.Errorf("pgmc %s is there twice", c.Name())
		}
		names[c.Name()] = true
		_, text, _ := pgmc("", c.Name(), "--help")
		for _, line := range strings.Split(text, "\n") {
			if n := utf8.RuneCountInString(line); n > cli.HelpWidth && !strings.HasPrefix(line, "  pgmc") && c.Name() != "learn" {
				t.Errorf("pgmc %s --help has a line of %d columns; want %d at most: %s", c.Name(), n, cli.HelpWidth, line)
			}
		}
		most := map[string]int{"query": 70, "learn": 50 + len(learn.Learners)}[c.Name()]
		if n := strings.Count(text, "\n"); most > 0 && n > most {
			t.Errorf("pgmc %s --help has %d lines; want %d at most", c.Name(), n, most)
		}
	}
}
