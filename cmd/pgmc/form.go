package main

import (
	"bytes"
	"context"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/chart"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/picture"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/reply"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir/model"
)

// form is the form of an answer other than text and JSON.
type form struct{ svg, html, vega, csv bool }

// addTo adds the flags of forms that all commands have which write them.
func (f *form) addTo(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.html, "html", false, "write the result as a fragment of HTML")
	cmd.Flags().BoolVar(&f.vega, "vega", false, "write the result as a chart in Vega-Lite")
}

func (f *form) any() bool { return f.svg || f.html || f.vega || f.csv }

// byName chooses a form by the extension of the output, unless a flag has chosen.
func (f *form) byName(output string) {
	if f.any() {
		return
	}
	switch ending := chart.Ending(output); {
	case chart.IsPicture(output):
		f.svg = true
	case ending == ".html" || ending == ".htm":
		f.html = true
	case ending == ".csv":
		f.csv = true
	}
}

// check refuses two forms at once, and an output named like a picture or page that is not among
// can.
func (f *form) check(json bool, output string, can ...string) error {
	if err := cli.CheckEnding(output, "text, --json or --vega", can...); err != nil {
		return err
	}
	n := 0
	for _, given := range []bool{json, f.svg, f.html, f.vega, f.csv} {
		if given {
			n++
		}
	}
	if n > 1 {
		return cli.Usagef("found several of --json, --svg, --html, --vega and the name of a CSV file; want one of them")
	}
	return nil
}

// writeReply writes the reply to a question in the form that flags ask for.
func (a *app) writeReply(x *reply.Reply, f *queryFlags) error {
	var text []byte
	var err error
	switch {
	case a.JSON:
		text = x.JSON()
	case f.form.html:
		text = x.HTML()
	case f.form.vega:
		text, err = x.Vega()
	case f.form.csv:
		text, err = x.CSV()
	default:
		var b bytes.Buffer
		err = x.Print(&b)
		text = b.Bytes()
	}
	if err != nil {
		return err
	}
	return picture.WriteFile(a.App, f.output, text)
}

// drawAnswer draws m with the marginals that q wants.
func (a *app) drawAnswer(ctx context.Context, m *model.Model, q *query, opt compiler.Options, output string) error {
	defer a.Progress("answering "+filepath.Base(q.path), nil).Stop()
	opt.Observed = nil // the same program answers without evidence
	b, err := picture.Ask(ctx, a.App, q.path, m, opt, q.known)
	if err != nil {
		return err
	}
	only := make([]bool, len(m.Vars))
	for i, v := range q.vars {
		if x, ok := m.VarByName(v.Name); ok {
			only[x.ID] = q.want.Marginals == nil || q.want.Marginals[i]
		}
	}
	text, err := b.SVG(ctx, only)
	if err != nil {
		return a.CompileError(q.path, err)
	}
	return picture.WriteFile(a.App, output, text)
}
