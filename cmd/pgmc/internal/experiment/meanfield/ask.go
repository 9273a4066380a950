package meanfield

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/timing"
)

// Query asks for the probability of each state of a row that is not evidence. This file is also
// part of the program that runs compiled packages.
type Query struct {
	Row   []int  `json:"row"`   // by variable: its state, counted from 0
	Known []int  `json:"known"` // the variables that are evidence, ascending
	Seed  uint64 `json:"seed"`  // seed of a method that samples
}

// Answer holds the probabilities of a query's states.
type Answer struct {
	P       []float64 `json:"p"`       // by variable; 1 for evidence
	Seconds float64   `json:"seconds"` // CPU time
	Settled bool      `json:"settled"` // the method is exact or samples, or its loop converged
}

// Effort is the length of chains. A zero field means the program's own.
type Effort struct {
	Sweeps int `json:"sweeps"` // number of sweeps that count
	BurnIn int `json:"burn_in"`
}

// worker answers queries one by one.
type worker interface {
	// enter sets the evidence.
	enter(q *Query) error
	// infer runs the inference. Only this call is timed.
	infer(ctx context.Context, q *Query, e Effort) (converged bool, err error)
	// posterior returns the probability of a state.
	posterior(v, state int) float64
}

// answerAll spreads the queries over workers. The answers do not depend on the number of workers.
func answerAll(ctx context.Context, workers []worker, qs []Query, e Effort) ([]Answer, error) {
	answers, failures := make([]Answer, len(qs)), make([]error, len(workers))
	var next atomic.Int64
	var failed atomic.Bool
	var wg sync.WaitGroup
	for k, a := range workers {
		wg.Go(func() {
			runtime.LockOSThread() // the clock reads the time of this thread
			defer runtime.UnlockOSThread()
			for !failed.Load() {
				i := int(next.Add(1)) - 1
				if i >= len(qs) {
					return
				}
				if failures[k] = answers[i].ask(ctx, a, &qs[i], e); failures[k] != nil {
					failed.Store(true)
				}
			}
		})
	}
	wg.Wait()
	for _, err := range failures {
		if err != nil {
			return nil, err
		}
	}
	return answers, nil
}

// ask sets t to the answer of w to one query.
func (t *Answer) ask(ctx context.Context, a worker, q *Query, e Effort) (err error) {
	if err := a.enter(q); err != nil {
		return err
	}
	begin := timing.ThreadTime()
	t.Settled, err = a.infer(ctx, q, e)
	t.Seconds = (timing.ThreadTime() - begin).Seconds()
	if err != nil {
		return err
	}
	t.P = make([]float64, len(q.Row))
	for v, state := range q.Row {
		t.P[v] = a.posterior(v, state)
	}
	for _, v := range q.Known {
		t.P[v] = 1
	}
	return nil
}
