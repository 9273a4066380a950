package infer

import (
	"context"
	"math"
)

// Conflict returns a part of impossible evidence with findings that contradict each other: it is
// impossible too, and without any one of its findings it is not. It returns nil if the evidence is
// possible. It asks for ln P once for each finding, and fails with [ErrNoAnswer] if the method is
// not exact.
func (e *Engine) Conflict(ctx context.Context, given Given) (*Findings, error) {
	if e.method != nil {
		return nil, ErrNoAnswer
	}
	least, err := e.resolve(given)
	if err != nil {
		return nil, err
	}
	impossible := func(f *Findings) (bool, error) {
		logP, err := e.LogProb(ctx, f)
		return math.IsInf(logP, -1), err
	}
	if is, err := impossible(least); err != nil || !is {
		return nil, err
	}
	for _, v := range least.Known() {
		less := least.without(v)
		is, err := impossible(less)
		if err != nil {
			return nil, err
		}
		if is {
			least = less
		}
	}
	return least, nil
}
