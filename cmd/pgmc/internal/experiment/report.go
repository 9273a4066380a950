package experiment

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
	"github.com/pgmc-go/pgmc/ir/folder"
)

// Report holds the results of an experiment.
type Report struct {
	Intro       string // the first lines of the text
	Tables      []Table
	Conclusions []Conclusion // nil for none
	Value       any          // the results as JSON
}

// Table is a table and the name of its file.
type Table struct {
	Name  string // of the file, without its extension
	Title string // above the table in the text, or ""
	*table.Table
	Rounded *table.Table // the table in the text; nil for the same one
	left    bool         // its cells are sentences, aligned on the left
}

// text returns the report as text.
func (r *Report) text() string {
	text := r.Intro
	for _, t := range r.tables() {
		shown := t.Table
		if t.Rounded != nil {
			shown = t.Rounded
		}
		if t.Title != "" {
			text += "\n" + t.Title + "\n"
		}
		if !t.left {
			shown.AlignRight()
		}
		text += shown.String()
	}
	return text
}

// tables returns the tables, with one of the conclusions if there are any.
func (r *Report) tables() []Table {
	if r.Conclusions == nil {
		return r.Tables
	}
	return append(slices.Clip(r.Tables), claims(r.Conclusions))
}

// save writes the files, all or none. w is nil for no files.
func (r *Report) save(ctx context.Context, name string, w *folder.Writer) error {
	if w == nil {
		return nil
	}
	var tables []folder.File
	for _, t := range r.tables() { // before text, which pads the cells
		tables = append(tables, folder.File{Name: t.Name + ".csv", Data: t.CSV()})
	}
	var asJSON bytes.Buffer
	enc := json.NewEncoder(&asJSON)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(r.Value); err != nil {
		return err
	}
	w.Files = append([]folder.File{{Name: name + ".txt", Data: []byte(r.text())}, {Name: name + ".json", Data: asJSON.Bytes()}}, tables...)
	if err := ctx.Err(); err != nil {
		return err
	}
	return cli.AdviseFolder(w.Write())
}

// print prints the text, or with --json the value.
func (r *Report) print(a *cli.App) error {
	return a.Print(r.Value, r.text)
}

// Conclusion is a statement of a paper and whether our measurements confirm it.
type Conclusion struct {
	Says  string `json:"says"`
	Holds string `json:"holds"` // confirmed, not confirmed, undecided, or not measured
	Found string `json:"found"` // the numbers
}

// Concluded returns a Conclusion that was measured.
func Concluded(says string, holds bool, found string) Conclusion {
	if holds {
		return Conclusion{says, "confirmed", found}
	}
	return Conclusion{says, "not confirmed", found}
}

// NotMeasured returns a Conclusion on something that did not run.
func NotMeasured(says string) Conclusion { return Conclusion{says, "not measured", ""} }

// The widths of the columns of the table of claims in the text.
const printWidth, hereWidth = 48, 64

// claims returns the table of a paper's claims, each beside our result.
func claims(list []Conclusion) Table {
	all, wrapped := &table.Table{}, &table.Table{}
	all.Add("in print", "here", "confirmed?")
	wrapped.Add(all.Rows[0]...)
	for _, c := range list {
		holds := strings.NewReplacer("not confirmed", "no", "confirmed", "yes").Replace(c.Holds)
		all.Add(c.Says, c.Found, holds)
		columns := [][]string{lines(c.Says, printWidth), lines(c.Found, hereWidth), {holds}}
		for i := range max(len(columns[0]), len(columns[1])) {
			cells := make([]string, len(columns))
			for k, lines := range columns {
				if i < len(lines) {
					cells[k] = lines[i]
				}
			}
			wrapped.Add(cells...)
		}
	}
	return Table{Name: "claims", Title: "claims of the paper", Table: all, Rounded: wrapped, left: true}
}

// lines returns the lines of a text in a column.
func lines(text string, width int) []string { return strings.Split(cli.Wrap(text, width), "\n") }

// OnMost concludes whether a claim about twelve sets holds on enough of them, scaled to the sets
// that were measured.
func OnMost(says string, twelfths int, yes, no []string) Conclusion {
	n := len(yes) + len(no)
	if n == 0 {
		return NotMeasured(says)
	}
	found := fmt.Sprintf("on %d of %d", len(yes), n)
	if len(yes) > 0 && len(no) > 0 {
		found += ": " + strings.Join(yes, ", ")
	}
	return Concluded(says, 12*len(yes) >= twelfths*n, found)
}

// Put adds a name to yes if holds is true, and otherwise to no.
func Put(yes, no *[]string, name string, holds bool) {
	if !holds {
		yes = no
	}
	*yes = append(*yes, name)
}

// Counted returns the lengths and the names of two lists as text.
func Counted(a string, as []string, b string, bs []string) string {
	return fmt.Sprintf("%d %s: %s; %d %s: %s", len(as), a, strings.Join(as, ", "), len(bs), b, strings.Join(bs, ", "))
}
