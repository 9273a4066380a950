package irtest

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// recorder is a testing.TB that records its errors.
type recorder struct {
	testing.TB
	errors []string
}

func (r *recorder) Helper() {}
func (r *recorder) Errorf(format string, args ...any) {
	r.errors = append(r.errors, fmt.Sprintf(format, args...))
}

func TestCompareShowsTheFirstDifference(t *testing.T) {
	a := txtar.Parse([]byte("-- out --\none\ntwo\n"))
	for _, c := range []struct{ name, got, want string }{
		{"same", "one\ntwo\n", ""},
		{"no newline at the end", "one\ntwo", ""},
		{"line", "one\n2\n", "out:2 differs\ngot  \"2\"\nwant \"two\"\n"},
		{"short", "one\n", "out:2 differs\ngot  (end of file)\nwant \"two\"\n"},
		{"long", "one\ntwo\nthree\n", "out:3 differs\ngot  \"three\"\nwant (end of file)\n"},
	} {
		r := &recorder{TB: t}
		compare(r, a, []txtar.File{{Name: "out", Data: []byte(c.got)}})
		got := strings.Join(r.errors, "\n")
		if (got == "") != (c.want == "") || !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: %q; want %q", c.name, got, c.want)
		}
	}
}

func TestReplaced(t *testing.T) {
	a := txtar.Parse([]byte("c\n-- in --\nx\n-- out --\nold\n"))
	got := string(txtar.Format(replaced(a, []txtar.File{{Name: "out", Data: []byte("new\n")}, {Name: "more", Data: []byte("m\n")}})))
	if want := "c\n-- in --\nx\n-- out --\nnew\n-- more --\nm\n"; got != want {
		t.Errorf("got %q; want %q", got, want)
	}
}
