package text_test

import (
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/format/internal/text"
)

func TestNumber(t *testing.T) {
	for _, c := range []struct {
		s    string
		want float64
		ok   bool
	}{
		{"0.5", 0.5, true},
		{"+1.E-3", 0.001, true},
		{".5", 0.5, true},
		{"1e-999", 0, true},
		{"-2", -2, true},
		{"", 0, false},
		{"1e999", 0, false},
		{"1_0", 0, false},
		{"0x1p-2", 0, false},
		{"nan", 0, false},
		{"inf", 0, false},
		{"1e", 0, false},
	} {
		if x, ok := text.Number(c.s); x != c.want && c.ok || ok != c.ok {
			t.Errorf("Number(%q) = %v, %v; want %v, %v", c.s, x, ok, c.want, c.ok)
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
