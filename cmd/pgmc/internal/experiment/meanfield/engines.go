package meanfield

import (
	"context"
	"slices"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir"
)

// program is a compiled program with one query.
type program struct {
	name   string
	method string
	r      *compiler.Result
	entry  *ir.Entry
}

// engine answers queries by one of several programs.
type engine interface {
	ask(ctx context.Context, program int, qs []Query, e Effort) ([]Answer, error)
	close() error
}

// interpreted runs programs in process.
type interpreted struct{ workers [][]worker } // by program

// newInterpreted returns an engine with one worker a core for each program.
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

// inProcess is a worker that runs infer.Engine.
type inProcess struct {
	*cli.App
	engine   *infer.Engine
	evidence *infer.Findings
	chains   bool // the method runs chains, for which the effort counts
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

func (w *inProcess) infer(ctx context.Context, q *Query, e Effort) (converged bool, err error) {
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

// posterior returns the probability of a state in the last answer. No variable of the experiment is
// latent.
func (w *inProcess) posterior(v, state int) float64 { return w.answer.List[v].P[state] }

// named returns the index of a program, or -1.
func named(programs []program, name string) int {
	return slices.IndexFunc(programs, func(p program) bool { return p.name == name })
}
