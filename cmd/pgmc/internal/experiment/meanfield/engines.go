package meanfield

import (
	"context"
	"slices"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir"
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
			x.workers[i] = append(x.workers[i], newInProcess(a, &p))
		}
	}
	return x
}

func (x *interpreted) ask(ctx context.Context, program int, qs []Query, e Effort) ([]Answer, error) {
	return answerAll(ctx, x.workers[program], qs, e)
}

func (x *interpreted) close() error { return nil }

// inProcess is a worker that asks an engine in process.
type inProcess struct {
	*cli.App
	engine   *infer.Engine
	evidence *infer.Findings
	chains   bool // the engine runs chains, which have an effort
	answer   *infer.Marginals
}

func newInProcess(a *cli.App, p *program) *inProcess {
	return &inProcess{App: a, engine: infer.Of(p.r, 0), evidence: infer.NewFindings(len(p.r.Model.Vars)), chains: p.entry.Chain != nil}
}

func (w *inProcess) enter(q *Query) error {
	w.evidence.Clear()
	for _, v := range q.Known {
		w.evidence.State[v] = q.Row[v]
	}
	return nil
}

func (w *inProcess) infer(ctx context.Context, q *Query, e Effort) (settled bool, err error) {
	if w.chains {
		w.engine.SetRunOptions(infer.RunOptions{Iterations: e.Sweeps, BurnIn: e.BurnIn, Seed: q.Seed})
	}
	err = cli.Guard(func() error {
		w.answer, err = w.engine.Marginals(ctx, w.evidence)
		return err
	})
	if err != nil {
		return false, err
	}
	return w.chains || w.answer.Report == nil || w.answer.Report.Converged, nil
}

// posterior returns an element of the last answer. No variable of the experiment is latent.
func (w *inProcess) posterior(v, state int) float64 { return w.answer.List[v].P[state] }

// named is the place of a program.
func named(programs []program, name string) int {
	return slices.IndexFunc(programs, func(p program) bool { return p.name == name })
}
