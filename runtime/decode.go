package pgmrt

import "math"

// DecodeStatus says what is known of states that were chosen by messages.
type DecodeStatus uint8

// What may be known. Of the first, iterating has not settled; of the last, the states have probability 0.
const (
	DecodeNotConverged DecodeStatus = iota
	DecodeConverged                 // every belief has the states as its best, or the bound is reached
	DecodeAmbiguous                 // likewise, but others may be as good; or some beliefs have several best states, and the bound is not reached
	DecodeNotDecodable              // some belief has others as its best
	DecodeInfeasible
)

var decodeNames = [...]string{"not converged", "converged", "ambiguous", "not decodable", "infeasible"}

// String is such as "not decodable".
func (s DecodeStatus) String() string { return decodeNames[s] }

// DecodeReport says how a query went that chooses states by messages.
type DecodeReport struct {
	Status     DecodeStatus
	Iterations int
	Residual   float64 // what was left: the largest change of a message, or the last gain of the bound
	Bound      float64 // no states have a larger log-probability; +Inf where nothing is known
	Gap        float64 // Bound less the log-probability of the states; 0, which is up to 1e-7, proves that these are the best
}

// Decoding is what a loop leaves of states that it chose.
type Decoding struct {
	LogP    float64 // of the states
	Bound   float64 // of all states; +Inf where the method bounds nothing
	Slack   float64 // how far the states are from the best of each belief
	Ties    bool    // some belief has several best states
	Bounds  bool    // the method bounds
	Settles bool    // once it has settled, states without slack are the best
}

// mostSlack is what may be left between beliefs and states by messages that have settled, all factors together.
const mostSlack = 1e-6

// proofGap is the gap between states and their bound up to which they are the same: more than adding up thousands of numbers leaves.
const proofGap = 1e-7

// Report says how it went.
func (d *Decoding) Report(r Report) DecodeReport {
	out := DecodeReport{Iterations: r.Iterations, Residual: r.Residual, Bound: math.Inf(1), Gap: math.Inf(1)}
	settled := r.Status == Converged
	if d.Bounds {
		out.Bound, out.Gap = d.Bound, d.Bound-d.LogP
		if out.Gap <= proofGap {
			out.Gap = 0
		}
	} else if d.Settles && settled && d.Slack <= mostSlack {
		out.Bound, out.Gap = d.LogP, 0
	}
	switch {
	case math.IsInf(d.LogP, -1):
		out.Status, out.Gap = DecodeInfeasible, math.Inf(1)
	case d.Bounds && out.Gap == 0:
		out.Status = DecodeConverged
	case !settled:
	case d.Slack > mostSlack, d.Bounds && !d.Ties:
		out.Status = DecodeNotDecodable
	case d.Ties:
		out.Status = DecodeAmbiguous
	default:
		out.Status = DecodeConverged
	}
	return out
}
