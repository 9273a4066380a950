package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/solve"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

func (a *app) runSolve(ctx context.Context, path string, f *solveFlags) error {
	reading, cancel := cli.Lasting(ctx, !f.exact)
	defer cancel()
	m, opt, err := a.LoadWithOptions(reading, path, &f.ModelFlags)
	if err != nil {
		return err
	}
	if err := f.refuse(m); err != nil {
		return err
	}
	opt.Method = f.MethodFlags.Options(&opt)
	if _, timed := ctx.Deadline(); !timed && !f.exact {
		a.Bounds = "--timeout 1m"
	}
	samples, err := a.samples(f.evid, m)
	if err != nil {
		return err
	}
	query, err := a.queried(f, m)
	if err != nil {
		return err
	}
	m, list := m.NormalizeRows(opt.Rows)
	a.Warn(list.Warnings())
	if list.HasErrors() {
		return list.Err()
	}
	var text bytes.Buffer // printed if all tasks are answered
	var answers []solve.JSON
	solver := &solve.Solver{App: a.App, Path: path, Model: m, Options: opt, Exact: f.exact || m.Traits()&model.Reals != 0, Discrepancies: f.discrepancies,
		Task: solve.Task{Name: f.task.Value, Query: query}}
	for _, states := range samples {
		s, err := solver.Solve(ctx, states)
		if err != nil {
			return err
		}
		if weak := s.Weakness(); weak != "" {
			var list diag.List
			list.Warnf(diag.Pos{File: path}, "%s", weak)
			a.Warn(list.Warnings())
		}
		if err := s.Write(&text, m); err != nil {
			return err
		}
		answers = append(answers, s.JSON())
	}
	switch {
	case !a.JSON:
		_, err = a.Stdout.Write(text.Bytes())
	case len(answers) == 1:
		err = a.PrintJSON(answers[0])
	default:
		err = a.PrintJSON(answers)
	}
	return err
}

// refuse returns an error if no method answers the task for m.
func (f *solveFlags) refuse(m *model.Model) error {
	var takes model.Traits
	if f.task.Value == solve.PR {
		takes = model.Reals | model.Mixed | model.Canonicals
	}
	var untaken *model.Untaken
	if err := model.Refuse("task", f.task.Value, takes, m.Needs(), compiler.Takers(m.Needs())); errors.As(err, &untaken) {
		if f.task.Value == solve.MPE && m.Kind == model.Dependency {
			return fmt.Errorf("%s; pgmc query --mpe has the states of greatest pseudo-likelihood", untaken.Facts())
		}
		return fmt.Errorf("%s; for marginals try pgmc query --method %s", untaken.Facts(), strings.Join(untaken.Others, " or "))
	}
	return nil
}

// queried returns the variables in the file of --query.
func (a *app) queried(f *solveFlags, m *model.Model) ([]model.VarID, error) {
	if (f.task.Value == solve.MMAP) != (f.query != "") {
		return nil, cli.Usagef("--task MMAP and --query FILE go together")
	}
	if f.query == "" {
		return nil, nil
	}
	src, err := format.OpenSource(f.query, a.Reading())
	if err != nil {
		return nil, err
	}
	vars, list := cli.Format(format.UAI).Query(src, m)
	a.Warn(list.Warnings())
	return vars, list.Err()
}

// samples returns the samples in the evidence file. Without a file it returns one sample, in which
// nothing is observed.
func (a *app) samples(path string, m *model.Model) ([][]int, error) {
	if path == "" {
		nothing := make([]int, len(m.Vars))
		for v := range nothing {
			nothing[v] = -1
		}
		return [][]int{nothing}, nil
	}
	src, err := format.OpenSource(path, a.Reading())
	if err != nil {
		return nil, err
	}
	samples, list := cli.Format(format.UAI).Evidence(src, m)
	a.Warn(list.Warnings())
	return samples, list.Err()
}
