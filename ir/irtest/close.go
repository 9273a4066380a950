package irtest

import (
	"math"
	"testing"
)

// Tolerance is the difference up to which two results are equal, relative for numbers above one. A
// test that allows more gives a reason.
const Tolerance = 1e-12

// Near reports whether |got-want| <= tol·max(1, |want|), or both are the same infinity. NaN is near
// nothing.
func Near(got, want, tol float64) bool {
	return got == want || math.Abs(got-want) <= tol*max(1, math.Abs(want)) && !math.IsInf(want, 0)
}

// Close fails the test if got and want differ in length or an element of got is not [Near] the
// element of want. It reports whether they agree.
func Close(t testing.TB, got, want []float64, tol float64) bool {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%d numbers, %v; want %d, %v", len(got), got, len(want), want)
		return false
	}
	for i := range got {
		if !Near(got[i], want[i], tol) {
			t.Errorf("number %d is %.17g; want %.17g, within %g\ngot  %v\nwant %v", i, got[i], want[i], tol, got, want)
			return false
		}
	}
	return true
}

// CloseTo is Close for one number.
func CloseTo(t testing.TB, got, want, tol float64) bool {
	t.Helper()
	if !Near(got, want, tol) {
		t.Errorf("got %.17g; want %.17g, within %g", got, want, tol)
		return false
	}
	return true
}
