package score

import (
	"context"
	"math"
	"path/filepath"
	"strconv"
	"sync/atomic"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/sequence"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/slicing"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/rate"
)

// sequencesReport holds the log-likelihoods of sequences, in nats. They are "-inf" if a sequence is
// impossible, and the error is "inf".
type sequencesReport struct {
	Sequences []sequenceReport `json:"sequences"`
	Rows      int              `json:"rows"`
	Total     any              `json:"ll_total"`
	Row       any              `json:"ll"`              // Total divided by the rows
	Sequence  any              `json:"ll_per_sequence"` // mean log-likelihood of a sequence
	StdErr    any              `json:"ll_per_sequence_stderr"`
}

type sequenceReport struct {
	Sequence string `json:"sequence,omitempty"`
	Rows     int    `json:"rows"`
	LL       any    `json:"ll"`
}

// scoreSequences scores a model with a transition by the sequences of a file.
func scoreSequences(ctx context.Context, a *cli.App, path, dataPath string, m *model.Model, opt compiler.Options, f *Options) error {
	opt.Method, opt.Queries = f.MethodFlags.Options(&opt), []string{"filter"}
	rows, err := f.Slices.Open(ctx, a, &slicing.Source{Path: dataPath, Flags: &f.Data, Part: cli.Test, Model: m})
	if err != nil {
		return err
	}
	defer rows.Close()
	var done atomic.Int64
	defer a.Progress("scoring "+filepath.Base(dataPath), done.Load).Stop()
	r, err := a.Compile(ctx, path, m, opt, nil)
	if err != nil {
		return err
	}
	list, err := sequence.Likelihoods(ctx, infer.Of(r, a.Seed), rows, &f.Slices, f.policyOfUnseen(), func() { done.Add(1) })
	if err != nil {
		return err
	}
	report := newSequencesReport(a, list)
	return a.Print(report, report.text)
}

// newSequencesReport returns the report of sequences. It warns of impossible ones.
func newSequencesReport(a *cli.App, list []sequence.Likelihood) *sequencesReport {
	r := &sequencesReport{}
	var all rate.Tally
	total := 0.0
	for _, l := range list {
		all.Add(l.First, l.LogP, 1)
		total += l.LogP
		r.Rows += l.Rows
		r.Sequences = append(r.Sequences, sequenceReport{l.Sequence, l.Rows, finite(l.LogP)})
	}
	r.Total, r.Row = finite(total), finite(total/float64(max(r.Rows, 1)))
	r.Sequence, r.StdErr = MeanOrText(&all)
	if all.Impossible > 0 {
		var faults diag.List
		faults.Warnf(all.First, "this row has probability 0 given the rows before it; it is in the first of %d impossible sequences", all.Impossible)
		a.Warn(faults.Warnings())
	}
	return r
}

// text returns the summary, and a table of the sequences if there are several.
func (r *sequencesReport) text() string {
	t := &table.Table{}
	t.Add("rows", strconv.Itoa(r.Rows))
	t.Add("sequences", strconv.Itoa(len(r.Sequences)))
	t.Add("log-likelihood", Digits(r.Total)+" nats")
	t.Add("", Digits(r.Row)+" nats a row")
	if len(r.Sequences) < 2 {
		return t.String()
	}
	t.Add("", Digits(r.Sequence)+" nats a sequence")
	t.Add("standard error", Digits(r.StdErr))
	each := &table.Table{}
	each.Add("sequence", "rows", "log-likelihood")
	for _, l := range r.Sequences {
		each.Add(l.Sequence, strconv.Itoa(l.Rows), Digits(l.LL))
	}
	return t.String() + "\n" + each.String()
}

// finite returns x, or the text "-inf" for minus infinity, which JSON does not have.
func finite(x float64) any {
	if math.IsInf(x, -1) {
		return "-inf"
	}
	return x
}
