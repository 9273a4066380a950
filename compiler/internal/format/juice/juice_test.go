package juice_test

import (
	"testing"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/internal/format/formattest"
	"github.com/pgmc-go/pgmc/compiler/internal/format/juice"
)

func TestContract(t *testing.T) {
	formattest.Run(t, juice.JPC, formattest.Cases{Models: jpcs, Errors: brokenJPCs})
	formattest.Run(t, juice.SPN, formattest.Cases{Models: spns, Errors: brokenSPNs})
}

func FuzzJPC(f *testing.F) { fuzz(f, juice.JPC, jpcs, brokenJPCs) }
func FuzzSPN(f *testing.F) { fuzz(f, juice.SPN, spns, brokenSPNs) }

// fuzz checks that no text makes a reader panic, and that a model that is read without errors
// survives writing.
func fuzz(f *testing.F, of format.Format, models []formattest.Model, broken []formattest.Broken) {
	for _, c := range models {
		f.Add(c.Text)
	}
	for _, c := range broken {
		f.Add(c.Text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		src := &format.Source{Name: "fuzz" + of.Exts[0], Data: []byte(text)}
		m, list := format.ReadSource(of, src, format.ReadOptions{MaxEntries: 1 << 16})
		if !list.HasErrors() && !formattest.RoundTrip(t, of, m) {
			t.Error("read but not written")
		}
	})
}
