package text_test

import (
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/text"
)

func TestNumber(t *testing.T) {
	for _, c := range []struct {
		s    string
		want float64
		err  string
	}{
		{"0.5", 0.5, ""},
		{"+1.E-3", 0.001, ""},
		{".5", 0.5, ""},
		{"1e-999", 0, ""},
		{"-2", -2, ""},
		{"", 0, "a number"},
		{"1e999", 0, "a number that a float64 can hold"},
		{"1_0", 0, "a number"},
		{"0x1p-2", 0, "a number"},
		{"nan", 0, "a number"},
		{"inf", 0, "a number"},
		{"1e", 0, "a number"},
	} {
		x, err := text.Number(c.s)
		if x != c.want || (err == nil) != (c.err == "") || err != nil && err.Error() != c.err {
			t.Errorf("Number(%q) = %v, %v; want %v, %s", c.s, x, err, c.want, c.err)
		}
	}
}

func TestQuote(t *testing.T) {
	long := strings.Repeat("a", 61)
	for s, want := range map[string]string{"a\"\n": `"a\"\n"`, long: `"` + long[:60] + `"...`} {
		if got := text.Quote(s); got != want {
			t.Errorf("Quote(%q) = %s; want %s", s, got, want)
		}
	}
}
