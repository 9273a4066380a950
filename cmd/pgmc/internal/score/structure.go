package score

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
	"github.com/pgmc-go/pgmc/learn/rate"
	"github.com/pgmc-go/pgmc/learn/score"
)

// structureReport is the score of a structure.
type structureReport struct {
	Rows     int            `json:"rows"`
	Score    string         `json:"score"`
	Total    float64        `json:"total"`
	Params   int            `json:"parameters"`
	Families []familyReport `json:"families"`
}

type familyReport struct {
	Variable string  `json:"variable"`
	Score    float64 `json:"score"`
}

// scoreStructure prints the score of the structure of a Bayesian network on all rows of a file.
func scoreStructure(ctx context.Context, a *cli.App, path, dataPath string, m *model.Model, f *Options) error {
	if m.Kind != model.Bayes || m.Transition != nil {
		return cli.Usagef("%s: --structure is for Bayesian networks without a transition", path)
	}
	vars := data.VarsOf(m)
	opt := rowfile.LoadOptions{Vars: vars, MaxMem: int64(a.MaxMem), Unseen: f.policyOfUnseen()}
	defer a.Progress("scoring "+filepath.Base(dataPath), nil).Stop()
	rows, err := a.LoadData(ctx, dataPath, &f.Data, cli.Test, opt)
	switch {
	case err != nil:
		return err
	case rows.Len() == 0:
		return cli.NoRows(dataPath)
	}
	if err := rate.SameVariables(m, rows.Vars); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if n := incomplete(rows); n > 0 {
		var list diag.List
		list.Warnf(diag.Pos{File: dataPath}, "%d of %d rows miss a value; families that it belongs to leave them out, so that scores of two structures may be of different rows", n, rows.Len())
		a.Warn(list.Warnings())
	}
	s, err := score.New(f.Structure, data.NewCounter(rows, int64(a.MaxMem)), score.Options{Size: f.ESS, Cores: a.CPU})
	if err != nil {
		return cli.Usagef("--structure: %v", err)
	}
	r := &structureReport{Rows: rows.Len(), Score: f.Structure}
	for x, parents := range data.Parents(m, rows.Vars) {
		if !s.Fits(x, parents...) {
			return fmt.Errorf("%s: score %s does not fit the family of %q", path, f.Structure, rows.Vars[x].Name)
		}
		family := s.Family(x, parents...)
		r.Total += family
		r.Params += s.Parameters(x, parents...)
		r.Families = append(r.Families, familyReport{rows.Vars[x].Name, family})
	}
	t := &table.Table{}
	t.Add("rows", fmt.Sprint(r.Rows))
	t.Add("parameters", fmt.Sprint(r.Params))
	t.Add(r.Score, fmt.Sprintf("%.4f", r.Total))
	return a.Print(r, t.String)
}

// incomplete returns the number of rows that miss a value.
func incomplete(rows *data.Set) (n int) {
	missing := make([]bool, rows.Len())
	for v := range rows.Vars {
		column := rows.Column(v)
		for row := range missing {
			missing[row] = missing[row] || column.At(row) == data.Missing
		}
	}
	for _, is := range missing {
		if is {
			n++
		}
	}
	return n
}
