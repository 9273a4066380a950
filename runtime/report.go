package pgmrt

// Status is how an iteration ended.
type Status uint8

// The ways in which an iteration ends.
const (
	NotConverged Status = iota
	Converged
)

// String returns "converged" or "not converged".
func (s Status) String() string {
	if s == Converged {
		return "converged"
	}
	return "not converged"
}

// Report is the report of an iterative query.
type Report struct {
	Status     Status
	Iterations int
	Residual   float64 // the largest change of a probability in the last iteration
}
