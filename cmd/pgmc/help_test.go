package main

import (
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
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
