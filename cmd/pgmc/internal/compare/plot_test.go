package compare

import (
	"bytes"
	"strings"
	"testing"
)

// TestPlotBytes checks that equal reports give equal bytes and that the plot labels each method
// that has an error.
func TestPlotBytes(t *testing.T) {
	e := func(x float64) *float64 { return &x }
	r := &report{Model: "a & b", Methods: []methodReport{
		{Method: "jointree", Largest: e(0), Seconds: 1e-5}, {Method: "belief", Largest: e(.02), Seconds: 0},
		{Method: "x<y", Largest: e(.02), Seconds: 3e-5}, {Method: "refused", Refused: "no", Largest: e(1)}, {Method: "gibbs"},
	}}
	var one, two bytes.Buffer
	if err := r.writeSVG(&one); err != nil {
		t.Fatal(err)
	}
	if err := r.writeSVG(&two); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(one.Bytes(), two.Bytes()) {
		t.Error("equal reports give different bytes")
	}
	for label, want := range map[string]bool{"a &amp; b": true, "jointree": true, "belief": true, "x&lt;y": true, "refused": false, "gibbs": false} {
		if got := strings.Contains(one.String(), ">"+label+"</text>"); got != want {
			t.Errorf("the plot holds %q: %v; want %v", label, got, want)
		}
	}
	if err := (&report{}).writeSVG(&one); err != nil {
		t.Error("without methods:", err)
	}
}
