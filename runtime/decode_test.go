package pgmrt

import (
	"math"
	"testing"
)

// TestDecodingReport has a case for each status.
func TestDecodingReport(t *testing.T) {
	settled, inf := Report{Status: Converged, Iterations: 3}, math.Inf(1)
	for _, c := range []struct {
		d    Decoding
		r    Report
		want DecodeStatus
		gap  float64
	}{
		{Decoding{LogP: -2, Bound: -2 + 1e-9, Bounds: true, Ties: true}, settled, DecodeConverged, 0},
		{Decoding{LogP: -2, Bound: -2, Bounds: true}, Report{}, DecodeConverged, 0},
		{Decoding{LogP: -2, Bound: -1, Bounds: true}, Report{}, DecodeNotConverged, 1},
		{Decoding{LogP: -2, Bound: -1, Bounds: true, Ties: true}, settled, DecodeAmbiguous, 1},
		{Decoding{LogP: -2, Bound: -1, Bounds: true}, settled, DecodeNotDecodable, 1},
		{Decoding{LogP: -inf, Bound: -1, Bounds: true, Ties: true}, settled, DecodeInfeasible, inf},
		{Decoding{LogP: -2, Bound: inf}, settled, DecodeConverged, inf},
		{Decoding{LogP: -2, Bound: inf, Settles: true}, settled, DecodeConverged, 0},
		{Decoding{LogP: -2, Bound: inf, Settles: true, Ties: true}, settled, DecodeAmbiguous, 0},
		{Decoding{LogP: -2, Bound: inf, Settles: true, Slack: .1}, settled, DecodeNotDecodable, inf},
		{Decoding{LogP: -2, Bound: inf, Settles: true}, Report{}, DecodeNotConverged, inf},
		{Decoding{LogP: -inf, Bound: inf, Slack: inf}, settled, DecodeInfeasible, inf},
	} {
		if got := c.d.Report(c.r); got.Status != c.want || got.Gap != c.gap || got.Iterations != c.r.Iterations {
			t.Errorf("%+v gives %+v; want %v with a gap of %v", c.d, got, c.want, c.gap)
		}
	}
}
