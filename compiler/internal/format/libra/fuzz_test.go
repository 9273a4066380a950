package libra_test

import (
	"testing"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/internal/format/formattest"
	"github.com/pgmc-go/pgmc/compiler/internal/format/libra"
	"github.com/pgmc-go/pgmc/ir/model"
)

func FuzzMN(f *testing.F)   { fuzz(f, "mn") }
func FuzzBN(f *testing.F)   { fuzz(f, "bn") }
func FuzzDN(f *testing.F)   { fuzz(f, "dn") }
func FuzzXMOD(f *testing.F) { fuzz(f, "xmod") }
func FuzzAC(f *testing.F)   { fuzz(f, "ac") }

// fuzz checks that no text makes a reader panic, and that a model that is read without errors
// survives writing.
func fuzz(f *testing.F, name string) {
	for _, c := range texts[name] {
		f.Add(c.Text)
	}
	for _, c := range broken[name] {
		f.Add(c.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		src := &format.Source{Name: "fuzz." + name, Data: []byte(text)}
		m, list := format.ReadSource(formats[name], src, format.ReadOptions{MaxEntries: 1 << 16})
		if list.HasErrors() || name == "bn" && text[0] == '<' {
			return
		}
		if !formattest.RoundTrip(t, formats[name], m) {
			t.Error("read but not written")
		}
	})
}

// FuzzSPN checks the main file of a folder with two leaves, and that the circuit survives writing
// if its sum is one.
func FuzzSPN(f *testing.F) {
	for _, main := range spnTexts {
		f.Add(main)
	}
	f.Fuzz(func(t *testing.T, main string) {
		src := &format.Source{Name: "fuzz.spn", Side: map[string][]byte{
			"spac.m": []byte(main), "spac-1.ac": []byte(leafOf01), "spac-2.ac": []byte(leafOf0),
		}}
		m, list := format.ReadSource(libra.SPN, src, format.ReadOptions{MaxEntries: 1 << 16})
		if list.HasErrors() {
			return
		}
		out, err := format.Encode(nil, libra.SPN, "out.spn", m)
		if err != nil {
			return // weights of minus infinity leave no circuit
		}
		again := readWritten(t, out)
		if z := sum(again.Factors[0].Dist.(*model.Circuit)); z-1 < 1e-9 && 1-z < 1e-9 && !formattest.RoundTrip(t, libra.SPN, again) {
			t.Error("read but not written")
		}
	})
}
