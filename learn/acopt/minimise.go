package acopt

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"

	"github.com/pgmc-go/pgmc/learn/internal/convex"
	"github.com/pgmc-go/pgmc/learn/learner"
)

// checkpoint is the state of a fit that is stored.
type checkpoint struct {
	Fit         convex.State `json:"fit"`
	Evaluations int          `json:"evaluations"`
}

// String identifies a fit by its options, its initial circuit and the network that it approximates.
func (f *fit) String() string {
	h := fnv.New64a()
	fmt.Fprint(h, f.d.Nodes)
	if f.target != nil {
		fmt.Fprint(h, f.target.rows)
	}
	return fmt.Sprintf("%+v on circuit %016x", *f.l, h.Sum64())
}

// minimise minimises an objective over the weights until convergence or until ctx ends, and stores
// checkpoints.
func (f *fit) minimise(ctx context.Context, objective func(weights, gradient []float64) float64) error {
	saver := f.job.Saver("acopt", f)
	m := convex.New(objective, f.weights, convex.Options{Steps: f.l.Steps, Tolerance: f.l.Tolerance, Stop: func() bool {
		f.job.ReportProgress(learner.Event{Done: f.evaluations})
		return ctx.Err() != nil
	}})
	var from checkpoint
	ok, err := saver.Load(&from)
	if err != nil {
		return err
	}
	if ok {
		if err := m.Resume(from.Fit); err != nil {
			return learner.Damaged(err)
		}
		if from.Evaluations < 0 {
			return learner.Damaged(errors.New("it has a negative count"))
		}
		f.evaluations = from.Evaluations
	}
	for m.Next() {
		if err := saver.Keep(checkpoint{m.State(), f.evaluations}); err != nil {
			return err
		}
	}
	return saver.End(ctx)
}
