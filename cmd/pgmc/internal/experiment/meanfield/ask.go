package meanfield

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/timing"
)

// Query is a question of an experiment: how probable each state of a row is that is no evidence.
// This file is also a part of the program that asks compiled packages.
type Query struct {
	Row   []int  `json:"row"`   // by variable: its state, counted from 0
	Known []int  `json:"known"` // the variables that are evidence
	Seed  uint64 `json:"seed"`  // of methods that sample
}

// told is the answer.
type Answer struct {
	P       []float64 `json:"p"`       // by variable; 1 where it is evidence
	Seconds float64   `json:"seconds"` // of a processor
	Settled bool      `json:"settled"` // a method that iterates ended before it had to
}

// Effort is how long chains are; zero is as compiled.
type Effort struct {
	Sweeps int `json:"sweeps"` // that count
	BurnIn int `json:"burn_in"`
}

// asker answers questions, one after the other.
type worker interface {
	// enter takes the evidence.
	enter(q *Query) error
	// infer is what is timed.
	infer(ctx context.Context, q *Query, e Effort) (settled bool, err error)
	// posterior is the probability of a state.
	posterior(v, state int) float64
}

// answerAll has some workers answer questions at the same time. What the answers are does not hang
// on how many there are.
func answerAll(ctx context.Context, askers []worker, qs []Query, e Effort) ([]Answer, error) {
	answers, failures := make([]Answer, len(qs)), make([]error, len(askers))
	var next atomic.Int64
	var failed atomic.Bool
	var wg sync.WaitGroup
	for k, a := range askers {
		wg.Go(func() {
			runtime.LockOSThread() // whose time is measured
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

// by asks one question.
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
