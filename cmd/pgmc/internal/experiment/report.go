package experiment

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
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
}

// text returns the report as text.
func (r *Report) text() string {
	text := r.Intro
	for _, t := range r.Tables {
		shown := t.Table
		if t.Rounded != nil {
			shown = t.Rounded
		}
		if t.Title != "" {
			text += "\n" + t.Title + "\n"
		}
		shown.AlignRight()
		text += shown.String()
	}
	if r.Conclusions != nil {
		text += "\n" + ConclusionText(r.Conclusions)
	}
	return text
}

// save writes the files, all or none. w is nil for no files.
func (r *Report) save(ctx context.Context, name string, w *folder.Writer) error {
	if w == nil {
		return nil
	}
	var tables []folder.File
	for _, t := range r.Tables { // before text, which pads the cells
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
	if a.JSON {
		return a.PrintJSON(r.Value)
	}
	_, err := io.WriteString(a.Stdout, r.text())
	return err
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

// ConclusionText returns conclusions as text.
func ConclusionText(list []Conclusion) string {
	text := "conclusions of the paper\n"
	for _, c := range list {
		text += "  " + c.Holds + ": " + c.Says + "\n"
		if c.Found != "" {
			text += "    " + c.Found + "\n"
		}
	}
	return text
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
