package xdsl_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/internal/format/formattest"
	"github.com/pgmc-go/pgmc/compiler/internal/format/xdsl"
	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

func hybrid(t *testing.T, path ...string) string {
	return filepath.Join(append([]string{irtest.Shared(t), "data", "hybrid"}, path...)...)
}

func read(t *testing.T, path string) *model.Model {
	t.Helper()
	m, list := format.Read([]format.Format{xdsl.Format}, path, "", format.ReadOptions{})
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	return m
}

// TestEquations compares moments and a density with those that were computed from the files.
func TestEquations(t *testing.T) {
	m := read(t, hybrid(t, "xdsl-valid", "sachs_c.xdsl"))
	h, err := brute.NewHybrid(m, brute.HybridEvidence{})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][2]float64{
		"Plcg": {54.85364151, 30223.1773461}, "PKA": {625.758536319, 415272.236113}, "Jnk": {73.267500736, 46503.2842865},
		"Mek": {145.380965428, 142152.438546}, "Akt": {81.1672076177, 18976.9890412},
	} {
		v, _ := m.VarByName(name)
		mean, variance := h.Moments(v.ID)
		irtest.Close(t, []float64{mean, variance}, want[:], 1e-11)
	}
	m = read(t, hybrid(t, "xdsl-valid", "xyz.xdsl"))
	h, err = brute.NewHybrid(m, brute.HybridEvidence{Reals: map[model.VarID]float64{1: 1}})
	if err != nil {
		t.Fatal(err)
	}
	irtest.CloseTo(t, h.LogDensity, -1.42708389914, 1e-11)
	mean, variance := h.Moments(2)
	irtest.Close(t, []float64{mean, variance}, []float64{-4, .04}, 1e-14)
}

// TestValid reads and writes valid files of GeNIe.
func TestValid(t *testing.T) {
	for _, folder := range []string{"xdsl-valid", "networks"} {
		paths, err := filepath.Glob(hybrid(t, folder, "*.xdsl*"))
		if err != nil || len(paths) < 10 {
			t.Fatalf("%d files, %v", len(paths), err)
		}
		for _, path := range paths {
			if !formattest.RoundTrip(t, xdsl.Format, read(t, path)) {
				t.Errorf("%s: not written", path)
			}
		}
	}
	for seed := range uint64(50) {
		m := irtest.RandomHybrid(seed, irtest.HybridOptions{NoGivens: true, NoDiscrete: true})
		if !formattest.RoundTrip(t, xdsl.Format, m) {
			t.Errorf("seed %d: not written", seed)
		}
	}
}

// TestMalformed reads files that are wrong on purpose. The first mixes states and equations, which
// is right here. The second has a parent that is not in the file.
func TestMalformed(t *testing.T) {
	paths, err := filepath.Glob(hybrid(t, "xdsl-malformed", "*.xdsl"))
	if err != nil || len(paths) < 25 {
		t.Fatalf("%d files, %v", len(paths), err)
	}
	for _, path := range paths {
		_, list := format.Read([]format.Format{xdsl.Format}, path, "", format.ReadOptions{})
		if mixed := strings.HasSuffix(path, "ax_mixed_unsupported.xdsl"); list.HasErrors() == mixed {
			t.Errorf("%s: %v", path, list.Err())
		}
		for _, d := range list.Errors() {
			if d.Pos.Line == 0 {
				t.Errorf("%s: no position: %v", path, d)
			}
		}
	}
}

// y returns the error for a definition of Y with the parent X.
func y(definition string) string {
	text := `<smile id="n"><nodes><equation id="X"><definition>X=Normal(0,1)</definition></equation>
<equation id="Y"><parents>X</parents><definition>` + definition + `</definition></equation></nodes></smile>`
	_, list := format.ReadSource(xdsl.Format, &format.Source{Name: "f", Data: []byte(text)}, format.ReadOptions{})
	if err := list.Err(); err != nil {
		return err.Error()
	}
	return ""
}

func TestEquationForms(t *testing.T) {
	for definition, want := range map[string]string{
		"Y = Normal(1+1, 2) - X/2": "", "Y=Normal( -(3) ,0 )+2*X": "", "Y=-X-Normal(0,1)": "",
		"Y=2*Normal(0,1)+X":           "with a normal distribution that is no term",
		"Y=X+2*-Normal(0,1)":          "with a normal distribution that is no term",
		"Y=Normal(0,1)*X":             "with a normal distribution that is no term",
		"Y=(X+Normal(0,1))":           "with a normal distribution that is no term",
		"Y=X+Normal(0,1":              "with an unfinished normal distribution",
		"Y=X+Normal(0)":               "with an unfinished normal distribution",
		"Y=X":                         "without one normal distribution",
		"Y=X+Normal(0,1)+Normal(0,1)": "without one normal distribution",
		"Y=X+Normal(0,X)":             `found "X"; want a parent or a number`,
		"Y=sin(X)+Normal(0,1)":        "which is not linear in the parents",
		"Y=Normal(X,1)":               "",
		"Z=X+Normal(0,1)":             "want Y = ...",
	} {
		if got := y(definition); (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("%s: %q; want %q", definition, got, want)
		}
	}
}
