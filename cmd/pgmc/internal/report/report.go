package report

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"html/template"
	"path/filepath"
	"strings"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/classes"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/picture"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/slicing"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/structure"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/view"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
)

// Options are the flags of pgmc report.
type Options struct {
	cli.ModelFlags
	Evidence []string // as diag.SplitNames reads it
	Targets  []string // the variables to predict; nil: that of the last column of the data
	Classes  classes.Flags
	Unseen   cli.Choice
	Data     cli.DataFlags
	Slices   slicing.Flags // of a model with a transition
	Output   string
}

// Page holds the contents of the page. Pictures and charts are SVG.
type Page struct {
	Model, Data string // the names of the files
	Summary     string
	Picture     template.HTML
	Evidence    string
	Fit         *Fit
	Predictions []Prediction
	Curve       *Curve
	Sensitivity []Sensitivity
	Cost        string
	CPDs        []CPD
	Omitted     int      // the CPDs that are left out
	Notes       []string // why sections are missing
}

// CPD is the listing of a factor.
type CPD struct {
	Name, Kind string
	*model.Listing
}

//go:embed page.html
var pageText string

var pageTemplate = template.Must(template.New("page").Parse(pageText))

// The largest picture, in nodes, and the most rows and CPDs of a page.
const (
	mostNodes = 600
	mostRows  = 60
	mostCPDs  = 400
)

// Run writes the page about the model at path and, unless its name is empty, a data file.
func Run(ctx context.Context, a *cli.App, path, dataPath string, f *Options) error {
	flags, err := cli.ParseEvidence(f.Evidence, nil, nil)
	if err != nil {
		return err
	}
	m, err := a.Load(ctx, path, f.Format.Value)
	if err != nil {
		return err
	}
	if !m.Named() {
		m.Name = cli.ModelName(path)
	}
	if dataPath == "" && f.Targets == nil {
		f.Targets = []string{}
	}
	defer a.Progress("reporting on "+filepath.Base(path), nil).Stop()
	known, err := flags.Findings(m)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	w := &writer{App: a, path: path, m: m, f: f, page: &Page{Model: m.Name}}
	w.page.Summary = fmt.Sprintf("%s of %d variables and %d factors, read from %s", m.Kind, len(m.Vars), len(m.Factors), filepath.Base(path))
	if len(known.Known()) > 0 {
		w.page.Evidence = known.Text(m)
	}
	var rows *data.Set
	if dataPath != "" {
		opt := rowfile.LoadOptions{Vars: data.VarsOf(m), MaxMem: int64(a.MaxMem)}
		if f.Unseen.Value == "missing" {
			opt.Unseen = rowfile.UnseenMissing
		}
		if err := f.Slices.Check(path, m, &f.Data); err != nil {
			return err
		}
		if m.Transition != nil {
			rows, err = f.loadSequences(ctx, a, dataPath, m, opt)
		} else {
			rows, err = a.LoadData(ctx, dataPath, &f.Data, cli.Test, opt)
		}
		if err != nil {
			return err
		}
		if rows.Len() == 0 {
			return cli.NoRows(dataPath)
		}
		w.page.Data = filepath.Base(dataPath)
	}
	if err := w.sections(ctx, known, rows); err != nil {
		return err
	}
	var text bytes.Buffer
	if err := pageTemplate.Execute(&text, w.page); err != nil {
		return err
	}
	return picture.WriteFile(a, f.Output, text.Bytes())
}

// loadSequences reads rows that are slices of sequences of m.
func (f *Options) loadSequences(ctx context.Context, a *cli.App, path string, m *model.Model, opt rowfile.LoadOptions) (*data.Set, error) {
	f.Data.Ordered = true
	r, err := f.Slices.Open(ctx, a, &slicing.Source{Path: path, Flags: &f.Data, Part: cli.Test, Model: m})
	if err != nil {
		return nil, err
	}
	defer r.Close()
	a.WarnColumns(r, opt.Vars, f.Slices.Columns())
	opt.Slices, opt.Sequence = true, f.Slices.Column
	return cli.Await(ctx, func() (*data.Set, error) { return r.Load(opt) })
}

// writer collects a page.
type writer struct {
	*cli.App
	path string
	m    *model.Model
	f    *Options
	page *Page
}

// note says why a section is missing.
func (w *writer) note(section string, err error) {
	w.page.Notes = append(w.page.Notes, section+": "+cli.Text(err))
}

