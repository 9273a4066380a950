package sequence

import (
	"math"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Cell returns the text of the state or the value of a variable, or "" if it was not observed.
func Cell(m *model.Model, f *infer.Findings, v model.VarID) string {
	switch {
	case m.IsReal(v) && !math.IsNaN(f.Value[v]):
		return strconv.FormatFloat(f.Value[v], 'g', -1, 64)
	case !m.IsReal(v) && f.State[v] != infer.Missing:
		return m.States(v)[f.State[v]]
	}
	return ""
}

// Reproduce returns a shell command that prints the right answers about a sequence of the model at
// path. The words are further flags.
func Reproduce(path string, m *model.Model, sequence []*infer.Findings, flags []string) string {
	var header, list []string
	for _, v := range m.Vars {
		if !v.Latent {
			header = append(header, csvCell(v.Name))
		}
	}
	list = append(list, strings.Join(header, ","))
	for _, f := range sequence {
		var cells []string
		for _, v := range m.Vars {
			if !v.Latent {
				cells = append(cells, csvCell(Cell(m, f, v.ID)))
			}
		}
		list = append(list, strings.Join(cells, ","))
	}
	words := append([]string{"pgmc", "query", path, "--sequence", "-"}, flags...)
	return cli.ShellQuoteAll(append([]string{"printf", `%s\n`}, list...)) + " | " + cli.ShellQuoteAll(words)
}

// csvCell returns a text as a cell of a CSV file. An empty one is quoted, since a line must not be
// empty.
func csvCell(text string) string {
	if text != "" && !strings.ContainsAny(text, ",\"\r\n ") {
		return text
	}
	return `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
}
