package pgmrt

import "math"

// DecodeStatus says whether states that were decoded from messages are optimal.
type DecodeStatus uint8

// The statuses. DecodeNotConverged means that the iteration has not converged, and the last status
// that the states have probability 0.
const (
	DecodeNotConverged DecodeStatus = iota
	DecodeConverged                 // the states are the best of every belief, or the bound is reached
	DecodeAmbiguous                 // as DecodeConverged, but other states may be as good; or some beliefs have several best states, and the bound is not reached
	DecodeNotDecodable              // the states are not the best of some belief
	DecodeInfeasible
)

var decodeNames = [...]string{"not converged", "converged", "ambiguous", "not decodable", "infeasible"}

// String returns the status in words, such as "not decodable".
func (s DecodeStatus) String() string { return decodeNames[s] }

// DecodeReport is the report of a query that decodes states from messages.
type DecodeReport struct {
	Status     DecodeStatus
	Iterations int
	Residual   float64 // the largest change of a message in the last iteration, or the last gain of the bound
	Bound      float64 // an upper bound of the log-probability of all states; +Inf if unknown
	Gap        float64 // Bound less the log-probability of the states; 0, which covers up to 1e-7, proves that these are the best

	// Strong reports that the states are the best of every belief of converged max-product
	// messages. They are then a strong local optimum: no states are better that differ only in
	// variables whose factors form components of at most one cycle each.
	Strong bool
}

// Decoding is the result of a loop that decodes states.
type Decoding struct {
	LogP    float64 // of the states
	Bound   float64 // of all states; +Inf if the method has none
	Slack   float64 // the distance of the states from the best of each belief
	Ties    bool    // some belief has several best states
	Bounds  bool    // whether the method has a bound
	Settles bool    // whether states without slack are the best once the loop has converged
}

// mostSlack is the largest difference between beliefs and states, over all factors, that counts as
// none after convergence.
const mostSlack = 1e-6

// proofGap is the gap between states and their bound up to which they count as equal. It exceeds
// the rounding of sums of thousands of numbers.
const proofGap = 1e-7

// Report returns the report of the loop.
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
	out.Strong = !d.Bounds && settled && d.Slack <= mostSlack && !math.IsInf(d.LogP, -1)
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
