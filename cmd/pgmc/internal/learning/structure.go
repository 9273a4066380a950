package learning

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/skeleton"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/slicing"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
	"github.com/pgmc-go/pgmc/learn/learner"
)

// build reads the rows, and makes the network of --structure with the states that they have.
func (f *FitOptions) build(ctx context.Context, a *cli.App, dataPath string, job *learner.Job) error {
	s, err := skeleton.Parse(f.Structure)
	if err != nil {
		return cli.Usagef("--structure: %w", err)
	}
	if v := s.Stated(); v != "" {
		return cli.Usagef("--structure has states of %q, and fit takes those of the data; pgmc new makes a model of these states, which fit takes in place of --structure", v)
	}
	opt := rowfile.LoadOptions{MaxMem: int64(a.MaxMem)}
	if err := readBins(f.Bins, false, &opt); err != nil {
		return err
	}
	if err := realColumns(f.Real, &opt); err != nil {
		return err
	}
	columns := f.Data
	if columns.Columns == nil {
		for _, name := range s.Names {
			columns.Columns = append(columns.Columns, strconv.Quote(name))
		}
	}
	if job.Train, err = loadRows(ctx, a, &slicing.Source{Path: dataPath, Flags: &columns}, &f.Slices, opt, caution{gaps: f.gaps(), asIs: f.AsIs, real: true}); err != nil {
		return err
	}
	states, real := map[string][]string{}, []string(nil)
	for _, v := range job.Train.Vars {
		if states[v.Name] = v.States; v.Real {
			real = append(real, v.Name)
		}
	}
	for _, name := range s.Names {
		if len(states[name]) == 0 && !slices.Contains(real, name) {
			return diag.Diagnostic{Pos: diag.Pos{File: dataPath}, Msg: fmt.Sprintf("the variable %q of --structure has no column with values", name)}
		}
	}
	if job.Init, err = s.Model(states, real, a.MaxTable); err != nil {
		return fmt.Errorf("--structure: %w", err)
	}
	job.Init.Name = cli.ModelName(f.Out)
	return nil
}
