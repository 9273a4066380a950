package xdsl_test

import (
	"path/filepath"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/internal/format/bif"
	"github.com/pgmc-go/pgmc/compiler/internal/format/formattest"
	"github.com/pgmc-go/pgmc/compiler/internal/format/xdsl"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

func TestContract(t *testing.T) {
	formattest.Run(t, xdsl.Format, formattest.Cases{Models: texts, Errors: broken})
}

func TestAsia(t *testing.T) {
	formattest.Run(t, xdsl.Format, formattest.Cases{Models: []formattest.Model{{
		Name: "asia", Text: asia,
		Posteriors: []formattest.Posterior{
			{Var: "dysp", State: "yes", Want: 0.4359706, Tol: 1e-7, From: "Lauritzen and Spiegelhalter, 1988"},
			{Var: "either", State: "yes", Want: 0.064828, From: "by hand: 1 - (1-0.0104)(1-0.055)"},
			{Var: "dysp", State: "yes", Evidence: map[string]string{"bronc": "yes", "either": "no"}, Want: 0.8, From: "the text"},
		},
	}}})
}

// TestBenefits reads a file that GeNIe 3 wrote.
func TestBenefits(t *testing.T) {
	const low, high = 0.554 * 0.691, 0.446 * 0.426 // P(Business_planning, Org_arrangements=LOW)
	formattest.Run(t, xdsl.Format, formattest.Cases{Models: []formattest.Model{{
		Name: "benefits", Path: filepath.Join(irtest.Shared(t), "data", "formats", "agrum-benefits.xdsl"),
		Posteriors: []formattest.Posterior{
			{Var: "Business_planning", State: "LOW", Evidence: map[string]string{"Org_arrangements": "LOW"}, Want: low / (low + high), From: "by hand"},
			{Var: "Maintenance", State: "HIGH", Evidence: map[string]string{"Org_arrangements": "LOW", "IT_management": "HIGH"}, Want: 0.454,
				From: "the file; 0.196, where the order of parents is mistaken"},
			{Var: "Benefits", State: "HIGH", Evidence: map[string]string{"Project_management": "LOW", "Application_suitability": "HIGH",
				"Reengineering_iintention": "HIGH"}, Want: 0.6639999999999999, From: "the file"},
			{Var: "Org_arrangements", State: "LOW", Want: low + high, From: "by hand"},
			{Var: "IT_management", State: "HIGH", Evidence: map[string]string{"Org_arrangements": "LOW"},
				Want: (low*0.263 + high*0.56) / (low + high), From: "by hand: independent, given Business_planning"},
		},
	}}})
}

// TestNetworks writes the networks of the BIF collection and reads them back.
func TestNetworks(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(irtest.Shared(t), "data", "bif", "*.bif.gz"))
	if err != nil || len(paths) < 18 {
		t.Fatalf("found %d files, %v; want at least 18", len(paths), err)
	}
	for _, path := range paths {
		m, list := format.Read([]format.Format{bif.Format}, path, "", format.ReadOptions{})
		if err := list.Err(); err != nil {
			t.Fatal(err)
		}
		if !formattest.RoundTrip(t, xdsl.Format, m) {
			t.Errorf("%s: not written", path)
		}
	}
}

// TestRowPos checks the positions for messages about rows.
func TestRowPos(t *testing.T) {
	text := node("cpt", "<parents>a</parents><probabilities>1 0\n0.5 0.25</probabilities>")
	m, list := format.ReadSource(xdsl.Format, &format.Source{Name: "t", Data: []byte(text)}, format.ReadOptions{})
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	_, list = m.NormalizeRows(model.RowsNormalize)
	if got, want := list.Err().Error(), `t:6:1: row of the CPD of "c" sums to 0.75; want 1`; got != want {
		t.Errorf("got %s; want %s", got, want)
	}
}

// TestScale reads rows of parameters that do not sum to one.
func TestScale(t *testing.T) {
	formattest.Run(t, xdsl.Format, formattest.Cases{Models: []formattest.Model{{
		Name: "scale", Text: noisy("0 1", "0.5 0.5 0 1 0.3333 0.6663"),
		Warnings:   []string{`scale:6:25: warning: row of the parameters of "c" sums to 0.9996; want 1 (rescaled)`},
		Posteriors: []formattest.Posterior{{Var: "c", State: "t", Evidence: map[string]string{"a": "x"}, Want: 0.5 * 0.6663 / 0.9996, From: "by hand"}},
	}}})
}

// TestManyNoisy checks the common limit on the tables of a small file: 40 of 2^18 numbers each, of
// which 16 are allowed.
func TestManyNoisy(t *testing.T) {
	text := manyNoisy(17, 40)
	_, list := format.ReadSource(xdsl.Format, &format.Source{Name: "t", Data: []byte(text)}, format.ReadOptions{})
	want := `t:35:1: the tables of the noisymax nodes up to "c16" would have 4.46e+06 numbers; the limit is 4194304`
	if err := list.Err(); err == nil || err.Error() != want {
		t.Errorf("got %v; want %s", err, want)
	}
}
