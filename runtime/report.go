package pgmrt

// Status says how an iteration ended.
type Status uint8

// The ways in which an iteration ends.
const (
	NotConverged Status = iota
	Converged
)

// String is "converged" or "not converged".
func (s Status) String() string {
	if s == Converged {
		return "converged"
	}
	return "not converged"
}

// Report says how an iterative query went.
type Report struct {
	Status     Status
	Iterations int
	Residual   float64 // the largest difference that was left, of a probability
}
