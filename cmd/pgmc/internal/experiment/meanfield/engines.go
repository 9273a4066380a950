package meanfield

import (
	"context"
	"slices"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// program is a program of an experiment, with the one query that is asked.
type program struct {
	name   string
	method string
	r      *compiler.Result
	entry  *ir.Entry
}

// engine answers the questions of an experiment by one of some programs.
type engine interface {
	ask(ctx context.Context, program int, qs []Query, e Effort) ([]Answer, error)
	close() error
}

// interpreted runs programs in process.
type interpreted struct{ workers [][]worker } // by program

// newInterpreted readies some machines for each program, which run at the same time.
func newInterpreted(a *cli.App, programs []program, cores int) *interpreted {
	x := &interpreted{workers: make([][]worker, len(programs))}
	for i, p := range programs {
		for range cores {
			x.workers[i] = append(x.workers[i], newMachineWorker(a, &p))
		}
	}
	return x
}

func (x *interpreted) ask(ctx context.Context, program int, qs []Query, e Effort) ([]Answer, error) {
	return answerAll(ctx, x.workers[program], qs, e)
}

func (x *interpreted) close() error { return nil }

// machineWorker asks an interpreter.
type machineWorker struct {
	*cli.App
	*eval.Machine
	entry *ir.Entry
	at    []int // by variable: its place among the outputs
}

func newMachineWorker(a *cli.App, p *program) *machineWorker {
	m := &machineWorker{a, eval.New(p.r.Program, p.r.Model), p.entry, make([]int, len(p.r.Model.Vars))}
	for i, id := range p.entry.Outs {
		m.at[p.r.Program.Spans[id].Var] = i
	}
	return m
}

func (m *machineWorker) enter(q *Query) error {
	m.ClearEvidence()
	for _, v := range q.Known {
		if err := m.Observe(model.VarID(v), q.Row[v]); err != nil {
			return err
		}
	}
	return nil
}

func (m *machineWorker) infer(ctx context.Context, q *Query, e Effort) (settled bool, err error) {
	settled = true
	err = cli.Guard(func() error {
		switch {
		case m.entry.Chain != nil:
			_, err := m.RunChain(ctx, m.entry, pgmrt.ChainOptions{Iterations: e.Sweeps, BurnIn: e.BurnIn, Seed: q.Seed})
			return err
		case m.entry.Loop != nil:
			r, err := m.RunLoop(ctx, m.entry, pgmrt.LoopOptions{})
			settled = r.Status == pgmrt.Converged
			return err
		}
		return m.RunContext(ctx, m.entry)
	})
	return settled, err
}

func (m *machineWorker) posterior(v, state int) float64 { return m.Posterior(m.at[v])[state] }

// named is the place of a program.
func named(programs []program, name string) int {
	return slices.IndexFunc(programs, func(p program) bool { return p.name == name })
}
