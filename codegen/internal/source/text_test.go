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
