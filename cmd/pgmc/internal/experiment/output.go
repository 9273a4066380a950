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

// NewOutput is where the tables of an experiment go: standard output, and files of a folder where
// -o asks for them.
type Output struct {
	*cli.App
	name   string
	folder *folder.Writer // nil for none
}

// Table is a table for a file.
type Table struct {
	Name string // of the file, without its extension
	*table.Table
}

// NewOutput checks early that the files can be written, since experiments take long.
func NewOutput(a *cli.App, name string, f *Options) (*Output, error) {
	out := &Output{App: a, name: name}
	if f.Out == "" {
		return out, nil
	}
	out.folder = &folder.Writer{Dir: f.Out}
	return out, cli.AdviseFolder(out.folder.Check())
}

// write writes the files, all or none, and prints the text, or with --json the value.
func (o *Output) Write(ctx context.Context, text string, value any, tables []Table) error {
	if err := o.Save(ctx, text, value, tables); err != nil {
		return err
	}
	return o.Print(text, value)
}

// save writes the files, all or none. It may be called again, so that what an experiment has found
// by then is there when it is stopped.
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

// print prints the text, or with --json the value.
func (o *Output) Print(text string, value any) error {
	if o.JSON {
		return o.PrintJSON(value)
	}
	_, err := io.WriteString(o.Stdout, text)
	return err
}

// Conclusion is what a paper says and what came out here.
type Conclusion struct {
	Says  string `json:"says"`
	Holds string `json:"holds"` // confirmed, not confirmed, undecided, or not measured
	Found string `json:"found"` // the numbers
}

// Concluded is a Conclusion that was looked at.
func Concluded(says string, holds bool, found string) Conclusion {
	if holds {
		return Conclusion{says, "confirmed", found}
	}
	return Conclusion{says, "not confirmed", found}
}

// ConclusionText lists conclusions for people.
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

// put adds a name to one of two lists.
func Put(yes, no *[]string, name string, holds bool) {
	if !holds {
		yes = no
	}
	*yes = append(*yes, name)
}

// Counted counts the names of two lists and gives them.
func Counted(a string, as []string, b string, bs []string) string {
	return fmt.Sprintf("%d %s: %s; %d %s: %s", len(as), a, strings.Join(as, ", "), len(bs), b, strings.Join(bs, ", "))
}
