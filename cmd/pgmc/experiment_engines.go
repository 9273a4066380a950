package main

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

// askedProgram is a program of an experiment, with the one query that is asked.
type askedProgram struct {
	name   string
	method string
	r      *compiler.Result
	entry  *ir.Entry
}

// fieldEngine answers the questions of an experiment by one of some programs.
type fieldEngine interface {
	ask(ctx context.Context, program int, qs []inquiry, e effort) ([]told, error)
	close() error
}

// interpreted runs programs in process.
type interpreted struct{ askers [][]asker } // by program

// newInterpreted readies some machines for each program, which run at the same time.
func (a *app) newInterpreted(programs []askedProgram, cores int) *interpreted {
	x := &interpreted{askers: make([][]asker, len(programs))}
	for i, p := range programs {
		for range cores {
			x.askers[i] = append(x.askers[i], a.newMachineAsker(&p))
		}
	}
	return x
}

func (x *interpreted) ask(ctx context.Context, program int, qs []inquiry, e effort) ([]told, error) {
	return askAll(ctx, x.askers[program], qs, e)
}

func (x *interpreted) close() error { return nil }

// machineAsker asks an interpreter.
type machineAsker struct {
	*app
	*eval.Machine
	entry *ir.Entry
	at    []int // by variable: its place among the outputs
}

func (a *app) newMachineAsker(p *askedProgram) *machineAsker {
	m := &machineAsker{a, eval.New(p.r.Program, p.r.Model), p.entry, make([]int, len(p.r.Model.Vars))}
	for i, id := range p.entry.Outs {
		m.at[p.r.Program.Spans[id].Var] = i
	}
	return m
}

func (m *machineAsker) enter(q *inquiry) error {
	m.ClearEvidence()
	for _, v := range q.Known {
		if err := m.Observe(model.VarID(v), q.Row[v]); err != nil {
			return err
		}
	}
	return nil
}

func (m *machineAsker) infer(ctx context.Context, q *inquiry, e effort) (settled bool, err error) {
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

func (m *machineAsker) posterior(v, state int) float64 { return m.Posterior(m.at[v])[state] }

// named is the place of a program.
func named(programs []askedProgram, name string) int {
	return slices.IndexFunc(programs, func(p askedProgram) bool { return p.name == name })
}
