package dne_test

import (
	"path/filepath"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/internal/format/bif"
	"github.com/pgmc-go/pgmc/compiler/internal/format/dne"
	"github.com/pgmc-go/pgmc/compiler/internal/format/formattest"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

func TestContract(t *testing.T) {
	formattest.Run(t, dne.Format, formattest.Cases{Models: texts, Errors: broken})
}

// FuzzRead checks that no text makes the reader panic, and that what it reads can be written.
func FuzzRead(f *testing.F) {
	for _, c := range texts {
		f.Add(c.Text)
	}
	for _, c := range broken {
		f.Add(c.Text)
	}
	formattest.AddDiagrams(f, "dne")
	f.Fuzz(func(t *testing.T, text string) {
		m, _ := format.ReadSource(dne.Format, &format.Source{Name: "fuzz.dne", Data: []byte(text)}, format.ReadOptions{MaxEntries: 1 << 12})
		if m != nil {
			formattest.RoundTrip(t, dne.Format, m)
		}
	})
}

// TestFiles reads the files of Netica, and of a writer that leaves out kinds and nests otherwise.
func TestFiles(t *testing.T) {
	path := func(name string) string { return filepath.Join(irtest.Shared(t), "data", "hybrid", "dne", name) }
	formattest.Run(t, dne.Format, formattest.Cases{Models: []formattest.Model{
		{Name: "binary", Path: path("binary.dne"), Posteriors: []formattest.Posterior{
			{Var: "b", State: "true", Evidence: map[string]string{"a": "false"}, Want: .3, From: "the file"},
			{Var: "a", State: "true", Want: 0, From: "the file"}}},
		{Name: "general", Path: path("general.dne"), Posteriors: []formattest.Posterior{{Var: "a", State: "a1", Want: 1, From: "the file"}}},
		{Name: "sbk", Path: path("sbk.dne"), Posteriors: []formattest.Posterior{
			{Var: "wclause", State: "true", Want: .75, From: "by hand: one of two coins"},
			{Var: "wclause", State: "true", Evidence: map[string]string{"friends": "false", "smokes": "true"}, Want: 1, From: "the file"}}},
		{Name: "seven", Path: path("seven.dne"), Posteriors: []formattest.Posterior{{Var: "g", State: "b", Want: .9, From: "the file"}}},
		{Name: "simple", Path: path("simple.dne"), Posteriors: []formattest.Posterior{{Var: "a", State: "b", Want: .8, From: "the file"}}},
		{Name: "tire-3", Path: path("tire-3.dne"), Posteriors: []formattest.Posterior{
			{Var: "v_2224", State: "true", Want: .25, From: "by hand: both of two coins"}}},
	}})
}

// TestNetworks writes networks of the BIF collection and reads them back.
func TestNetworks(t *testing.T) {
	for _, name := range []string{"asia", "alarm", "insurance", "hailfinder", "munin1"} {
		m, list := format.Read([]format.Format{bif.Format}, filepath.Join(irtest.Shared(t), "data", "bif", name+".bif.gz"), "", format.ReadOptions{})
		if err := list.Err(); err != nil {
			t.Fatal(err)
		}
		if !formattest.RoundTrip(t, dne.Format, m) {
			t.Errorf("%s: not written", name)
		}
	}
}

// TestRandom writes random models of all kinds of CPDs and reads them back.
func TestRandom(t *testing.T) {
	held := 0
	for _, seed := range irtest.Cases(t, 40, 400) {
		m := irtest.RandomModel(seed, irtest.Options{Kinds: []model.Kind{model.Bayes}})
		if formattest.RoundTrip(t, dne.Format, m) {
			held++
		}
	}
	if held < 10 {
		t.Errorf("the format held %d models; want 10 at least", held)
	}
}

// TestNames checks what becomes of names that Netica does not know.
func TestNames(t *testing.T) {
	m := &model.Model{Kind: model.Bayes, Name: "a b"}
	v := m.NewVar("this is a variable with a long name", "..0.5", "0.5..2", "2..")
	w := m.NewVar("this is a variable with a lone name", "1", "_1", "v1")
	for _, x := range []*model.Var{v, w} {
		m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{x.ID}, Dist: &model.Table{Values: []float64{.5, .25, .25}}})
	}
	out, err := format.Encode(nil, dne.Format, "x.dne", m)
	if err != nil {
		t.Fatal(err)
	}
	want := `// ~->[DNET-1]->~
bnet a_b {
title = "a b";
comment = "Titles are the names in pgmc.";
node this_is_a_variable_wit {
	kind = NATURE;
	discrete = FALSE;
	levels = (-INFINITY, 0.5, 2, INFINITY);
	chance = CHANCE;
	parents = ();
	title = "this is a variable with a long name";
	comment = "0 0 observable";
	probs = (0.5, 0.25, 0.25);
	};
node this_is_a_variable_wit_2 {
	kind = NATURE;
	discrete = TRUE;
	states = (v1_2, v_1, v1);
	statetitles = ("1", "_1", "v1");
	chance = CHANCE;
	parents = ();
	title = "this is a variable with a lone name";
	comment = "1 1 observable";
	probs = (0.5, 0.25, 0.25);
	};
};
`
	if got := out.Files[0].Data.String(); got != want {
		t.Errorf("got\n%s; want\n%s", got, want)
	}
	formattest.RoundTrip(t, dne.Format, m)
}
