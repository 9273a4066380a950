package beam

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// write writes a file and returns its path.
func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestBadRows checks the reasons of rows without an answer, and rows of probability 0.
func TestBadRows(t *testing.T) {
	// If either is no, neither lung nor tub is yes.
	rows := write(t, "rows.csv", "smoke,lung,either,note\nyes,no,no,a\nyes,yes\nno,yes,no,b\nno,maybe,no,c\nyes,?,-,d\n")
	o := Options{Model: "asia", Files: []string{rows}}
	s, bad, _, err := run(t, question{Options: o, Kind: scoring})
	if err != nil {
		t.Fatal(err)
	}
	if s.Rows != 2 || s.Bad != 3 || s.Incomplete != 2 || s.Impossible != 1 || !math.IsInf(s.Mean, -1) {
		t.Errorf("found %+v", s)
	}
	for i, want := range []Bad{
		{Row: 2, Reason: rows + ":3:1: the row has 2 values; want 4"},
		{Row: 4, Column: "lung", Reason: `found "maybe"; want a state`},
		{Row: 5, Column: "either", Reason: `found "-"; want a state`},
	} {
		if want.File = rows; i >= len(bad) || bad[i] != want {
			t.Errorf("found %+v; want %+v", bad, want)
		}
	}
	o.Missing, o.UnseenMissing = []string{"?"}, true
	if s, bad, _, err = run(t, question{Options: o, Kind: scoring}); err != nil || s.Rows != 4 || len(bad) != 1 {
		t.Errorf("unseen values are missing: %+v, %+v, error %v", s, bad, err)
	}
	s, bad, _, err = run(t, question{Options: o, Kind: predicting, Targets: []string{"lung"}})
	if err != nil || s.Rows != 4 || s.Impossible != 0 { // the truth is no evidence
		t.Errorf("found %+v, %+v, error %v", s, bad, err)
	}
	o.Model = "more"
	s, bad, _, err = run(t, question{Options: o, Kind: predicting, Targets: []string{"xray", "smoke"}})
	if err != nil || s.Rows != 3 || s.Impossible != 1 || len(bad) != 2 || bad[1].Row != 3 || bad[1].Reason != "the row has probability 0" {
		t.Errorf("found %+v, %+v, error %v", s, bad, err)
	}
}

// TestMarks checks that a mark of missing values in a real column of a Parquet file is one.
func TestMarks(t *testing.T) {
	rows := write(t, "rows.csv", "age,ill,days,cost,total,paid\nold,yes,6,3500,4384,2193\nold,yes,-999,3500,4384,2193\n")
	path := filepath.Join(t.TempDir(), "rows.parquet")
	pgmc(t, "convert", rows, path)
	for _, file := range []string{rows, path} {
		o := Options{Model: "hybrid", Files: []string{file}, Missing: []string{"-999"}}
		if s, _, _, err := run(t, question{Options: o, Kind: scoring}); err != nil || s.Rows != 2 || s.Incomplete != 1 || s.Mean < -100 {
			t.Errorf("%s: found %+v, error %v", file, s, err)
		}
	}
}

// TestRefused checks the errors for questions without an answer, of transforms and of jobs.
func TestRefused(t *testing.T) {
	rows := write(t, "rows.csv", "smoke,lung\nyes,no\n")
	keyed := write(t, "smoke=yes/rows.csv", "lung\nno\n")
	for _, x := range []struct {
		q    question
		want string
	}{
		{question{Options: Options{Model: "asai"}, Kind: scoring}, "Options.Files is empty; want files with rows"},
		{question{Options: Options{Model: "asai", Files: []string{rows}}, Kind: scoring}, `no package is registered as "asai"; did you mean "asia"`},
		{question{Options: Options{Model: "asia", Files: []string{rows}, Keep: []string{"lung"}}, Kind: scoring}, "Options.Keep needs Options.Out"},
		{question{Options: Options{Model: "asia", Files: []string{rows}}, Kind: predicting}, "there is no target"},
		{question{Options: Options{Model: "asia", Files: []string{rows}}, Kind: predicting, Targets: []string{"lugn"}}, `unknown variable "lugn"; did you mean "lung"`},
		{question{Options: Options{Model: "more", Files: []string{rows}}, Kind: predicting, Targets: []string{"lung", "lung"}}, `the target "lung" is there twice`},
		{question{Options: Options{Model: "asia", Files: []string{rows}}, Kind: predicting, Targets: []string{"lung", "xray"}}, "the engine has no method BatchColumns; want a package with the query marginals"},
		{question{Options: Options{Model: "asia", Files: []string{rows}}, Kind: counting, Families: [][]string{{"z"}}}, `there is no variable "z"`},
		{question{Options: Options{Model: "asia", Files: []string{rows, rows}}, Kind: scoring}, "rows.csv: the file is there twice; want it once"},
		{question{Options: Options{Model: "asia", Files: []string{keyed}}, Kind: scoring}, `the folder "smoke=yes" gives a value to the variable "smoke"`},
		{question{Options: Options{Model: "asia", Files: []string{rows + "x"}}, Kind: scoring}, "rows.csvx"},
		{question{Options: Options{Model: "asia", Files: []string{rows}, Out: filepath.Join(t.TempDir(), "o"), Keep: []string{"lugn"}}, Kind: scoring}, `no column is called "lugn"; did you mean "lung"`},
	} {
		err := x.q.check()
		if err == nil {
			_, _, _, err = run(t, x.q)
		}
		if err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("error %v; want %s", err, x.want)
		}
	}
}
