package cli

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
)

// HelpWidth is the width of help in columns.
const HelpWidth = 110

// WrapHelp wraps the help of root and of all commands below it at HelpWidth columns.
func WrapHelp(root *cobra.Command) {
	wrapped := fmt.Sprintf(".FlagUsagesWrapped %d", HelpWidth)
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), ".FlagUsages", wrapped))
	wrapLong(root)
}

func wrapLong(c *cobra.Command) {
	for _, sub := range c.Commands() {
		sub.Long = WrapText(sub.Long)
		wrapLong(sub)
	}
}

// WrapText wraps paragraphs at HelpWidth columns, except those that begin with a blank.
func WrapText(text string) string {
	paragraphs := strings.Split(text, "\n\n")
	for i, p := range paragraphs {
		if strings.HasPrefix(p, " ") {
			continue
		}
		paragraphs[i] = Wrap(p, HelpWidth)
	}
	return strings.Join(paragraphs, "\n\n")
}

// Wrap returns text as lines of at most width columns, if no word is longer.
func Wrap(text string, width int) string {
	var b strings.Builder
	used := 0
	for _, word := range strings.Fields(text) {
		switch {
		case used == 0:
		case used+1+utf8.RuneCountInString(word) > width:
			b.WriteByte('\n')
			used = 0
		default:
			b.WriteByte(' ')
			used++
		}
		b.WriteString(word)
		used += utf8.RuneCountInString(word)
	}
	return b.String()
}
