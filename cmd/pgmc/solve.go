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

	"github.com/spf13/cobra"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/rows"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/format/uai"
	"github.com/pgmc-go/pgmc/compiler/method/importance"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// solveFlags are the flags of pgmc solve.
type solveFlags struct {
	cli.ModelFlags
	cli.MethodFlags
	task        cli.Choice
	evid, query string
}

func (a *app) solveCommand() *cobra.Command {
	f := &solveFlags{}
	cmd := &cobra.Command{
		Use:   "solve MODEL",
		Short: "Solve a task of the UAI competitions",
		Long: "Solve answers one question about a network, in the files of the UAI competitions: the evidence becomes part of the network before\n" +
			"anything is compiled, which makes it smaller. The tasks are\n\n" +
			"  PR    the partition function, or the probability of the evidence: its logarithm to base 10\n" +
			"  MAR   the posterior marginals of all variables\n" +
			"  MPE   a most probable completion of the evidence\n" +
			"  MMAP  most probable states of the variables in the file of --query, the others summed out\n\n" +
			"MMAP goes through the others first where that is within the limits, and otherwise searches. A search that --timeout ends\n" +
			"writes the best states that it found, says on standard error that they are not proven, and exits with 1.\n\n" +
			"With --method belief or meanfield PR and MAR are approximate, at any width; a warning says where the method has not settled. Methods lw and\n" +
			"ais estimate both from weighted samples; icm, tabu and anneal search for the states of MPE, and do not prove that there are no better ones.\n" +
			"With --method maxprod, trws or mplp MPE gives probable states, at any width; a warning says where they are not proven to be best.\n\n" +
			"A file of several samples of evidence gets an answer for each, one after the other.",
		Example: "  pgmc solve grid.uai --task PR --evid grid.uai.evid\n  pgmc solve BN_0.erg.gz --task MAR --evid BN_0.erg.evid.gz --json\n" +
			"  pgmc solve grid.uai --task MMAP --query grid.uai.query --evid grid.uai.evid --timeout 1m",
		Args: cli.OneModel,
		RunE: a.Action(func(ctx context.Context, args []string) error { return a.runSolve(ctx, args[0], f) }),
	}
	f.ModelFlags.AddTo(cmd)
	f.MethodFlags.AddTo(cmd)
	f.Rows.Value = "asis" // the tasks are about the numbers of the file
	cmd.Flags().Lookup("rows").DefValue = f.Rows.Value
	cli.AddChoice(cmd, &f.task, "task", "what to work out", uai.PR, uai.MAR, uai.MPE, uai.MMAP)
	cmd.Flags().StringVar(&f.evid, "evid", "", "a `file` of evidence; without one nothing is observed")
	cmd.Flags().StringVar(&f.query, "query", "", "a `file` with the variables of MMAP")
	return cmd
}

