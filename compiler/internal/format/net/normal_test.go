package net_test

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/internal/format/formattest"
	"github.com/pgmc-go/pgmc/compiler/internal/format/net"
	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// hybrid returns the path of a file with continuous nodes.
func hybrid(t *testing.T, name string) string {
	return filepath.Join(irtest.Shared(t), "data", "hybrid", name)
}

// TestNormal compares numbers at chosen places with those of the files: the order of parents and
// rows, that the second number is a variance, and the order of terms.
func TestNormal(t *testing.T) {
	for _, c := range []struct {
		file, child string
		discrete    []string
		real        []string
		row         int
		mean        float64
		coef        []float64
		variance    float64
	}{
		{"waste.net", "Dust", []string{"Type", "Burn"}, []string{"Efficiency"}, 1, 7.5, []float64{1}, .1},
		{"waste.net", "Dust", []string{"Type", "Burn"}, []string{"Efficiency"}, 2, 6, []float64{1}, .04},
		{"waste.net", "Efficiency", []string{"Type", "Filter"}, nil, 1, -.4, nil, 1e-4},
		{"waste.net", "Light", nil, []string{"Dust"}, 0, 3, []float64{-.5}, .25},
		{"waste.net", "Emission", nil, []string{"Metal", "Dust"}, 0, 0, []float64{1, 1}, .002},
		{"amidst-huginNetworkFromAMIDST2.net", "I", []string{"B", "A"}, []string{"C", "D"}, 1, -.1, []float64{-.5, .2}, .36},
		{"amidst-huginNetworkFromAMIDST2.net", "I", []string{"B", "A"}, []string{"C", "D"}, 4, 1.5, []float64{-.41, .5}, 2.25},
		{"amidst-huginNetworkFromAMIDST2.net", "I", []string{"B", "A"}, []string{"C", "D"}, 5, 0, []float64{0, .3}, .0625},
		{"amidst-IS.net", "D", []string{"B"}, []string{"C"}, 1, .5, []float64{1.5}, 2},
		{"amidst-exampleBN.net", "Balance", nil, []string{"LatentVar0", "LatentVar1", "LatentVar2"}, 0, -2.36725, []float64{.425077, 1.66882, -.296906}, 4.66131},
	} {
		m := mustRead(t, net.Format, hybrid(t, c.file))
		v, _ := m.VarByName(c.child)
		f := m.CPD(v.ID)
		discrete, real := m.SplitParents(f)
		mean, coef, variance := f.Gaussian().Row(c.row)
		if !slices.Equal(named(m, discrete), c.discrete) || !slices.Equal(named(m, real), c.real) || mean != c.mean || !slices.Equal(coef, c.coef) || variance != c.variance {
			t.Errorf("%s: row %d of %s given %q and %q: %v, %v, %v; want %+v", c.file, c.row, c.child, named(m, discrete), named(m, real), mean, coef, variance, c)
		}
	}
}

func named(m *model.Model, vars []model.VarID) (names []string) {
	for _, v := range vars {
		names = append(names, m.Vars[v].Name)
	}
	return names
}

// TestNormalPosterior compares posteriors with those that HUGIN printed and with others that were
// computed by enumeration.
func TestNormalPosterior(t *testing.T) {
	m := mustRead(t, net.Format, hybrid(t, "waste.net"))
	id := func(name string) model.VarID { v, _ := m.VarByName(name); return v.ID }
	h, err := brute.NewHybrid(m, brute.HybridEvidence{
		States: map[model.VarID]int{id("Type"): 0}, Reals: map[model.VarID]float64{id("Light"): 1.1, id("CO2"): -.9}})
	if err != nil {
		t.Fatal(err)
	}
	irtest.CloseTo(t, h.LogDensity, -3.813723886523, 1e-12)
	irtest.CloseTo(t, h.Posterior(id("Burn"))[0], .01225276, 5e-9)
	mean, variance := h.Moments(id("Dust"))
	irtest.CloseTo(t, mean, 3.6076666, 5e-8)
	irtest.CloseTo(t, variance, .1061789, 5e-8)
	m = mustRead(t, net.Format, hybrid(t, "amidst-huginNetworkFromAMIDST2.net"))
	h, err = brute.NewHybrid(m, brute.HybridEvidence{Reals: map[model.VarID]float64{id("H"): 1, id("I"): .5}})
	if err != nil {
		t.Fatal(err)
	}
	irtest.CloseTo(t, h.LogDensity, -1.77905271362, 1e-11)
	mean, variance = h.Moments(id("G"))
	irtest.CloseTo(t, mean, -.248280359085, 1e-12)
	irtest.CloseTo(t, variance, 1.26754033299, 1e-11)
	irtest.Close(t, h.Posterior(id("B")), []float64{.0458519396556, .00481419473447, .94933386561}, 1e-12)
}

// TestNormalRoundTrip writes and reads networks with continuous nodes.
func TestNormalRoundTrip(t *testing.T) {
	for _, name := range []string{"waste.net", "simpleGaussian.net", "amidst-IS.net", "amidst-exampleBN.net", "amidst-exampleDBN.net", "amidst-huginNetworkFromAMIDST2.net"} {
		if !formattest.RoundTrip(t, net.Format, mustRead(t, net.Format, hybrid(t, name))) {
			t.Errorf("%s: not written", name)
		}
	}
	for seed := range uint64(100) {
		if !formattest.RoundTrip(t, net.Format, irtest.RandomHybrid(seed, irtest.HybridOptions{NoGivens: true})) {
			t.Errorf("seed %d: not written", seed)
		}
	}
}
