package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/format/uai"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// solveFlags are the flags of pgmc solve.
type solveFlags struct {
	modelFlags
	task choice
	evid string
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
			"  MPE   a most probable completion of the evidence\n\n" +
			"A file of several samples of evidence gets an answer for each, one after the other.",
		Example: "  pgmc solve grid.uai --task PR --evid grid.uai.evid\n  pgmc solve BN_0.erg.gz --task MAR --evid BN_0.erg.evid.gz --json",
		Args:    oneModel,
		RunE:    a.action(func(ctx context.Context, args []string) error { return a.runSolve(ctx, args[0], f) }),
	}
	f.addTo(cmd)
	f.rows.value = "asis" // the tasks are about the numbers of the file
	cmd.Flags().Lookup("rows").DefValue = f.rows.value
	addChoice(cmd, &f.task, "task", "what to work out", uai.PR, uai.MAR, uai.MPE)
	cmd.Flags().StringVar(&f.evid, "evid", "", "a `file` of evidence; without one nothing is observed")
	return cmd
}

func (a *app) runSolve(ctx context.Context, path string, f *solveFlags) error {
	m, err := a.load(ctx, path, f.format.value)
	if err != nil {
		return err
	}
	samples, err := a.samples(f.evid, m)
	if err != nil {
		return err
	}
	opt, err := a.options(m, &f.modelFlags)
	if err != nil {
		return err
	}
	defer a.progress("solving "+filepath.Base(path), nil).stop()
	m, list := m.NormalizeRows(opt.Rows)
	a.warn(list.Warnings())
	if list.HasErrors() {
		return list.Err()
	}
	var text bytes.Buffer // all answers or none
	var answers []solution
	for _, states := range samples {
		s, err := a.solve(ctx, path, m, states, f.task.value, opt)
		if err != nil {
			return err
		}
		if err := s.Write(&text, m); err != nil {
			return err
		}
		answers = append(answers, solution{Task: s.Task, Log10: jsonLog(s.log10), Marginals: s.Marginals, States: s.States})
	}
	switch {
	case !a.json:
		_, err = a.stdout.Write(text.Bytes())
	case len(answers) == 1:
		err = a.printJSON(answers[0])
	default:
		err = a.printJSON(answers)
	}
	return err
}

// solution is an answer as JSON.
type solution struct {
	Task      string      `json:"task"`
	Log10     any         `json:"log10"` // of the partition function, or of the value of the states; "-inf" for zero
	Marginals [][]float64 `json:"marginals,omitempty"`
	States    []int       `json:"states,omitempty"`
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
	a.warn(list.Warnings())
	return samples, list.Err()
}

// solved is the answer to a task, and log10 of the partition function, or with MPE of the value of the states.
type solved struct {
	uai.Result
	log10 float64
}

// solve answers a task for one sample of evidence: states by variable, negative where not observed.
func (a *app) solve(ctx context.Context, path string, m *model.Model, states []int, task string, opt compiler.Options) (*solved, error) {
	left, err := m.Condition(states, a.maxTable)
	if err != nil {
		return nil, err
	}
	for _, v := range left.Vars {
		v.Latent = false // the tasks are about all variables
	}
	opt.Queries = map[string][]string{uai.PR: {"logprob"}, uai.MAR: {"marginals"}, uai.MPE: {"mpe"}}[task]
	opt.Unnormalised = true
	c, err := a.compile(ctx, path, left, opt, nil)
	if err != nil {
		return nil, err
	}
	return await(ctx, a, func() (*solved, error) {
		s, err := answerTask(c, m, states, task)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		return s, nil
	})
}

// answerTask runs the program of a task.
func answerTask(c *compiler.Result, m *model.Model, states []int, task string) (*solved, error) {
	machine := eval.New(c.Program, c.Model)
	err := machine.Run(&c.Program.Entries[0])
	s := &solved{log10: machine.LogP() / math.Ln10}
	s.Task, s.Value = task, s.log10
	switch {
	case errors.Is(err, pgmrt.ErrImpossible) && task == uai.PR:
	case errors.Is(err, pgmrt.ErrImpossible):
		return nil, errImpossible
	case err != nil:
		return nil, err
	case task == uai.MAR:
		s.Marginals = marginalsOf(c.Program, machine, m, states)
	case task == uai.MPE:
		for v, state := range states {
			if state < 0 {
				state = int(machine.State()[v])
			}
			s.States = append(s.States, state)
		}
	}
	return s, nil
}

// marginalsOf gives the marginals that a machine has worked out, and those of observed variables.
func marginalsOf(p *ir.Program, machine *eval.Machine, m *model.Model, states []int) [][]float64 {
	byVar := make([][]float64, len(m.Vars))
	for i, id := range p.Entry("marginals").Outs {
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
