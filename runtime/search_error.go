package pgmrt

// SearchError reports that a search ended before its answer was proven. Bound is the natural
// logarithm of a probability that no answer exceeds.
type SearchError struct {
	Bound float64
	Cause error
}

// Error returns a text such as `the best states so far are not proven: context deadline exceeded`.
func (e *SearchError) Error() string {
	return "the best states so far are not proven: " + e.Cause.Error()
}

// Unwrap returns the cause, the error of a context.
func (e *SearchError) Unwrap() error { return e.Cause }
