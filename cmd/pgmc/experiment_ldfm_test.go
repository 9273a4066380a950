package main

import (
	"encoding/json"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
)

// TestLDFMExperiment runs the quick form, of ten queries: all models are near what is in print, and the two samplers agree.
func TestLDFMExperiment(t *testing.T) {
	code, stdout, stderr := pgmc("", "experiment", "ldfm", "--quick", "--json", "--data", filepath.Join(irtest.Shared(t), "data"))
	if code != exitDone {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	var r ldfmResult
	if err := json.Unmarshal([]byte(stdout), &r); err != nil {
		t.Fatal(err)
	}
	if len(r.Scores) != len(ldfmModels) || len(r.Conclusions) != 4 || r.Conclusions[0].Holds != "confirmed" {
		t.Fatalf("%+v", r)
	}
	for i, s := range r.Scores {
		if s.Model != ldfmModels[i].name || math.IsNaN(s.Best) || math.Abs(s.Best+.27) > .15 || s.CLL == nil || s.Best < max(s.CMLL, *s.CLL) {
			t.Errorf("%+v; want about -.27, as in print", s)
		}
	}
	code, _, stderr = pgmc("", "experiment", "ldfm", "--networks", "none")
	if code != exitUsage || !strings.Contains(stderr, `unknown network "none"; want some of [asia`) {
		t.Errorf("exit %d: %s", code, stderr)
	}
}

// Numbers of the paper, as printed in the corners of its tables.
func TestLDFMPublished(t *testing.T) {
	for _, c := range []struct {
		s    ldfmScore
		want float64
	}{
		{ldfmScore{Network: "asia", Rows: 5000, Share: ldfmShare{.4, .3}, Model: "g-LDFM"}, -.258},
		{ldfmScore{Network: "hailfinder", Rows: 500, Share: ldfmShare{.3, .2}, Model: "MT"}, -1.938},
		{ldfmScore{Network: "hailfinder", Rows: 5000, Share: ldfmShare{.3, .4}, Model: "LDFM-S"}, -.904},
		{ldfmScore{Network: "sachs", Rows: 2000, Share: ldfmShare{.2, .3}, Model: "t-LDFM"}, -.618},
	} {
		if got := ldfmPublished(&c.s); got == nil || *got != c.want {
			t.Errorf("%+v: %v; want %v", c.s, got, c.want)
		}
	}
	if got := ldfmPublished(&ldfmScore{Network: "asia", Rows: 500, Share: ldfmShare{.4, .3}, Model: "LDFM-S"}); got != nil {
		t.Errorf("LDFM-S of 500 rows: %v; want nothing", *got)
	}
}

// Rows of binary variables, by hand.
func TestBinary(t *testing.T) {
	b := newBinary([]data.Var{{Name: "a", States: []string{"n", "y"}}, {Name: "b", States: []string{"p", "q", "r"}}, {Name: "c", States: []string{"only"}}})
	for _, c := range [][2][]int{{{1, 2, 0}, {1, 0, 0, 1, 1}}, {{data.Missing, data.Missing, 0}, {data.Missing, data.Missing, data.Missing, data.Missing, 1}}} {
		if got := b.row(c[0]); !slices.Equal(got, c[1]) {
			t.Errorf("%v is coded %v; want %v", c[0], got, c[1])
		}
	}
}

// Rows that are drawn have the frequencies of the network, to five standard errors: P(lung) = .055 and P(either | tub) = 1 in asia.
func TestForwardRows(t *testing.T) {
	m := irtest.Asia()
	at := func(name string) model.VarID {
		v, ok := m.VarByName(name)
		if !ok {
			t.Fatal(name)
		}
		return v.ID
	}
	const n = 20_000
	yes, ill, not := 0.0, 0, 0
	for _, row := range forwardRows(m, n, 3) {
		if row[at("lung")] == 0 {
			yes++
		}
		if row[at("tub")] == 0 {
			if ill++; row[at("either")] != 0 {
				not++
			}
		}
	}
	if se := math.Sqrt(.055 * .945 / n); math.Abs(yes/n-.055) > 5*se {
		t.Errorf("P(lung) = %v; want .055", yes/n)
	}
	if ill < 50 || not > 0 {
		t.Errorf("either is no in %d of %d rows with tub", not, ill)
	}
}
