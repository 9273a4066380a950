package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"sync/atomic"

	"github.com/spf13/cobra"

	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// scoreFlags are the flags of pgmc score.
type scoreFlags struct {
	modelFlags
	unseen choice
	data   choice
}

func (a *app) scoreCommand() *cobra.Command {
	f := &scoreFlags{}
	cmd := &cobra.Command{
		Use:   "score MODEL DATA",
		Short: "The mean log-likelihood of the rows of a data file",
		Long: "Score gives the mean over rows of the natural logarithm of their probability, and its standard error. Cells that are missing\n" +
			"are summed out, and so are variables without a column. Weights of rows count. A row of probability 0 makes the mean\n" +
			"minus infinity, and a warning says which was the first.\n\n" +
			"Columns are matched by name, those of .data files, which have none, by their order. DATA is CSV with a header, ARFF, or .data\n" +
			"with numbers of states; - is standard input.",
		Example: "  pgmc score asia.bif patients.csv\n  pgmc score nltcs.ac nltcs.test.data.gz --json",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return fmt.Errorf("found %d operands; want a model and a data file", len(args))
			}
			return nil
		},
		RunE: a.action(func(ctx context.Context, args []string) error { return a.runScore(ctx, args[0], args[1], f) }),
	}
	f.addTo(cmd)
	addChoice(cmd, &f.unseen, "unseen", "a value that is no state of its variable is an error, or counts as missing", "error", "missing")
	addChoice(cmd, &f.data, "data-format", "the format of the data; by name or content unless given", "auto", "csv", "data", "arff")
	return cmd
}

func (a *app) runScore(ctx context.Context, path, dataPath string, f *scoreFlags) error {
	m, opt, err := a.loadWithOptions(ctx, path, &f.modelFlags)
	if err != nil {
		return err
	}
	opt.Queries = []string{"logprob"}
	rows, err := a.openData(ctx, dataPath, &f.data)
	if err != nil {
		return err
	}
	defer rows.Close()
	s := &scorer{file: dataPath}
	unseen := data.UnseenError
	if f.unseen.value == "missing" {
		unseen = data.UnseenMissing
	}
	binding, err := rows.Bind(data.VarsOf(m), unseen)
	if err != nil {
		return err
	}
	defer a.progress("scoring "+filepath.Base(dataPath), s.done.Load).stop()
	r, err := a.compile(ctx, path, m, opt, nil)
	if err != nil {
		return err
	}
	s.vars = observable(r.Model)
	row := s.laneRow
	if s.lanes, err = newLaneMachine(r, "logprob"); err != nil {
		s.in, s.question = newInterpreter(r), newQuestion(len(s.vars))
		row = s.row
	}
	if err := eachRow(ctx, rows, binding, len(s.vars), row); err != nil {
		return err
	}
	s.flush()
	return s.report(a)
}

// eachRow gives the rows of a file to do, with the states of n variables or Missing. Rows that cannot be read are reported together,
// the first few of them; after one, do gets no more.
func eachRow(ctx context.Context, rows *data.Reader, binding *data.Binding, n int, do func(rec *data.Record, states []int) error) error {
	var list diag.List
	states := make([]int, n)
	for !list.Full() {
		if err := ctx.Err(); err != nil {
			return err
		}
		rec, err := rows.Next()
		if err == io.EOF {
			break
		}
		if err == nil {
			err = binding.States(rec, states)
		}
		var bad data.RowError
		if errors.As(err, &bad) {
			list.Errorf(bad.Pos, "%s", bad.Msg)
			continue
		}
		if err == nil && !list.HasErrors() {
			err = do(rec, states)
		}
		if err != nil {
			return err
		}
	}
	return list.Err()
}

// scorer adds up log-probabilities, with their squared distances from the mean as Welford (1962) does, which loses no digits.
type scorer struct {
	file       string
	vars       []model.VarID // the columns of the data
	lanes      *laneMachine  // nil where the model is too large for it
	waiting    []waiting     // what is in the lanes
	in         *interpreter  // where there are no lanes
	question   question
	done       atomic.Int64
	weight     float64 // of all rows
	mean, sum2 float64 // of possible rows, in nats
	impossible int
	first      diag.Pos // of the first impossible row
}

// waiting is what is counted of a row.
type waiting struct {
	pos    diag.Pos
	weight float64
}

// laneRow enters a row in a lane, and counts all lanes when they are full.
func (s *scorer) laneRow(rec *data.Record, states []int) error {
	s.lanes.set(len(s.waiting), s.vars, states)
	if s.waiting = append(s.waiting, waiting{rec.Pos, rec.Weight}); len(s.waiting) == pgmrt.Lanes {
		s.flush()
	}
	return nil
}

// flush counts the rows that are in lanes.
func (s *scorer) flush() {
	if len(s.waiting) == 0 {
		return
	}
	s.lanes.run()
	for i, row := range s.waiting {
		s.count(row, s.lanes.logP(i))
	}
	s.waiting = s.waiting[:0]
}

// row counts one row by the interpreter.
func (s *scorer) row(rec *data.Record, states []int) error {
	for i, state := range states {
		s.question.hard[i] = state + 1 // Missing is 0
	}
	err := s.in.enter(&s.question)
	if err == nil {
		err = s.in.run("logprob")
	}
	if err != nil && !errors.Is(err, errImpossible) {
		return err
	}
	s.count(waiting{rec.Pos, rec.Weight}, s.in.machine.LogP())
	return nil
}

// count adds a row with its log-probability.
func (s *scorer) count(row waiting, logp float64) {
	s.done.Add(1)
	if math.IsInf(logp, -1) {
		if s.impossible == 0 {
			s.first = row.pos
		}
		s.impossible++
		return
	}
	if row.weight == 0 {
		return
	}
	s.weight += row.weight
	off := logp - s.mean
	s.mean += off * row.weight / s.weight
	s.sum2 += row.weight * off * (logp - s.mean)
}

// scoreReport is what pgmc score finds.
type scoreReport struct {
	Rows   int64 `json:"rows"`
	LL     any   `json:"ll"`        // mean log-likelihood of a row, in nats; "-inf" where a row is impossible
	StdErr any   `json:"ll_stderr"` // its standard error
}

func (s *scorer) report(a *app) error {
	r := scoreReport{Rows: s.done.Load(), LL: s.mean, StdErr: 0.0}
	if s.weight > 1 {
		r.StdErr = math.Sqrt(s.sum2 / (s.weight - 1) / s.weight)
	}
	if s.impossible > 0 {
		r.LL, r.StdErr = "-inf", "inf"
		var list diag.List
		list.Warnf(s.first, "this row has probability 0; it is the first of %d", s.impossible)
		a.warn(list.Warnings())
	}
	if a.json {
		return a.printJSON(r)
	}
	t := &table{}
	t.add("rows", fmt.Sprint(r.Rows))
	t.add("log-likelihood", fmt.Sprintf("%v nats a row", r.LL))
	t.add("standard error", fmt.Sprint(r.StdErr))
	_, err := io.WriteString(a.stdout, t.String())
	return err
}