// sections fills the page. A section that cannot be computed leaves a note; rows is nil without
// data. The error is ctx's, or the flags'.
func (w *writer) sections(ctx context.Context, known *infer.Findings, rows *data.Set) error {
	b, err := w.picture(ctx, known)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		w.note("Posteriors", err)
	}
	targets, err := w.targets(rows)
	if err == nil {
		err = w.f.Classes.Check(w.m, targets)
	}
	if err != nil {
		return err
	}
	w.cost(ctx)
	switch {
	case rows == nil:
	case rows.Sequential():
		w.Phase("fit", 0, 0)
		w.fitSequences(ctx, rows)
	default:
		w.Phase("fit", 0, 0)
		w.fit(ctx, rows)
		w.Phase("learning curve", 0, 0)
		w.learningCurve(ctx, rows)
	}
	for _, t := range targets {
		if b == nil {
			break
		}
		if rows != nil {
			w.Phase("predicting "+w.m.Vars[t].Name, 0, 0)
			w.predictions(ctx, b, t, rows)
		}
		w.Phase("sensitivity of "+w.m.Vars[t].Name, 0, 0)
		w.sensitivity(ctx, b, t)
	}
	w.cpds()
	return ctx.Err()
}

// leastScale is the smallest scale of a picture at which its texts can be read.
const leastScale = .7

// fitting returns a picture that is as wide as the page, if it is wider and can still be read then.
// Otherwise the page scrolls it.
func fitting(svg string) string {
	var width float64
	if _, err := fmt.Sscanf(svg, `<svg xmlns="http://www.w3.org/2000/svg" width="%g"`, &width); err != nil {
		return svg
	}
	style := fmt.Sprintf(` style="max-width: 100%%; height: auto; min-width: %.0fpx" width=`, float64(leastScale*width))
	return strings.Replace(svg, " width=", style, 1)
}

// picture draws the model with its posteriors, or without them if there are none.
func (w *writer) picture(ctx context.Context, known *infer.Findings) (*picture.Beliefs, error) {
	drawn := w.m
	if w.m.Transition != nil {
		drawn = w.m.Unroll(2)
	}
	g := structure.Graph(drawn, model.NewGraph(drawn))
	if drawn != w.m {
		structure.Frame(g, w.m)
	}
	if len(g.Nodes) > mostNodes {
		w.note("Picture", fmt.Errorf("the graph has %d nodes; the page draws at most %d", len(g.Nodes), mostNodes))
	}
	opt, err := w.Options(w.m, &w.f.ModelFlags)
	var b *picture.Beliefs
	if err == nil {
		b, err = picture.Ask(ctx, w.App, w.path, w.m, opt, known)
	}
	if err == nil {
		b.Fill(g)
	}
	if len(g.Nodes) <= mostNodes {
		if text, drawErr := picture.SVG(ctx, g); drawErr == nil {
			w.page.Picture = template.HTML(fitting(string(text))) // package draw escapes the names
		} else {
			w.note("Picture", drawErr)
		}
	}
	return b, err
}

// cost measures the model as pgmc stats does.
func (w *writer) cost(ctx context.Context) {
	var text bytes.Buffer
	quiet := *w.App
	quiet.Stdout, quiet.JSON, quiet.Quiet = &text, false, true
	if err := view.Stats(ctx, &quiet, w.path, &view.StatsOptions{ModelFlags: w.f.ModelFlags}); err != nil {
		w.note("Cost", err)
		return
	}
	for line := range strings.Lines(text.String()) {
		if !strings.HasPrefix(line, "peak ") { // memory that differs from run to run
			w.page.Cost += line
		}
	}
}

// cpds lists the numbers of the factors.
func (w *writer) cpds() {
	for _, f := range w.m.Factors {
		l := w.m.List(f, mostRows)
		if l == nil || len(w.page.CPDs) == mostCPDs {
			w.page.Omitted++
			continue
		}
		w.page.CPDs = append(w.page.CPDs, CPD{w.m.FactorName(f), f.Dist.Kind(), l})
	}
}

// targets returns the variables to predict.
func (w *writer) targets(rows *data.Set) ([]model.VarID, error) {
	names, err := cli.NamesOf("--targets", w.f.Targets...)
	if err != nil {
		return nil, err
	}
	var list []model.VarID
	for _, name := range names {
		v, ok := w.m.VarByName(name)
		if !ok || v.Latent {
			return nil, fmt.Errorf("%s: %w", w.path, cli.UnknownVariable("--targets", name, w.m))
		}
		list = append(list, v.ID)
	}
	if w.f.Targets == nil && rows != nil && len(rows.Vars) > 0 {
		if v, ok := w.m.VarByName(rows.Vars[len(rows.Vars)-1].Name); ok {
			list = append(list, v.ID)
		}
	}
	return list, nil
}
