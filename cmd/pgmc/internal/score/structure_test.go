package score_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/clitest"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/score"
)

// TestStructure compares the BIC of rain -> wet on four rows with that by hand: one of four rows
// has rain, which is wet; of the others, one is wet. The numbers of the model do not matter.
func TestStructure(t *testing.T) {
	a, out, _ := clitest.App()
	a.JSON = true
	f := &score.Options{Structure: "bic"}
	f.ModelFlags = clitest.ModelFlags()
	rows := clitest.File(t, "rows.csv", "rain,wet\nyes,yes\nno,no\nno,yes\nno,no\n")
	if err := score.Run(t.Context(), a, clitest.File(t, "model.bif", clitest.Rain), rows, f); err != nil {
		t.Fatal(err)
	}
	var r struct {
		Rows, Parameters int
		Total            float64
	}
	if err := json.Unmarshal(out.Bytes(), &r); err != nil {
		t.Fatal(err)
	}
	want := math.Log(1./4) + 3*math.Log(3./4) + math.Log(1./3) + 2*math.Log(2./3) - 3*math.Log(4)/2
	if r.Rows != 4 || r.Parameters != 3 || math.Abs(r.Total-want) > 1e-12 {
		t.Errorf("found %+v; want 4 rows, 3 parameters and %v", r, want)
	}
}

// TestBIC compares the BIC of a plain score with the score of the structure, by hand in
// TestStructure; rows that miss a cell have none.
func TestBIC(t *testing.T) {
	for rows, want := range map[string]float64{
		"rain,wet\nyes,yes\nno,no\nno,yes\nno,no\n": math.Log(1./4) + 3*math.Log(3./4) + math.Log(1./3) + 2*math.Log(2./3) - 3*math.Log(4)/2,
		"rain,wet\nyes,yes\nno,no\nno,yes\nno,\n":   math.NaN(),
		"rain\nyes\nno\n":                           math.NaN(),
	} {
		a, out, _ := clitest.App()
		a.JSON = true
		f := &score.Options{}
		f.ModelFlags = clitest.ModelFlags()
		if err := score.Run(t.Context(), a, clitest.File(t, "model.bif", clitest.Rain), clitest.File(t, "rows.csv", rows), f); err != nil {
			t.Fatal(err)
		}
		var r struct{ BIC *float64 }
		if err := json.Unmarshal(out.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		if math.IsNaN(want) != (r.BIC == nil) || r.BIC != nil && math.Abs(*r.BIC-want) > 1e-12 {
			t.Errorf("%q: found %s; want a BIC of %v", rows, out, want)
		}
	}
}

// TestStructureGaps checks that rows with missing values, which families leave out, have a warning.
func TestStructureGaps(t *testing.T) {
	a, _, messages := clitest.App()
	f := &score.Options{Structure: "bic"}
	f.ModelFlags = clitest.ModelFlags()
	rows := clitest.File(t, "rows.csv", "rain,wet\nyes,\n,\nno,yes\nno,no\n")
	if err := score.Run(t.Context(), a, clitest.File(t, "model.bif", clitest.Rain), rows, f); err != nil {
		t.Fatal(err)
	}
	if want := "2 of 4 rows miss a value; families that it belongs to leave them out"; !strings.Contains(messages.String(), want) {
		t.Errorf("messages %q; want one with %q", messages, want)
	}
}
