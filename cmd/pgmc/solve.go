package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/rows"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/format/uai"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

func (a *app) runSolve(ctx context.Context, path string, f *solveFlags) error {
	m, opt, err := a.LoadWithOptions(ctx, path, &f.ModelFlags)
	if err != nil {
		return err
	}
	var untaken *model.Untaken
	if err := model.Refuse("task", f.task.Value, 0, m.Needs(), compiler.Takers()); errors.As(err, &untaken) {
		return fmt.Errorf("%s; for marginals try pgmc query --method %s", untaken.Facts(), strings.Join(untaken.Others, " or "))
	}
	opt.Method = f.MethodFlags.Options(&opt)
	samples, err := a.samples(f.evid, m)
	if err != nil {
		return err
	}
	query, err := a.queried(f, m)
	if err != nil {
		return err
	}
	defer a.Progress("solving "+filepath.Base(path), nil).Stop()
	m, list := m.NormalizeRows(opt.Rows)
	a.Warn(list.Warnings())
	if list.HasErrors() {
		return list.Err()
	}
	var text bytes.Buffer // printed if all tasks are answered
	var answers []solution
	var unproven error
	for _, states := range samples {
		s, err := a.solve(ctx, path, m, states, task{f.task.Value, query}, opt)
		if err != nil {
			return err
		}
		if s.unproven != nil {
			unproven = fmt.Errorf("%s: %w; their log10 is %.10g, and that of any others at most %.10g", path, s.unproven, s.log10, s.bound)
		}
		if r := s.report; r != nil && r.Weakness() != "" {
			var list diag.List
			list.Warnf(diag.Pos{File: path}, "method %s %s%s", f.Method.Value, r.Weakness(), strings.ReplaceAll(strings.TrimSpace(r.Text()), "\n", "; "))
			a.Warn(list.Warnings())
		}
		if err := s.Write(&text, m); err != nil {
			return err
		}
		answers = append(answers, s.json())
	}
	switch {
	case !a.JSON:
		_, err = a.Stdout.Write(text.Bytes())
	case len(answers) == 1:
		err = a.PrintJSON(answers[0])
	default:
		err = a.PrintJSON(answers)
	}
	if err == nil {
		err = unproven
	}
	return err
}

// queried returns the variables in the file of --query.
func (a *app) queried(f *solveFlags, m *model.Model) ([]model.VarID, error) {
	if (f.task.Value == uai.MMAP) != (f.query != "") {
		return nil, cli.Usagef("--task MMAP and --query FILE go together")
	}
	if f.query == "" {
		return nil, nil
	}
	src, err := format.OpenSource(f.query, format.ReadOptions{})
	if err != nil {
		return nil, err
	}
	vars, list := uai.ReadQuery(src, m)
	a.Warn(list.Warnings())
	return vars, list.Err()
}

// solution is an answer, as --json prints it.
type solution struct {
	Task      string       `json:"task"`
	Log10     any          `json:"log10"` // of the partition function, or of the value of the states; "-inf" is zero
	Marginals [][]float64  `json:"marginals,omitempty"`
	States    []int        `json:"states,omitempty"`
	Query     []int        `json:"query,omitempty"`  // MMAP: the variables of the states
	Proven    *bool        `json:"proven,omitempty"` // MMAP: whether no states are better
	Bound     any          `json:"bound,omitempty"`  // MMAP, if not proven: no states have a larger log10
	Steps     int          `json:"steps,omitempty"`  // MMAP: of the search; 1 without a search
	Report    *rows.Report `json:"report,omitempty"` // of an approximate method
}

// json returns the answer as --json prints it.
func (s *solved) json() solution {
	out := solution{Task: s.Task, Log10: jsonLog(s.log10), Marginals: s.Marginals, States: s.States, Steps: s.steps, Report: s.report}
	if s.Task != uai.MMAP {
		return out
	}
	proven := s.unproven == nil
	if out.Proven = &proven; !proven {
		out.Bound = jsonLog(s.bound)
	}
	for _, v := range s.Query {
		out.Query = append(out.Query, int(v))
	}
	return out
}

