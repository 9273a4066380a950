package source

import (
	"strings"
	"testing"
)

func TestWrap(t *testing.T) {
	long := `"` + strings.Repeat("a name ", 20) + `"`
	got := Wrap("Word "+strings.Repeat("word ", 30)+"and", long+" ends.", "", "List:", "  - an item", "", `"+build x" stays whole.`)
	for _, l := range got {
		if !strings.HasPrefix(l, "//") || strings.TrimRight(l, " ") != l || len(l) > 100 && !strings.Contains(l, long) {
			t.Errorf("line %q", l)
		}
	}
	want := " and\n// " + long + "\n// ends.\n//\n// List:\n//   - an item\n//\n// \"+build x\" stays whole."
	if text := strings.Join(got, "\n"); !strings.HasSuffix(text, want) {
		t.Errorf("got\n%s\nwant at the end\n%s", text, want)
	}
}

// TestIndexes checks that names of a model, as fields and parameters, are not taken for a variable.
func TestIndexes(t *testing.T) {
	for code, want := range map[string]bool{
		"s[0] = 1": true, "x := f(s[:])": true, "soft.States[:]": false, "ev.s[0]": false, "tests[1]": false, "états[1]": false, "_s[0]": false, "s := 1": false, "": false,
		"soft.States[:]; copy(s[1:], x)": true,
	} {
		if got := Indexes(code, "s"); got != want {
			t.Errorf("%q: %v; want %v", code, got, want)
		}
	}
}
