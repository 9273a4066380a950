package pgmrt

// SearchError says that a search ended before its answer was proven. Bound is the natural logarithm of a probability that no answer
// exceeds.
type SearchError struct {
	Bound float64
	Cause error
}

// Error reads `the best states so far are not proven: context deadline exceeded`.
func (e *SearchError) Error() string {
	return "the best states so far are not proven: " + e.Cause.Error()
}

// Unwrap gives the cause, which is the error of a context.
func (e *SearchError) Unwrap() error { return e.Cause }
