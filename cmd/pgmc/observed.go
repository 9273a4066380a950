package main

import (
	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/ir/model"
)

// observed returns, by variable of m, the state that was observed, or -1. It returns nil if no
// variable has one.
func observed(known *infer.Findings, m *model.Model) (states []int) {
	for v, s := range known.State {
		if s == infer.Missing || m.Vars[v].Latent {
			continue
		}
		if states == nil {
			states = make([]int, len(m.Vars))
			for i := range states {
				states[i] = -1
			}
		}
		states[v] = s
	}
	return states
}
