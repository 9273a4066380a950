package pgmrt

// Status is how an iteration ended.
type Status uint8

// The ways in which an iteration ends.
const (
	NotConverged Status = iota
	Converged
	Incomplete // nothing changes any more, but the last iteration left out messages
)

var statusNames = [...]string{"not converged", "converged", "incomplete"}

// String returns the status in words, such as "not converged".
func (s Status) String() string { return statusNames[s] }

// Report is the report of an iterative query.
type Report struct {
	Status     Status
	Iterations int
	Residual   float64 // the largest change of a probability in the last iteration
}

// LeftOut notes how many messages the last iteration left out.
func (r *Report) LeftOut(messages float64) {
	if r.Status == Converged && messages > 0 {
		r.Status = Incomplete
	}
}
