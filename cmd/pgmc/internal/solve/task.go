package solve

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/rows"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// errWeightless is the error of a network that is impossible without evidence.
var errWeightless = errors.New("the potentials leave no state of positive weight")

// Solver answers one task for samples of evidence.
type Solver struct {
	App     *cli.App
	Path    string // of the model, for messages
	Model   *model.Model
	Options compiler.Options
	Task    Task
	Exact   bool // refuse rather than answer with bounds
	// Discrepancies is the largest limit of limited discrepancy searches for better states of MPE;
	// 0 for none.
	Discrepancies int
}

// Task is the question to answer.
type Task struct {
	Name  string
	Query []model.VarID // MMAP
}

// hidden returns the names of the variables of MMAP that are not observed.
func (t *Task) hidden(m *model.Model, states []int) []string {
	var names []string
	for _, v := range t.Query {
		if states[v] < 0 {
			names = append(names, m.Vars[v].Name)
		}
	}
	return names
}

// queries returns the queries to compile for a task, given the states of observed variables.
func (t *Task) queries(m *model.Model, states []int) []string {
	switch t.Name {
	case MAR:
		return []string{"marginals"}
	case MPE:
		return []string{"mpe"}
	case MMAP:
		if names := t.hidden(m, states); len(names) > 0 {
			for i := range names {
				names[i] = strconv.Quote(names[i])
			}
			return []string{"map(" + strings.Join(names, ", ") + ")"}
		}
	}
	return []string{"logprob"}
}

// by returns the query of an approximate method that answers the task; nil for an exact method.
func (t *Task) by(name string) (*ir.Approximation, error) {
	m := cli.Approximate(name)
	if m == nil {
		return nil, nil
	}
	tasks := []string{PR, MAR}
	switch {
	case m.Answers.Kind == ir.Bounded:
		return nil, fmt.Errorf("method %s is for packages and query; solve bounds PR and MAR with --timeout and no --method", name)
	case m.Answers.Kind.Answer() == ir.AnswerStates:
		tasks = []string{MPE}
	case m.Answers.Kind == ir.Estimates:
		tasks = []string{MAR}
	}
	if !slices.Contains(tasks, t.Name) {
		word := "task"
		if len(tasks) > 1 {
			word = "tasks"
		}
		return nil, fmt.Errorf("method %s answers the %s %s alone; for %s try --method %s", name, word, strings.Join(tasks, " and "), t.Name, cli.ExactMethods())
	}
	return m.Answers, nil
}

// exactly answers the task by the method of the options.
func (x *Solver) exactly(ctx context.Context, states []int) (*Answer, error) {
	defer x.App.Progress("solving "+filepath.Base(x.Path), nil).Stop()
	opt := x.Options
	left, known := x.Model, infer.NewFindings(len(x.Model.Vars))
	if approximate := cli.Approximate(opt.MethodName()); approximate != nil && approximate.Forward {
		copy(known.State, states)
	} else {
		var err error
		if left, err = x.Model.Condition(states, x.App.MaxTable); err != nil {
			return nil, err
		}
	}
	for _, v := range left.Vars {
		v.Latent = false // the tasks are about all variables
	}
	if m := compiler.Proving(left); m != nil && opt.MethodName() == "" && x.Task.Name == MPE {
		opt.Method = compiler.Named(m.Name)
	}
	by, err := x.Task.by(opt.MethodName())
	if err != nil {
		return nil, err
	}
	opt.Queries, opt.Unnormalised, opt.Slices = x.Task.queries(x.Model, states), true, true
	if by != nil {
		opt.Queries = []string{by.Word}
	}
	c, err := x.App.Compile(ctx, x.Path, left, opt, nil)
	if err != nil {
		return nil, err
	}
	return cli.Await(cli.EndsItself(ctx, c.Program), func() (*Answer, error) {
		q := &asked{Task: x.Task, engine: infer.Of(c, 0), m: x.Model, known: known, states: states, hidden: x.Task.hidden(x.Model, states), by: by}
		s, err := q.answer(ctx)
		if zero := errors.Is(err, infer.ErrImpossible) || err == nil && math.IsInf(s.Log10, -1); zero && by == nil && c.Underflows {
			err = rows.ErrUnderflow
		}
		if errors.Is(err, infer.ErrImpossible) {
			err = rows.ErrImpossible
			if !slices.ContainsFunc(states, func(s int) bool { return s >= 0 }) {
				err = errWeightless
			}
		}
		if err == nil && (math.IsNaN(s.Log10) || math.IsInf(s.Log10, 1) && !s.states()) {
			err = rows.ErrNotANumber
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", x.Path, err)
		}
		if by == nil && s.Proven() {
			q.first(ctx, s)
		}
		s.Task, s.Value, s.method = x.Task.Name, s.Log10, opt.MethodName()
		return s, nil
	})
}
