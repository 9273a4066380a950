package pgmrt_test

import (
	"fmt"
	"slices"
	"testing"

	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// track is a filter whose covariances, the second and the third number of its belief, go round a
// cycle after some slices.
type track struct {
	phase  pgmrt.Phase
	belief []float64
	kept   int // steps with gains that were kept
	added  int // steps that were added
}

// covariances returns the covariances after a slice.
func covariances(slice, settles, cycle int) (a, b float64) {
	if slice > settles {
		slice = settles + (slice-settles)%cycle
	}
	return float64(slice), float64(slice % 3)
}

// step makes the step to a slice. The gains are a function of the covariances before it.
func (f *track) step(t *testing.T, s *pgmrt.Steady, seen uint64, slice, settles, cycle int) {
	t.Helper()
	before := slices.Clone(f.belief)
	want := []float64{before[1] + 10*before[2], float64(seen)}
	a, b := covariances(slice, settles, cycle)
	f.belief[0]++ // the mean
	if gains := s.Gains(&f.phase, seen); gains != nil {
		if !slices.Equal(gains, want) {
			t.Fatalf("slice %d: gains %v; want %v", slice, gains, want)
		}
		copy(f.belief[1:], f.phase.Advance())
		f.kept++
	} else {
		f.belief[1], f.belief[2] = a, b
		if s.Due(&f.phase, f.belief) {
			if !s.Has(before, seen) {
				s.Add(before, seen, want)
				f.added++
			}
			s.Link(&f.phase, before, f.belief, seen)
		}
	}
	if want := []float64{before[0] + 1, a, b}; !slices.Equal(f.belief, want) {
		t.Fatalf("slice %d: belief %v; want %v", slice, f.belief, want)
	}
}

// TestSteadyCycles checks that gains are kept once the covariances go round a cycle, of each length
// up to the longest.
func TestSteadyCycles(t *testing.T) {
	for cycle := 1; cycle <= pgmrt.SteadySteps+1; cycle++ {
		s := pgmrt.NewSteady([]int32{1, 2}, 2)
		f := track{belief: []float64{0, 0, 0}}
		const slices, settles = 1000, 100
		const late = settles + 6*pgmrt.SteadySteps
		for i := 1; i <= slices; i++ {
			f.step(t, s, 5, i, settles, cycle)
		}
		if want := cycle <= pgmrt.SteadySteps; want && f.kept < slices-late || !want && f.kept > 0 {
			t.Errorf("cycle of %d: %d steps by gains that were kept", cycle, f.kept)
		}
	}
}

// TestSteadyShared checks that filters share steps, that others are replaced in turn, that a copy
// of a filter goes its own way, and that a filter does not take the gains of another engine.
func TestSteadyShared(t *testing.T) {
	s, other := pgmrt.NewSteady([]int32{1, 2}, 2), pgmrt.NewSteady([]int32{1, 2}, 2)
	fs := make([]track, 40) // more patterns than steps are kept
	for i := range fs {
		fs[i].belief = []float64{0, 0, 0}
	}
	added := 0
	for slice := 1; slice <= 400; slice++ {
		for i := range fs {
			fs[i].step(t, s, uint64(i/2), slice, 50, 1)
			added += fs[i].added
			fs[i].added = 0
		}
	}
	if added > 100*len(fs) {
		t.Errorf("%d steps were added in %d; want filters to wait that replace each other's", added, 400*len(fs))
	}
	f := &fs[0]
	for slice := range 5000 {
		f.step(t, s, 0, 401+slice, 50, 1)
	}
	branch := track{f.phase, slices.Clone(f.belief), 0, 0}
	if branch.step(t, s, 0, 501, 50, 1); branch.kept != 1 {
		t.Error("a copy does not take the gains of the filter")
	}
	if branch.step(t, s, 1, 502, 50, 1); branch.kept != 1 {
		t.Error("a step with other observations takes gains")
	}
	before := fmt.Sprint(f.phase)
	if other.Gains(&f.phase, 0) != nil || before != fmt.Sprint(f.phase) {
		t.Error("a filter takes the gains of another engine")
	}
	if f.step(t, s, 0, 501, 50, 1); f.kept < 1000 {
		t.Errorf("%d steps by gains that were kept", f.kept)
	}
}
