package learning

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/learner"
	"github.com/pgmc-go/pgmc/learn/rate"
)

// report is the report of a learner, with comparisons.
type report struct {
	learner.Report
	Truth *rate.Distance `json:"truth,omitempty"` // nil without --truth
	Folds *foldsReport   `json:"cross_validation,omitempty"`
	Test  *testReport    `json:"test,omitempty"`       // nil without --split
	Peak  int64          `json:"peak_bytes,omitempty"` // of memory that pgmc itself has taken so far; 0 if not known

	shares    []learner.Posterior // of edges; nil without --bootstrap
	structure bool                // the summary lists the parents of each variable
}

// relearn learns from parts and samples of the rows, as --folds and --bootstrap ask for.
func (r *report) relearn(ctx context.Context, a *cli.App, f *Options, job *learner.Job) (err error) {
	if f.Folds != 0 {
		if r.Folds, err = crossValidate(ctx, a, f, job); err != nil {
			return err
		}
	}
	if f.Bootstrap != 0 {
		r.shares, err = bootstrap(ctx, a, f, job)
	}
	return err
}

// add adds the report of the learner on all rows. The shares of edges among samples of the rows
// take the place of their probabilities.
func (r *report) add(all *learner.Report, samples int) {
	r.Report = *all
	if r.shares != nil {
		r.Posteriors = r.shares
		r.Remarks = append(r.Remarks, shareRemark(r.shares, samples))
	}
}

// LessMemory is what makes a learner need less memory, for messages.
const LessMemory = "fewer rows or variables, or fewer --cpu"

// compare adds the distance between the structure of m and the true one.
func (r *report) compare(truth, m *model.Model, vars []data.Var) {
	d, ok := rate.Compare(truth, m, vars)
	if !ok {
		r.Remarks = append(r.Remarks, "the learned model is no Bayesian network, and is not compared with the truth")
		return
	}
	r.Truth = &d
}

// show prints the report on the learned model m, as a summary, as JSON, or in another form. The
// summary names the model by path.
func show(a *cli.App, path string, form Form, m *model.Model, r *report) error {
	text := []byte(nil)
	var err error
	switch {
	case a.JSON:
		r.Peak = cli.PeakMemory()
		enc := json.NewEncoder(a.Stdout)
		enc.SetIndent("", "  ")
		return enc.Encode(r)
	case form.HTML:
		text = r.html(path, m)
	case form.Vega:
		text, err = r.vega()
	default:
		text = []byte(r.text(path, m))
	}
	if err == nil {
		_, err = a.Stdout.Write(text)
	}
	return err
}

// text returns a summary of the report on m, which path names.
func (r *report) text(path string, m *model.Model) string {
	edges := 0
	for _, f := range r.Families {
		edges += len(f.Parents)
	}
	if len(m.Factors) == 1 {
		if c := m.Factors[0].Circuit(); c != nil {
			edges = c.Edges()
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d variables, %d edges, %d parameters, %s %.4f\n", path, len(m.Vars), edges, r.Params,
		r.Score, r.Total)
	if r.structure {
		for _, f := range r.Families {
			line, mark := "  "+cli.QuoteName(f.Variable), " <- "
			for _, p := range f.Parents {
				line, mark = line+mark+cli.QuoteName(p), ", "
			}
			fmt.Fprintln(&b, line)
		}
	}
	for _, x := range r.Remarks {
		fmt.Fprintln(&b, x)
	}
	if d := r.Truth; d != nil {
		fmt.Fprintf(&b, "against the truth: structural Hamming distance %d (%d edges missing, %d extra, %d with another direction), "+
			"skeleton precision %.4f, recall %.4f, arrow precision %.4f, recall %.4f, F1 %.4f\n",
			d.SHD, d.Missing, d.Extra, d.Directions, d.Precision, d.Recall, d.ArrowPrecision, d.ArrowRecall, d.F1)
	}
	if r.Folds != nil {
		fmt.Fprintln(&b, r.Folds)
	}
	if r.Test != nil {
		fmt.Fprintln(&b, r.Test)
	}
	if r.Stopped {
		fmt.Fprintln(&b, "the search was stopped before its end; this is its best result")
	}
	return b.String()
}
