package net_test

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/internal/format/bif"
	"github.com/pgmc-go/pgmc/compiler/internal/format/formattest"
	"github.com/pgmc-go/pgmc/compiler/internal/format/net"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

func TestContract(t *testing.T) {
	formattest.Run(t, net.Format, formattest.Cases{Models: texts, Errors: broken})
}

// TestPeers reads two files of asia, golf and a network of counts.
func TestPeers(t *testing.T) {
	const from = "oracle asia, ids 0 and 2, libDAI 0.3.0; P(D) by hand"
	asia := []formattest.Posterior{
		{Var: "D", State: "yes", Want: 0.4359706, From: from},
		{Var: "E", State: "yes", Want: 0.064828, From: "by hand"},
		{Var: "D", State: "yes", Evidence: map[string]string{"S": "yes"}, Want: 0.552808, From: from},
		{Var: "L", State: "yes", Evidence: map[string]string{"X": "no"}, Want: 0.00123635796996, Tol: 2e-12, From: from},
	}
	const c1, c2 = 6.0 / 14, 8.0 / 14
	formattest.Run(t, net.Format, formattest.Cases{Models: []formattest.Model{
		{Name: "chest_clinic", Path: file(t, "grain-chest_clinic.net"), Posteriors: asia},
		{Name: "chest_clinic_short", Path: file(t, "grain-chest_clinic_short.net"), Posteriors: asia},
		{Name: "golf", Path: file(t, "grain-golf.net"), Posteriors: []formattest.Posterior{
			{Var: "Result", State: "miss", Want: 0.2 / 3, From: "by hand: half of (0.02+0.04+0.04)/3 and of (0.06+0.12+0.12)/3"},
			{Var: "C_length", State: "220", Want: 0.375, From: "by hand: half of 0.25 and of 0.5"},
			{Var: "Length", State: "145", Evidence: map[string]string{"Slope": "downhill", "Wind": "against"}, Want: 0.125,
				From: "by hand: 180 against the wind is 160, downhill 145; half of 0.25"},
		}},
		{Name: "test1", Path: file(t, "agrum-test1.net"),
			Posteriors: []formattest.Posterior{
				{Var: "C4", State: "State 2", Want: 0.9, From: "90 of 100"},
				{Var: "C3", State: "State 1", Want: 0.5, From: "rows of ones"},
				{Var: "C2", State: "State 1", Want: 0.1*(c1*2/10+c2*2/11) + 0.9*(c1*7/12+c2*29/36), From: "by hand from the counts"},
			},
			Warnings: []string{
				scaled(t, `:86:14`, "C4", "100"), scaled(t, `:92:12`, "C3", "2"), scaled(t, `:101:12`, "C2", "10"), scaled(t, `:109:14`, "C1", "14"),
			}},
	}})
}

// scaled returns the warning about rows of agrum-test1.net.
func scaled(t *testing.T, at, variable, sum string) string {
	return file(t, "agrum-test1.net") + at + `: warning: a row of the CPD of "` + variable + `" sums to ` + sum +
		"; such rows are treated as weights and scaled to sum to 1"
}

// TestAlarm compares alarm with the network in the text format.
func TestAlarm(t *testing.T) {
	got := mustRead(t, net.Format, file(t, "agrum-alarm.net"))
	want := mustRead(t, bif.Format, filepath.Join(irtest.Shared(t), "data", "bif", "alarm.bif.gz"))
	if reordered := formattest.SameNumbers(t, got, want, 0); len(reordered) != 0 {
		t.Errorf("parents stand in another order: %q", reordered)
	}
}

// TestNumbered reads a file of HUGIN with numbered nodes and experience tables.
func TestNumbered(t *testing.T) {
	m := mustRead(t, net.Format, file(t, "agrum-bn_with_xp.net.gz"))
	v, ok := m.VarByName("Z2")
	if want := []string{"0.0", "2.0", "3.0", "4.0"}; !ok || !slices.Equal(m.States(v.ID), want) {
		t.Errorf("states of Z2 are %q; want %q", m.States(v.ID), want)
	}
}

// TestAllFiles reads and writes every file of the reference data. The rows of each written network
// sum to one.
func TestAllFiles(t *testing.T) {
	paths, err := filepath.Glob(file(t, "*.net*"))
	if err != nil || len(paths) < 7 {
		t.Fatalf("found %d files, %v; want at least 7", len(paths), err)
	}
	for _, path := range paths {
		m := mustRead(t, net.Format, path)
		if !formattest.RoundTrip(t, net.Format, m) {
			t.Errorf("%s: not written", path)
		}
		if _, list := m.NormalizeRows(model.RowsNormalize); list.HasErrors() {
			t.Error(list.Err())
		}
	}
}

// TestNetworks writes the networks of the BIF collection and reads them back.
func TestNetworks(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(irtest.Shared(t), "data", "bif", "*.bif.gz"))
	if err != nil || len(paths) < 18 {
		t.Fatalf("found %d files, %v; want at least 18", len(paths), err)
	}
	for _, path := range paths {
		m := mustRead(t, bif.Format, path)
		if !formattest.RoundTrip(t, net.Format, m) {
			t.Errorf("%s: not written", path)
		}
	}
}

// file returns the path of a file of the reference data.
func file(t testing.TB, name string) string {
	t.Helper()
	return filepath.Join(irtest.Shared(t), "data", "formats", name)
}

func mustRead(t testing.TB, f format.Format, path string) *model.Model {
	t.Helper()
	m, list := format.Read([]format.Format{f}, path, "", format.ReadOptions{})
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	return m
}
