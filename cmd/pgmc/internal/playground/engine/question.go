package engine

import "fmt"

// Question is the evidence of a page, by name of variable.
type Question struct {
	Hard map[string]string    `json:"hard,omitempty"` // the observed state, or the value of a real variable
	Soft map[string][]float64 `json:"soft,omitempty"` // a likelihood for each state
	Do   map[string]string    `json:"do,omitempty"`   // the state that an intervention sets
	MPE  bool                 `json:"mpe,omitempty"`  // whether the most probable completion is wanted

	Limited  bool      `json:"limited,omitempty"`  // of an influence diagram: a decision knows only its parents
	Sequence *Sequence `json:"sequence,omitempty"` // of a model with a transition: the slice that Hard and Soft are about
}

// mostSlices is the most slices of a sequence on the page.
const mostSlices = 1000

// The ways to answer about a slice of a sequence.
const (
	filterSlices = "filter" // given the evidence up to the slice
	smoothSlices = "smooth" // given all evidence
	pathOfSlices = "path"   // as smooth, and with the most probable completion of the sequence
)

// Sequence is what a question about a sequence has beside the evidence on one of its slices.
type Sequence struct {
	Mode   string        `json:"mode"`
	Length int           `json:"length"`        // the number of slices
	At     int           `json:"at"`            // the slice that the question is about, from 0
	Others map[int]Slice `json:"others"`        // the evidence on others
	Var    string        `json:"var,omitempty"` // the variable whose course is wanted
}

// Slice is the evidence on a slice.
type Slice struct {
	Hard map[string]string    `json:"hard,omitempty"`
	Soft map[string][]float64 `json:"soft,omitempty"`
}

// sequence returns the slice of a question: without one, the only slice of a sequence.
func (q *Question) sequence() *Sequence {
	if q.Sequence != nil {
		return q.Sequence
	}
	return &Sequence{Mode: filterSlices, Length: 1}
}

// check returns an error if the slice is none of the sequence.
func (s *Sequence) check() error {
	if s.Length < 1 || s.Length > mostSlices || s.At < 0 || s.At >= s.Length {
		return fmt.Errorf("found slice %d of %d; want one of at most %d", s.At, s.Length, mostSlices)
	}
	return nil
}
