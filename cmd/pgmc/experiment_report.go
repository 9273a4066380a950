package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
	"github.com/pgmc-go/pgmc/ir/folder"
)

// experimentOutput is where the tables of an experiment go: standard output, and files of a folder where -o asks for them.
type experimentOutput struct {
	*app
	name   string
	folder *folder.Writer // nil for none
}

// csvTable is a table for a file.
type csvTable struct {
	name string // of the file, without its extension
	*table.Table
}

// experimentOutput checks early that the files can be written, since experiments take long.
func (a *app) experimentOutput(name string, f *experimentFlags) (*experimentOutput, error) {
	out := &experimentOutput{app: a, name: name}
	if f.out == "" {
		return out, nil
	}
	out.folder = &folder.Writer{Dir: f.out}
	return out, cli.AdviseFolder(out.folder.Check())
}

// write writes the files, all or none, and prints the text, or with --json the value.
func (o *experimentOutput) write(ctx context.Context, text string, value any, tables []csvTable) error {
	if err := o.save(ctx, text, value, tables); err != nil {
		return err
	}
	return o.print(text, value)
}

// save writes the files, all or none. It may be called again, so that what an experiment has found by then is there when it is stopped.
func (o *experimentOutput) save(ctx context.Context, text string, value any, tables []csvTable) error {
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
		o.folder.Files = append(o.folder.Files, folder.File{Name: t.name + ".csv", Data: t.CSV()})
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return cli.AdviseFolder(o.folder.Write())
}

// print prints the text, or with --json the value.
func (o *experimentOutput) print(text string, value any) error {
	if o.JSON {
		return o.PrintJSON(value)
	}
	_, err := io.WriteString(o.Stdout, text)
	return err
}

// conclusion is what a paper says and what came out here.
type conclusion struct {
	Says  string `json:"says"`
	Holds string `json:"holds"` // confirmed, not confirmed, undecided, or not measured
	Found string `json:"found"` // the numbers
}

// concluded is a conclusion that was looked at.
func concluded(says string, holds bool, found string) conclusion {
	if holds {
		return conclusion{says, "confirmed", found}
	}
	return conclusion{says, "not confirmed", found}
}

// conclusionText lists conclusions for people.
func conclusionText(list []conclusion) string {
	text := "conclusions of the paper\n"
	for _, c := range list {
		text += "  " + c.Holds + ": " + c.Says + "\n"
		if c.Found != "" {
			text += "    " + c.Found + "\n"
		}
	}
	return text
}
