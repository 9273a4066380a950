package diag_test

import (
	"testing"

	"github.com/pgmc-go/pgmc/ir/diag"
)

func TestPos(t *testing.T) {
	for _, tt := range []struct {
		pos  diag.Pos
		want string
	}{
		{diag.Pos{}, "-"},
		{diag.Pos{File: "a.bif"}, "a.bif"},
		{diag.Pos{File: "a.bif", Line: 3}, "a.bif:3"},
		{diag.Pos{File: "a.bif", Line: 3, Col: 7}, "a.bif:3:7"},
		{diag.Pos{Line: 3, Col: 7}, "-:3:7"},
		{diag.Pos{File: "a.bif", Col: 7}, "a.bif"},
	} {
		if got := tt.pos.String(); got != tt.want {
			t.Errorf("%#v: got %s; want %s", tt.pos, got, tt.want)
		}
	}
}

func TestList(t *testing.T) {
	var a, b diag.List
	if a.Err() != nil || a.HasErrors() || a.Full() {
		t.Error("an empty list has errors")
	}
	p := diag.Pos{File: "f", Line: 1, Col: 2}
	a.Warnf(p, "w %d", 1)
	if a.Err() != nil || len(a.Warnings()) != 1 || a.Warnings()[0].Error() != "f:1:2: warning: w 1" {
		t.Errorf("a warning: %v, %v", a.Err(), a.Warnings())
	}
	for i := range 8 {
		b.Errorf(p, "e %d", i)
		a.Errorf(p, "e %d", i)
	}
	if a.Append(b); !a.Full() || len(a.Errors()) != diag.MaxShown+1 {
		t.Fatalf("%d errors are shown; want %d and a count", len(a.Errors()), diag.MaxShown)
	}
	if last := a.Errors()[diag.MaxShown].Error(); last != "f: and 6 more" {
		t.Errorf("got %q; want a count of the 6 others", last)
	}
	if got, want := b.Err().Error()[:9], "f:1:2: e "; got != want {
		t.Errorf("got %q; want %q", got, want)
	}
}