func (a *app) runSolve(ctx context.Context, path string, f *solveFlags) error {
	m, opt, err := a.LoadWithOptions(ctx, path, &f.ModelFlags)
	if err != nil {
		return err
	}
	if m.Kind == model.Dependency {
		return fmt.Errorf("%s: the tasks are about Bayesian and Markov networks; a dependency network has no joint distribution; its marginals come by pgmc query --method meanfield or gibbs", path)
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
	var text bytes.Buffer // all answers or none
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

// queried reads the variables of MMAP.
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

// solution is an answer as JSON.
type solution struct {
	Task      string       `json:"task"`
	Log10     any          `json:"log10"` // of the partition function, or of the value of the states; "-inf" for zero
	Marginals [][]float64  `json:"marginals,omitempty"`
	States    []int        `json:"states,omitempty"`
	Query     []int        `json:"query,omitempty"`  // MMAP: the variables of the states
	Proven    *bool        `json:"proven,omitempty"` // MMAP: there are no better states
	Bound     any          `json:"bound,omitempty"`  // MMAP not proven: the log10 that no states exceed
	Steps     int          `json:"steps,omitempty"`  // MMAP: of the search; 1 where there was none
	Report    *rows.Report `json:"report,omitempty"` // of a method that iterates
}

// json is the answer as JSON.
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

// jsonLog is a logarithm as JSON can hold it.
func jsonLog(x float64) any {
	if math.IsInf(x, -1) {
		return "-inf"
	}
	return x
}

// samples reads the evidence; without a file there is one sample, of nothing observed.
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

// solved is the answer to a task, and log10 of the partition function, or with MPE and MMAP of the
// value of the states.
type solved struct {
	uai.Result
	log10    float64
	unproven error   // why better states may exist
	bound    float64 // log10 that no states exceed, where that is so
	steps    int
	report   *rows.Report // of a method that iterates; nil of others
}

// task is what to work out.
type task struct {
	name  string
	query []model.VarID // MMAP
}

// queries are what to compile for a task given the states of observed variables.
func (t *task) queries(m *model.Model, states []int) []string {
	switch t.name {
	case uai.MAR:
		return []string{"marginals"}
	case uai.MPE:
		return []string{"mpe"}
	case uai.MMAP:
		var names []string
		for _, v := range t.query {
			if states[v] < 0 {
				names = append(names, strconv.Quote(m.Vars[v].Name))
			}
		}
		if len(names) > 0 {
			return []string{"map(" + strings.Join(names, ", ") + ")"}
		}
	}
	return []string{"logprob"}
}

// solve answers a task for one sample of evidence: states by variable, negative where not observed.
func (a *app) solve(ctx context.Context, path string, m *model.Model, states []int, t task, opt compiler.Options) (*solved, error) {
	if m.Kind == model.Forest {
		return nil, fmt.Errorf("%s is a %v, which the tasks of the competitions are not about; try pgmc query", path, m.Kind)
	}
	left, err := m, error(nil)
	observe := opt.MethodName() == importance.LW.Name // which draws variables given their parents, and so wants the network as it is
	if !observe {
		left, err = m.Condition(states, a.MaxTable)
	}
	if err != nil {
		return nil, err
	}
	for _, v := range left.Vars {
		v.Latent = false // the tasks are about all variables
	}
	opt.Queries = t.queries(m, states)
	if by := cli.Approximate(opt.MethodName()); by != nil {
		decodes := by.Answers.Kind.Answer() == ir.AnswerStates
		if decodes && t.name != uai.MPE {
			return nil, fmt.Errorf("method %s answers the task MPE alone; for %s try --method jointree or circuit", opt.MethodName(), t.name)
		}
		if !decodes && t.name != uai.PR && t.name != uai.MAR {
			return nil, fmt.Errorf("method %s answers the tasks PR and MAR alone; for %s try --method jointree or circuit", opt.MethodName(), t.name)
		}
		if by.Answers.Kind == ir.Estimates && t.name != uai.MAR {
			return nil, fmt.Errorf("method %s answers the task MAR alone; for %s try --method jointree or circuit", opt.MethodName(), t.name)
		}
		opt.Queries = []string{by.Answers.Word}
	}
	opt.Unnormalised = true
	c, err := a.Compile(ctx, path, left, opt, nil)
	if err != nil {
		return nil, err
	}
	until := ctx
	if c.Program.Entries[0].Search {
		until = context.WithoutCancel(ctx) // it ends by itself, with the best so far
	}
	return cli.Await(until, func() (*solved, error) {
		machine := eval.New(c.Program, c.Model)
		for v, s := range states {
			if observe && s >= 0 {
				if err := machine.Observe(model.VarID(v), s); err != nil {
					return nil, err
				}
			}
		}
		s, err := answerTask(ctx, c, machine, m, states, t)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		return s, nil
	})
}

// answerTask runs the program of a task.
func answerTask(ctx context.Context, c *compiler.Result, machine *eval.Machine, m *model.Model, states []int, t task) (*solved, error) {
	e, err := &c.Program.Entries[0], error(nil)
	var report *rows.Report
	if e.Loop != nil {
		var r pgmrt.Report
		r, err = machine.RunLoop(ctx, e, pgmrt.LoopOptions{})
		report = &rows.Report{Status: r.Status.String(), Iterations: r.Iterations, Residual: r.Residual}
		if e.Loop.Decode != nil && err == nil {
			report = rows.DecodeReport(machine.Decoded(e, r))
		}
	} else if kind := e.Query.Kind; kind.Run() > ir.RunChain {
		var r pgmrt.TrialReport
		r, err = machine.RunTrials(ctx, e, pgmrt.TrialOptions{})
		report = &rows.Report{Status: r.Status.String(), Iterations: r.Iterations, Residual: r.Residual, Weights: kind == ir.Weighted, Search: kind == ir.Climb}
		if kind == ir.Weighted {
			report.ESS, report.LogError = &r.ESS, table.FiniteOnly(r.LogError)
		}
	} else if e.Chain != nil {
		var r pgmrt.SampleReport
		r, err = machine.RunChain(ctx, e, pgmrt.ChainOptions{})
		report = &rows.Report{Status: r.Status.String(), Iterations: r.Iterations, Residual: r.Residual}
	} else {
		err = machine.RunContext(ctx, e)
	}
	if report != nil {
		report.Method = c.Note
	}
	s := &solved{log10: machine.LogP() / math.Ln10, report: report}
	s.Task, s.Value = t.name, s.log10
	var ended *pgmrt.SearchError
	switch {
	case err == nil && e.Query.Kind == ir.Decoding && infeasible(s.log10):
		err = errInfeasible(e.Query.Method)
	case errors.As(err, &ended) && math.IsInf(s.log10, -1): // it has found nothing
		err = ended.Cause
	case ended != nil:
		s.unproven, s.bound, err = err, ended.Bound/math.Ln10, nil
	case errors.Is(err, pgmrt.ErrImpossible) && t.name == uai.PR:
		err = nil
	case errors.Is(err, pgmrt.ErrImpossible):
		err = rows.ErrImpossible
	}
	if err != nil {
		return nil, err
	}
	stateOf := func(v model.VarID) int {
		if states[v] >= 0 {
			return states[v]
		}
		return int(machine.State()[v])
	}
	switch t.name {
	case uai.MAR:
		s.Marginals = marginalsOf(c.Program, machine, m, states)
	case uai.MPE:
		for v := range states {
			s.States = append(s.States, stateOf(model.VarID(v)))
		}
	case uai.MMAP:
		s.Query, s.steps = t.query, machine.Steps()
		for _, v := range t.query {
			s.States = append(s.States, stateOf(v))
		}
	}
	return s, nil
}

// marginalsOf gives the marginals that a machine has worked out, and those of observed variables.
func marginalsOf(p *ir.Program, machine *eval.Machine, m *model.Model, states []int) [][]float64 {
	byVar := make([][]float64, len(m.Vars))
	for i, id := range p.Entries[0].Outs {
		byVar[p.Spans[id].Var] = machine.Posterior(i)
	}
	for v, s := range states {
		if s >= 0 {
			byVar[v] = make([]float64, m.Card(model.VarID(v)))
			byVar[v][s] = 1
		}
	}
	return byVar
}
