package xdsl_test

import (
	"testing"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/internal/format/formattest"
	"github.com/pgmc-go/pgmc/compiler/internal/format/xdsl"
)

// FuzzRead checks that no text makes the reader panic, and that a model that is read without errors
// survives writing, unless it is an influence diagram.
func FuzzRead(f *testing.F) {
	f.Add(asia)
	for _, c := range texts {
		f.Add(c.Text)
	}
	for _, c := range broken {
		f.Add(c.Text)
	}
	formattest.AddDiagrams(f, "xdsl")
	f.Fuzz(func(t *testing.T, text string) {
		src := &format.Source{Name: "fuzz.xdsl", Data: []byte(text)}
		m, list := format.ReadSource(xdsl.Format, src, format.ReadOptions{MaxEntries: 1 << 16})
		if !list.HasErrors() && m.Diagram == nil && !formattest.RoundTrip(t, xdsl.Format, m) {
			t.Error("read but not written")
		}
	})
}
