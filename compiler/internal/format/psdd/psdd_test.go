package psdd_test

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/internal/format/formattest"
	"github.com/pgmc-go/pgmc/compiler/internal/format/psdd"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// open reads a file of the reference data.
func open(t *testing.T, path ...string) *model.Model {
	t.Helper()
	name := filepath.Join(append([]string{irtest.Shared(t), "data", "circuits"}, path...)...)
	m, list := format.Read([]format.Format{psdd.Format}, name, "", format.ReadOptions{})
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	return m
}

// TestLittle compares values with the tests of ProbabilisticCircuits.jl. A state of -1 stands for
// any state.
func TestLittle(t *testing.T) {
	m := open(t, "psdd", "little_4var.psdd")
	d := m.Factors[0].Dist.(*model.Circuit)
	for _, c := range []struct {
		state [4]int32
		want  float64
	}{
		{[4]int32{0, 0, 0, 0}, 0.07},
		{[4]int32{0, 1, 1, 0}, 0.03},
		{[4]int32{0, 0, 1, 1}, 0.14},
		{[4]int32{0, 0, 0, -1}, 0.35},
		{[4]int32{-1, 1, 0, -1}, 0.1},
		{[4]int32{-1, -1, -1, -1}, 1},
		{[4]int32{0, -1, -1, -1}, 0.8},
	} {
		got := d.Eval(func(axis int, s int32) float64 {
			if c.state[axis] == s || c.state[axis] < 0 {
				return 1
			}
			return 0
		}, make([]float64, len(d.Nodes)))
		if math.Abs(got-c.want) > 1e-7 { // the file has some 8 digits
			t.Errorf("P(%v) = %v; want %v", c.state, got, c.want)
		}
	}
}

func TestContract(t *testing.T) {
	formattest.Run(t, psdd.Format, formattest.Cases{Models: texts, Errors: broken})
}

// FuzzRead checks that no text makes the reader panic, and that a circuit that can be written reads
// back the same. Some cannot be written: the reader does not check that there is a vtree, that
// weights sum to one or that operands exclude each other.
func FuzzRead(f *testing.F) {
	for _, c := range texts {
		f.Add(c.Text)
	}
	for _, c := range broken {
		f.Add(c.Text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		src := &format.Source{Name: "fuzz.psdd", Data: []byte(text)}
		m, list := format.ReadSource(psdd.Format, src, format.ReadOptions{})
		if list.HasErrors() || formattest.RoundTrip(t, psdd.Format, m) {
			return
		}
		if _, err := format.Encode(nil, psdd.Format, "out.psdd", m); !strings.HasPrefix(err.Error(), "out.psdd: the circuit is not a PSDD: ") {
			t.Errorf("read but not written: %v", err)
		}
	})
}
