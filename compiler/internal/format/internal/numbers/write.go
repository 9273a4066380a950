package numbers

import (
	"bytes"
	"strconv"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Int writes n.
func Int(w *bytes.Buffer, n int) {
	w.Write(strconv.AppendInt(w.AvailableBuffer(), int64(n), 10))
}

// Float writes the fewest digits of x that read back as the same number.
func Float(w *bytes.Buffer, x float64) {
	w.Write(strconv.AppendFloat(w.AvailableBuffer(), x, 'g', -1, 64))
}

// LoseNames records the names that m loses in a format with numbers instead of names. Reading a
// variable back names it by letter and its number.
func LoseNames(out *format.Sink, m *model.Model, what, letter string, number func(model.VarID) int) {
	if m.Name != "" {
		out.Warn("name of the network: %s has none", what)
	}
	names, states, latent := false, false, false
	for i, v := range m.Vars {
		names = names || v.Name != letter+strconv.Itoa(number(v.ID))
		latent = latent || v.Latent
		for s, name := range m.States(model.VarID(i)) {
			states = states || name != strconv.Itoa(s)
		}
	}
	if names {
		out.Warn("names of variables: %s numbers them", what)
	}
	if states {
		out.Warn("names of states: %s numbers them", what)
	}
	if latent {
		out.Warn("marks of latent variables: %s has none", what)
	}
}
