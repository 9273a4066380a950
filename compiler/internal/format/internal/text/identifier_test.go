package text_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/text"
)

func TestIdentifiers(t *testing.T) {
	clean := strings.NewReplacer(" ", "_", "-", "_").Replace
	for _, c := range []struct{ names, want []string }{
		{nil, []string{}},
		{[]string{"a", "b"}, []string{"a", "b"}},
		{[]string{"a b", "a_b", "a-b", "a b-c"}, []string{"a_b_2", "a_b", "a_b_3", "a_b_c"}},
		{[]string{"a b", "a-b", "a_b_2"}, []string{"a_b", "a_b_3", "a_b_2"}},
	} {
		if got := text.Identifiers(c.names, clean); !slices.Equal(got, c.want) {
			t.Errorf("%q become %q; want %q", c.names, got, c.want)
		}
	}
}
