// Package structure compares learners of structures by rows drawn from alarm: the distance of their
// networks from the true one, the scores, and the times.
package structure
