// Package temporal holds what package infer computes about sequences by itself, without a compiled
// program: beams, structured mean field, draws from CPDs, windows, and the sweep that goes forwards
// and back over slices in little memory.
package temporal

// Unknown is the state of a variable that was not observed.
const Unknown = -1

// Slice is the evidence on the discrete variables of a slice, by variable.
type Slice struct {
	State []int       // the observed state, or Unknown
	Soft  [][]float64 // the likelihood of each state; nil without one
}
