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

// Output receives the tables of an experiment: it prints them and, with -o, writes them to files in
// a folder.
type Output struct {
	*cli.App
	name   string
	folder *folder.Writer // nil for none
}

// Table is a table and the name of its file.
type Table struct {
	Name string // of the file, without its extension
	*table.Table
}

// NewOutput returns the output of an experiment. It checks at once that the files can be written,
// since experiments take long.
func NewOutput(a *cli.App, name string, f *Options) (*Output, error) {
	out := &Output{App: a, name: name}
	if f.Out == "" {
		return out, nil
	}
	out.folder = &folder.Writer{Dir: f.Out}
	return out, cli.AdviseFolder(out.folder.Check())
}

// Write writes the files, all or none, and prints the text, or with --json the value.
func (o *Output) Write(ctx context.Context, text string, value any, tables []Table) error {
	if err := o.Save(ctx, text, value, tables); err != nil {
		return err
	}
	return o.Print(text, value)
}

// Save writes the files, all or none. An experiment can call it repeatedly to keep its results so
// far in case it is stopped.
func (o *Output) Save(ctx context.Context, text string, value any, tables []Table) error {
	if o.folder == nil {
		return nil
	}
	var asJSON bytes.Buffer
	enc := json.NewEncoder(&asJSON)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(value); err != nil {
		return err
	}
	o.folder.Files = []folder.File{{Name: o.name + ".txt", Data: []byte(text)}, {Name: o.name + ".json", Data: asJSON.Bytes()}}
	for _, t := range tables {
		o.folder.Files = append(o.folder.Files, folder.File{Name: t.Name + ".csv", Data: t.CSV()})
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return cli.AdviseFolder(o.folder.Write())
}

// Print prints the text, or with --json the value.
func (o *Output) Print(text string, value any) error {
	if o.JSON {
		return o.PrintJSON(value)
	}
	_, err := io.WriteString(o.Stdout, text)
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
