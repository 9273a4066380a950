package probmodelxml_test

import (
	"testing"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/internal/format/formattest"
	"github.com/pgmc-go/pgmc/compiler/internal/format/probmodelxml"
)

// FuzzRead checks that no text makes the reader panic.
func FuzzRead(f *testing.F) {
	for _, c := range models {
		f.Add(c.Text)
	}
	for _, c := range broken {
		f.Add(c.Text)
	}
	formattest.AddDiagrams(f, "pgmx")
	f.Fuzz(func(t *testing.T, text string) {
		src := &format.Source{Name: "fuzz.pgmx", Data: []byte(text)}
		m, list := format.ReadSource(probmodelxml.Format, src, format.ReadOptions{MaxEntries: 1 << 16})
		if list.HasErrors() == (m != nil) {
			t.Error("a model beside errors, or neither")
		}
	})
}
