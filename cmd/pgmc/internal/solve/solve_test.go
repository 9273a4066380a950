package solve_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/clitest"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/rows"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/solve"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir/model"
)

// solver returns a solver of a task on clitest.Rain.
func solver(t *testing.T, task string, query ...model.VarID) *solve.Solver {
	a, _, _ := clitest.App()
	a.Quiet = true
	return &solve.Solver{App: a, Path: "rain.bif", Model: clitest.Model(t, clitest.Rain), Task: solve.Task{Name: task, Query: query},
		Options: compiler.Options{MaxTable: compiler.DefaultMaxTable, MaxMem: compiler.DefaultMaxMem}}
}

func near(x, y float64) bool { return math.Abs(x-y) < 1e-9 }

// TestSolve compares answers with those by hand, exactly and, with a deadline, also after a search.
func TestSolve(t *testing.T) {
	unknown, wet, rain := []int{-1, -1}, []int{-1, 0}, []int{0, -1}
	for _, c := range []struct {
		task   string
		query  []model.VarID
		states []int
		value  float64 // not its logarithm
		best   []int
	}{
		{solve.PR, nil, unknown, 1, nil},
		{solve.PR, nil, wet, 0.625, nil},
		{solve.MAR, nil, wet, 0.625, nil},
		{solve.MPE, nil, wet, 0.375, []int{1, 0}},
		{solve.MPE, nil, rain, 0.25, []int{0, 0}},
		{solve.MMAP, []model.VarID{0}, unknown, 0.75, []int{1}},
		{solve.MMAP, []model.VarID{0}, rain, 0.25, []int{0}},
	} {
		for _, timed := range []bool{false, true} {
			ctx := t.Context()
			if timed {
				var cancel context.CancelFunc
				ctx, cancel = context.WithTimeout(ctx, time.Minute)
				defer cancel()
			}
			s, err := solver(t, c.task, c.query...).Solve(ctx, c.states)
			if err != nil {
				t.Fatalf("%s %v: %v", c.task, c.states, err)
			}
			if !near(s.Log10, math.Log10(c.value)) || !s.Proven() || s.Weakness() != "" || !slices.Equal(s.States, c.best) {
				t.Errorf("%s %v: found %+v; want %v, %v", c.task, c.states, s, c.value, c.best)
			}
			if c.task == solve.MAR && !near(s.Marginals[0][0], 0.4) {
				t.Errorf("marginals %v; want 0.4", s.Marginals)
			}
		}
	}
}

// TestImpossible checks the error of evidence of probability 0. It is no error of task PR.
func TestImpossible(t *testing.T) {
	no := []int{0, 1}
	for _, task := range []string{solve.MAR, solve.MPE} {
		if _, err := solver(t, task).Solve(t.Context(), no); !errors.Is(err, rows.ErrImpossible) || !strings.HasPrefix(err.Error(), "rain.bif: ") {
			t.Errorf("%s: error %v", task, err)
		}
	}
	s, err := solver(t, solve.PR).Solve(t.Context(), no)
	if err != nil || !math.IsInf(s.Log10, -1) {
		t.Errorf("found %+v, error %v", s, err)
	}
	text, err := json.Marshal(s.JSON())
	if err != nil || !strings.Contains(string(text), `"log10":"-inf"`) {
		t.Errorf("JSON %s, error %v", text, err)
	}
}

// TestMethods checks which methods refuse which tasks, and that an approximate method's answer is
// not proven.
func TestMethods(t *testing.T) {
	for _, c := range []struct{ method, task, err string }{
		{"belief", solve.MPE, "method belief answers the tasks PR and MAR alone; for MPE try --method "},
		{"gibbs", solve.PR, "method gibbs answers the task MAR alone; for PR try --method "},
		{"trws", solve.MAR, "method trws answers the task MPE alone; for MAR try --method "},
		{"bound", solve.PR, "method bound is for packages and query; solve bounds PR and MAR with --timeout and no --method"},
	} {
		x := solver(t, c.task)
		x.Options.Method = compiler.Named(c.method)
		if _, err := x.Solve(t.Context(), []int{-1, -1}); err == nil || !strings.HasPrefix(err.Error(), c.err) {
			t.Errorf("error %v; want %s", err, c.err)
		}
	}
	x := solver(t, solve.MAR)
	x.Options.Method = compiler.Named("belief")
	s, err := x.Solve(t.Context(), []int{-1, 0})
	if err != nil || s.Proven() || s.Report == nil || !near(s.Marginals[0][0], 0.4) {
		t.Errorf("found %+v, error %v", s, err)
	}
}

// TestAnswer checks the JSON of states, and what a certificate leaves open.
func TestAnswer(t *testing.T) {
	s := &solve.Answer{Log10: -2, Upper: -1}
	s.Task, s.States = solve.MPE, []int{1, 0}
	text, err := json.Marshal(s.JSON())
	if want := `{"task":"MPE","log10":-2,"states":[1,0],"bound10":-1,"proven":false}`; err != nil || string(text) != want {
		t.Errorf("error %v, found %s; want %s", err, text, want)
	}
	s = &solve.Answer{Log10: -2, Lower: -3, Upper: math.Inf(1)}
	s.Task = solve.PR
	if text, err = json.Marshal(s.JSON()); err != nil || string(text) != `{"task":"PR","log10":-2,"lower10":-3,"exact":false}` {
		t.Errorf("error %v, found %s", err, text)
	}
}

// TestTooHard checks which errors bounds answer.
func TestTooHard(t *testing.T) {
	for err, want := range map[error]bool{
		context.DeadlineExceeded: true, context.Canceled: false, rows.ErrUnderflow: true, rows.ErrNotANumber: true, rows.ErrImpossible: false, nil: false,
	} {
		if got := solve.TooHard(err); got != want {
			t.Errorf("%v: %v; want %v", err, got, want)
		}
	}
	x := solver(t, solve.PR)
	x.Options.MaxMem = 1 // nothing fits
	_, err := x.Solve(t.Context(), []int{-1, -1})
	if err == nil || !solve.TooHard(err) {
		t.Errorf("error %v of a program that does not fit", err)
	}
	var b bytes.Buffer
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	s, err := x.Solve(ctx, []int{-1, 0})
	if err != nil || !(s.Lower <= math.Log10(0.625)+1e-9 && s.Upper >= math.Log10(0.625)-1e-9) {
		t.Fatalf("found %+v, error %v", s, err)
	}
	if err := s.Write(&b, x.Model); err != nil || !strings.HasPrefix(b.String(), "PR\n") {
		t.Errorf("error %v, written %q", err, &b)
	}
}
