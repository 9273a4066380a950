package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// HelpWidth is how wide help is.
const HelpWidth = 110

// wrapHelp wraps the help of root and of all commands below it at HelpWidth columns.
func wrapHelp(root *cobra.Command) {
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

// WrapText breaks the lines of paragraphs anew, but for those that begin with a blank.
func WrapText(text string) string {
	paragraphs := strings.Split(text, "\n\n")
	for i, p := range paragraphs {
		if strings.HasPrefix(p, " ") {
			continue
		}
		var b strings.Builder
		width := 0
		for _, word := range strings.Fields(p) {
			switch {
			case width == 0:
			case width+1+len(word) > HelpWidth:
				b.WriteByte('\n')
				width = 0
			default:
				b.WriteByte(' ')
				width++
			}
			b.WriteString(word)
			width += len(word)
		}
		paragraphs[i] = b.String()
	}
	return strings.Join(paragraphs, "\n\n")
}
