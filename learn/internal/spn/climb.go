package spn

import (
	"fmt"
	"math"

	"github.com/pgmc-go/pgmc/learn/learner"
)

// Climb is the state of EM in a round before its counts are used, as a checkpoint stores it. All
// else follows from the rows.
type Climb struct {
	Round       int         `json:"round"`
	Weights     [][]float64 `json:"weights"`
	Last        []float64   `json:"last,omitempty"` // the objective one round before; empty if there was none
	Best        int         `json:"best"`           // the best round so far
	BestWeights [][]float64 `json:"bestWeights"`
}

// check returns an error if a stored climb does not fit; rounds is the most rounds.
func (c *Climb) check(n *Network, rounds int) error {
	if c.Best < 0 || c.Best > c.Round || c.Round > rounds || c.Last != nil && len(c.Last) != 1 {
		return fmt.Errorf("the best round is %d of %d; want at most %d rounds", c.Best, c.Round, rounds)
	}
	if err := n.check(c.BestWeights); err != nil {
		return err
	}
	return n.check(c.Weights)
}

// Weights returns a copy of all weights that are learned, by block.
func (n *Network) Weights() [][]float64 {
	out := make([][]float64, len(n.blocks))
	for i := range n.blocks {
		if n.blocks[i].learned() {
			out[i] = append([]float64(nil), n.blocks[i].weights...)
		}
	}
	return out
}

func (n *Network) restore(weights [][]float64) {
	for i, w := range weights {
		if w != nil {
			copy(n.blocks[i].weights, w)
		}
	}
}

// SetWeights sets the weights to a checkpoint's. It returns an error if they do not fit.
func (n *Network) SetWeights(weights [][]float64) error {
	if err := n.check(weights); err != nil {
		return err
	}
	n.restore(weights)
	return nil
}

func (n *Network) check(weights [][]float64) error {
	if len(weights) != len(n.blocks) {
		return fmt.Errorf("found weights of %d blocks; want %d", len(weights), len(n.blocks))
	}
	for i, w := range weights {
		b := &n.blocks[i]
		if !b.learned() {
			if w != nil {
				return fmt.Errorf("block %d has weights; want none", i)
			}
			continue
		}
		if len(w) != len(b.weights) {
			return fmt.Errorf("block %d has %d weights; want %d", i, len(w), len(b.weights))
		}
		if err := CheckSums(w, len(w)/b.size); err != nil {
			return fmt.Errorf("block %d: %w", i, err)
		}
	}
	return nil
}

// CheckSums returns an error unless weights are distributions of width states, one after the other.
func CheckSums(weights []float64, width int) error {
	sum := 0.0
	for k, w := range weights {
		if !(w >= 0) {
			return fmt.Errorf("found probability %v", w)
		}
		if sum += w; (k+1)%width == 0 {
			if !(math.Abs(sum-1) <= 1e-9) { // far above rounding errors
				return fmt.Errorf("found probabilities that sum to %v; want 1", sum)
			}
			sum = 0
		}
	}
	return nil
}

// Score returns the mean log-likelihood of the validation set, or of the training rows if there is
// none.
func (n *Network) Score(job *learner.Job) float64 {
	set := job.Train
	if job.Valid != nil && job.Valid.Len() > 0 {
		set = job.Valid
	}
	return NewEngine(n, set.Merged(), job.Cores, job.MaxMem).LogLik()
}
