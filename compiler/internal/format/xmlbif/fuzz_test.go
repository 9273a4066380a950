package xmlbif_test

import (
	"testing"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/internal/format/formattest"
	"github.com/pgmc-go/pgmc/compiler/internal/format/xmlbif"
)

// FuzzRead checks that no text makes the reader panic, and that a model that is read without errors
// survives writing.
func FuzzRead(f *testing.F) {
	for _, c := range texts {
		f.Add(c.Text)
	}
	for _, c := range broken {
		f.Add(c.Text)
	}
	formattest.AddDiagrams(f, "bifxml")
	f.Fuzz(func(t *testing.T, text string) {
		src := &format.Source{Name: "fuzz.xmlbif", Data: []byte(text)}
		m, list := format.ReadSource(xmlbif.Format, src, format.ReadOptions{MaxEntries: 1 << 16})
		if !list.HasErrors() && !formattest.RoundTrip(t, xmlbif.Format, m) {
			t.Error("read but not written")
		}
	})
}
