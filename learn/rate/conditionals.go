package rate

import (
	"slices"

	"github.com/pgmc-go/pgmc/ir/diag"
)

// Conditionals computes conditional log-likelihoods of rows: of a part of the variables given the
// rest of a row, and by a [Protocol]. NewConditionals makes one, and Add counts a row.
type Conditionals struct {
	Joint Tally // of the targets given the rest of the row, in nats for each row
	// CMLL and CLL are by fraction of the protocol, in nats for each variable that is not evidence:
	// of each variable on its own, and of all together.
	CMLL, CLL []Tally

	by       *Engine
	targets  []int
	protocol Protocol
}

// NewConditionals returns tallies of zero for the model of an engine. targets are the indices of
// the variables that Joint is about, among those that are not latent; nil leaves Joint empty.
// Without fractions in p, CMLL and CLL are empty.
func NewConditionals(by *Engine, targets []int, p Protocol) *Conditionals {
	n := len(p.Fractions)
	return &Conditionals{by: by, targets: targets, protocol: p, CMLL: make([]Tally, n), CLL: make([]Tally, n)}
}

// Add counts the next row: the states of the variables that are not latent, data.Missing without
// one, and its weight. The error is infer.ErrImpossible if an approximate method gives no
// probability to evidence that the protocol draws.
func (c *Conditionals) Add(pos diag.Pos, states []int, weight float64) error {
	if c.targets != nil {
		if err := c.addJoint(pos, states, weight); err != nil {
			return err
		}
	}
	return c.protocol.Row(c.by, states, func(i int, cmll, cll float64) {
		c.CMLL[i].Add(pos, cmll, weight)
		c.CLL[i].Add(pos, cll, weight)
	})
}

// addJoint counts the log-likelihood of the targets given the rest of a row.
func (c *Conditionals) addJoint(pos diag.Pos, states []int, weight float64) error {
	evidence := slices.Repeat([]bool{true}, len(states))
	for _, i := range c.targets {
		evidence[i] = false
	}
	whole, err := c.by.LogProb(states)
	if err != nil {
		return err
	}
	log, err := Conditional(c.by, states, evidence, whole)
	if err != nil {
		return err
	}
	c.Joint.Add(pos, log, weight)
	return nil
}