// jsonLog returns a logarithm in a form that JSON can hold.
func jsonLog(x float64) any {
	if math.IsInf(x, -1) {
		return "-inf"
	}
	return x
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
	src, err := format.OpenSource(path, format.ReadOptions{})
	if err != nil {
		return nil, err
	}
	samples, list := uai.ReadEvidence(src, m)
	a.Warn(list.Warnings())
	return samples, list.Err()
}

// solved is the answer to a task, with log10 of the partition function, or for MPE and MMAP of the
// value of the states.
type solved struct {
	uai.Result
	log10    float64
	unproven error   // why better states may exist
	bound    float64 // if unproven: log10 that no states exceed
	steps    int
	report   *rows.Report // of an approximate method; nil of others
}

// task is the question to answer.
type task struct {
	name  string
	query []model.VarID // MMAP
}

// hidden returns the names of the variables of MMAP that are not observed.
func (t *task) hidden(m *model.Model, states []int) []string {
	var names []string
	for _, v := range t.query {
		if states[v] < 0 {
			names = append(names, m.Vars[v].Name)
		}
	}
	return names
}

// queries returns the queries to compile for a task, given the states of observed variables.
func (t *task) queries(m *model.Model, states []int) []string {
	switch t.name {
	case uai.MAR:
		return []string{"marginals"}
	case uai.MPE:
		return []string{"mpe"}
	case uai.MMAP:
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
func (t *task) by(name string) (*ir.Approximation, error) {
	m := cli.Approximate(name)
	if m == nil {
		return nil, nil
	}
	tasks := "tasks PR and MAR"
	answers := t.name == uai.PR || t.name == uai.MAR
	switch {
	case m.Answers.Kind.Answer() == ir.AnswerStates:
		tasks, answers = "task MPE", t.name == uai.MPE
	case answers && m.Answers.Kind == ir.Estimates:
		tasks, answers = "task MAR", t.name == uai.MAR
	}
	if !answers {
		return nil, fmt.Errorf("method %s answers the %s alone; for %s try --method %s", name, tasks, t.name, cli.ExactMethods())
	}
	return m.Answers, nil
}

// solve answers a task for one sample of evidence: the state of each variable, negative if it is
// not observed.
func (a *app) solve(ctx context.Context, path string, m *model.Model, states []int, t task, opt compiler.Options) (*solved, error) {
	left, known := m, infer.NewFindings(len(m.Vars))
	if approximate := cli.Approximate(opt.MethodName()); approximate != nil && approximate.Forward {
		copy(known.State, states)
	} else {
		var err error
		if left, err = m.Condition(states, a.MaxTable); err != nil {
			return nil, err
		}
	}
	for _, v := range left.Vars {
		v.Latent = false // the tasks are about all variables
	}
	by, err := t.by(opt.MethodName())
	if err != nil {
		return nil, err
	}
	opt.Queries, opt.Unnormalised = t.queries(m, states), true
	if by != nil {
		opt.Queries = []string{by.Word}
	}
	c, err := a.Compile(ctx, path, left, opt, nil)
	if err != nil {
		return nil, err
	}
	until := ctx
	if c.Program.Entries[0].Search {
		until = context.WithoutCancel(ctx) // it ends by itself, with the best so far
	}
	return cli.Await(until, func() (*solved, error) {
		x := &asked{engine: infer.Of(c, 0), m: m, known: known, states: states, hidden: t.hidden(m, states), by: by}
		s, err := x.answer(ctx, t)
		if errors.Is(err, infer.ErrImpossible) {
			err = rows.ErrImpossible
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		s.Task, s.Value = t.name, s.log10
		return s, nil
	})
}

// asked is a task for one sample of evidence, with the engine that answers it.
type asked struct {
	engine *infer.Engine
	m      *model.Model      // the model without evidence, whose observed variables have all states
	known  *infer.Findings   // the evidence that is not part of the engine's model
	states []int             // the sample
	hidden []string          // MMAP: the variables that are not observed
	by     *ir.Approximation // the query of an approximate method; nil for an exact method
}

// answer answers a task.
func (x *asked) answer(ctx context.Context, t task) (*solved, error) {
	switch {
	case t.name == uai.MAR || t.name == uai.PR && x.by != nil:
		return x.marginals(ctx, t)
	case t.name == uai.MPE:
		return x.completion(ctx)
	case len(x.hidden) > 0:
		return x.some(ctx, t)
	}
	logProb, err := x.engine.LogProb(ctx, x.known)
	if err == nil && t.name == uai.MMAP && math.IsInf(logProb, -1) {
		err = infer.ErrImpossible
	}
	s := &solved{log10: logProb / math.Ln10}
	if t.name == uai.MMAP {
		s.Query, s.steps = t.query, 1
		x.choose(s, t.query, nil)
	}
	return s, err
}

// marginals answers MAR, or PR by an approximate method.
func (x *asked) marginals(ctx context.Context, t task) (*solved, error) {
	m, err := x.engine.Marginals(ctx, x.known)
	var impossible *infer.ImpossibleError
	if t.name == uai.PR && errors.As(err, &impossible) {
		return &solved{log10: math.Inf(-1), report: rows.TaskReport(impossible.Report, x.by)}, nil
	}
	if err != nil {
		return nil, err
	}
	s := &solved{log10: m.LogProb / math.Ln10, report: rows.TaskReport(m.Report, x.by)}
	if t.name == uai.PR {
		return s, nil
	}
	for v, d := range m.List {
		if k := x.states[v]; k >= 0 {
			d.P = make([]float64, x.m.Card(model.VarID(v)))
			d.P[k] = 1
		}
		s.Marginals = append(s.Marginals, d.P)
	}
	return s, nil
}

// completion answers MPE.
func (x *asked) completion(ctx context.Context) (*solved, error) {
	c, err := x.engine.MPE(ctx, x.known)
	if err != nil {
		return nil, err
	}
	if x.by != nil && x.by.Kind == ir.Decoding && math.IsInf(c.LogProb, -1) {
		return nil, fmt.Errorf("method %s found no states of positive value, which does not prove that there are none; try --method %s", x.by.Word, cli.ExactMethods())
	}
	s := &solved{log10: c.LogProb / math.Ln10, report: rows.TaskReport(c.Report, x.by)}
	all := make([]model.VarID, len(x.states))
	for v := range all {
		all[v] = model.VarID(v)
	}
	x.choose(s, all, c)
	return s, nil
}

// choose makes the states of vars those of the answer: the observed ones, and the others from c,
// which may be nil if all are observed.
func (x *asked) choose(s *solved, vars []model.VarID, c *infer.Completion) {
	chosen := map[string]int{}
	if c != nil {
		for _, a := range c.States {
			chosen[a.Var] = a.Index
		}
	}
	for _, v := range vars {
		k := x.states[v]
		if k < 0 {
			k = chosen[x.m.Vars[v].Name]
		}
		s.States = append(s.States, k)
	}
}

// some answers MMAP, if a variable of it is not observed.
func (x *asked) some(ctx context.Context, t task) (*solved, error) {
	c, err := x.engine.MAP(ctx, x.known, x.hidden...)
	var ended *infer.SearchError
	switch errors.As(err, &ended); {
	case c == nil && ended != nil:
		return nil, ended.Cause // the search found nothing
	case c == nil:
		return nil, err
	}
	s := &solved{log10: c.LogProb / math.Ln10, steps: 1}
	if ended != nil {
		s.unproven, s.bound = err, ended.Bound/math.Ln10
	}
	if c.Report != nil {
		s.steps = c.Report.Iterations
	}
	s.Query = t.query
	x.choose(s, t.query, c)
	return s, nil
}
