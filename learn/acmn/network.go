package acmn

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/pgmc-go/pgmc/learn/internal/growing"
	"github.com/pgmc-go/pgmc/learn/internal/rowset"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// feature is a conjunction. Its number is its parameter's in the circuit.
type feature struct {
	tests []rowset.Test
	seen  float64 // weight of the rows in which it holds
	valid float64 // the same for the validation rows
}

// network is the network that the search grows, with its circuit.
type network struct {
	cards    []int // by variable: its number of states
	offsets  []int // by variable: the index of its first state
	features []feature
	weights  []float64 // by feature, in nats
	fitted   int       // number of features at the last fit

	c     *growing.Circuit
	tape  *growing.Tape
	theta []float64 // by feature: its factor, exp of its weight, scaled for the features of a single variable
	z     float64   // the sum of the circuit, near 1 since factors are scaled
	logZ  float64   // ln of the partition function of the network, whose factors are not scaled
	level float64   // further scale of the factors of each variable, as a logarithm
}

// evaluate evaluates the model for weights: z is the sum of the circuit, and logZ is ln of the
// partition function of the network. The factors of single variables are scaled so that each
// variable's sum to the same number; otherwise a circuit of hundreds of variables would overflow or
// underflow.
func (n *network) evaluate(weights []float64) (z, logZ float64) {
	n.theta = n.theta[:0]
	for v := range n.offsets {
		own := n.own(weights, v)
		scale := n.scale(own)
		logZ += scale
		for _, w := range own {
			n.theta = append(n.theta, math.Exp(w-scale))
		}
	}
	for _, w := range weights[len(n.theta):] {
		n.theta = append(n.theta, math.Exp(w))
	}
	n.tape.All()
	z = n.tape.Eval(n.theta)
	return z, logZ + pgmrt.Ln(z)
}

// own returns the weights of the features of only variable v, by state.
func (n *network) own(weights []float64, v int) []float64 {
	return weights[n.offsets[v]:][:n.cards[v]]
}

// scale returns the logarithm of the scale of a variable's own factors.
func (n *network) scale(own []float64) float64 { return floats.LogSumExp(own) + n.level }

// settle sets the level at which the circuit sums to 1, given the logarithm of its sum.
func (n *network) settle(off float64) {
	for range mostSettling {
		n.z, n.logZ = n.evaluate(n.weights)
		log := pgmrt.Ln(n.z)
		if math.Abs(log) <= off {
			return
		}
		if math.IsNaN(log) { // undefined because of infinities
			log = math.Inf(1)
		}
		n.level += max(-farthest, min(log, farthest)) / float64(len(n.cards))
	}
}

const (
	mostSettling = 64  // most iterations of settle
	farthest     = 700 // the most by which one of them changes the sum, in nats; beyond it, float64 overflows
)
