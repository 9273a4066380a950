package diag

import "testing"

func TestNearest(t *testing.T) {
	known := []string{"asia", "tub", "smoke", "lung", "bronc", "either", "xray", "dysp"}
	for _, c := range []struct{ word, want string }{
		{"smok", "smoke"},
		{"smoek", "smoke"}, // two adjacent letters swapped
		{"Smoke", "smoke"}, // only the case differs
		{"XRAY", "xray"},
		{"tb", "tub"},
		{"brnoch", "bronc"},
		{"eyther", "either"},
		{"cough", ""},
		{"", ""},
		{"x", ""},
	} {
		got, ok := nearestTo(c.word, known)
		if got != c.want || ok != (c.want != "") {
			t.Errorf("nearestTo(%q) is %q, %v; want %q", c.word, got, ok, c.want)
		}
	}
	if got, _ := nearestTo("ab", []string{"ac", "ad"}); got != "ac" {
		t.Errorf("a tie goes to %q; want the first", got)
	}
	if got, ok := nearestTo("a", []string{"b", "ab"}); ok {
		t.Errorf("a single letter is near %q", got)
	}
	if got, _ := nearestTo("a", []string{"b", "A"}); got != "A" {
		t.Errorf("a is near %q; want A", got)
	}
	if got, want := DidYouMean("smok", known), `; did you mean "smoke"?`; got != want {
		t.Errorf("DidYouMean is %q; want %q", got, want)
	}
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "abc", 3}, {"abc", "", 3}, {"ab", "ba", 1}, {"kitten", "sitting", 3}, {"ca", "abc", 3}} {
		if got := distance([]rune(c.a), []rune(c.b)); got != c.want {
			t.Errorf("distance of %q and %q is %d; want %d", c.a, c.b, got, c.want)
		}
	}
}
