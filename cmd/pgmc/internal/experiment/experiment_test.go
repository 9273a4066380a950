package experiment_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/clitest"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/experiment"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
)

// TestOutput checks what an experiment prints and the files that it writes.
func TestOutput(t *testing.T) {
	tables := &table.Table{}
	tables.Add("network", "KL")
	tables.Add("asia, again", "0.5")
	a, out, _ := clitest.App()
	f := &experiment.Options{Out: filepath.Join(t.TempDir(), "results")}
	o, err := experiment.NewOutput(a, "paper", f)
	if err != nil {
		t.Fatal(err)
	}
	value := map[string]any{"network": "a<b", "kl": 0.5}
	if err := o.Write(t.Context(), "text\n", value, []experiment.Table{{Name: "figure1", Table: tables}}); err != nil || out.String() != "text\n" {
		t.Fatalf("error %v, printed %q", err, out)
	}
	for name, want := range map[string]string{
		"paper.txt": "text\n", "paper.json": "{\n  \"kl\": 0.5,\n  \"network\": \"a<b\"\n}\n", "figure1.csv": "network,KL\n\"asia, again\",0.5\n",
	} {
		if text, err := os.ReadFile(filepath.Join(f.Out, name)); err != nil || string(text) != want {
			t.Errorf("%s: error %v, found %q; want %q", name, err, text, want)
		}
	}
	a.JSON = true
	out.Reset()
	var got map[string]any
	if err := o.Print("text\n", value); err != nil || json.Unmarshal(out.Bytes(), &got) != nil || got["kl"] != 0.5 {
		t.Errorf("error %v, printed %q", err, out)
	}
}

// TestConclusions compares the text of conclusions.
func TestConclusions(t *testing.T) {
	var ahead, behind []string
	experiment.Put(&ahead, &behind, "asia", true)
	experiment.Put(&ahead, &behind, "alarm", false)
	experiment.Put(&ahead, &behind, "child", false)
	found := experiment.Counted("ahead", ahead, "behind", behind)
	if found != "1 ahead: asia; 2 behind: alarm, child" {
		t.Errorf("found %q", found)
	}
	text := experiment.ConclusionText([]experiment.Conclusion{experiment.Concluded("a is better", true, found), experiment.Concluded("b is", false, "")})
	if want := "conclusions of the paper\n  confirmed: a is better\n    " + found + "\n  not confirmed: b is\n"; text != want {
		t.Errorf("found %q; want %q", text, want)
	}
}

// TestData checks names of networks and data sets, and the error of a missing folder.
func TestData(t *testing.T) {
	f := &experiment.Options{Data: t.TempDir()}
	if err := os.MkdirAll(filepath.Join(f.Data, "bif"), 0o755); err != nil {
		t.Fatal(err)
	}
	if got := f.Network("asia"); got != "asia" {
		t.Errorf("found %s; want the model that is part of pgmc", got)
	}
	path := filepath.Join(f.Data, "bif", "asia.bif.gz")
	if err := os.WriteFile(path, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if got := f.Network("asia"); got != path {
		t.Errorf("found %s; want %s", got, path)
	}
	if got := f.Network("none"); got != filepath.Join(f.Data, "bif", "none.bif.gz") {
		t.Errorf("found %s", got)
	}
	if err := experiment.CheckSets([]string{"nltcs", "kdd"}); err != nil {
		t.Error(err)
	}
	if err := experiment.CheckSets([]string{"nltcs", "none"}); err == nil || !strings.HasPrefix(err.Error(), `--networks: unknown data set "none"; want some of [nltcs msnbc `) {
		t.Errorf("error %v", err)
	}
	if experiment.PlaceOf("c20ng") != 11 || experiment.PlaceOf("none") != -1 {
		t.Error("wrong places of data sets")
	}
	here := errors.New("asia: " + f.Data)
	if err := f.Missing(here); err != here {
		t.Errorf("error %v; want that of the run", err)
	}
	gone := &experiment.Options{Data: filepath.Join(f.Data, "gone")}
	if err := gone.Missing(errors.New("open " + gone.Data)); !strings.HasPrefix(err.Error(), gone.Data+": no such folder; --data names one with ") {
		t.Errorf("error %v", err)
	}
}

// TestLoadParts reads the three parts of a data set, with the states of the training data.
func TestLoadParts(t *testing.T) {
	dir := t.TempDir()
	a, _, _ := clitest.App()
	if _, err := experiment.LoadParts(t.Context(), a, dir, "nltcs"); err == nil || !strings.Contains(err.Error(), "nltcs.train.data.gz") {
		t.Errorf("error %v of a missing file", err)
	}
	if err := os.MkdirAll(filepath.Join(dir, "debd"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"train", "valid", "test"} {
		if err := os.WriteFile(filepath.Join(dir, "debd", "nltcs."+part+".data.gz"), []byte("0,1\n1,0\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	d, err := experiment.LoadParts(t.Context(), a, dir, "nltcs")
	if err != nil || d.Train.Len() != 2 || d.Valid.Len() != 2 || len(d.Test.Vars) != 2 {
		t.Errorf("parts %+v, error %v", d, err)
	}
}

// TestMakeLearner checks options that are given to a learner.
func TestMakeLearner(t *testing.T) {
	for _, c := range []struct {
		algo    string
		options []string
		err     string
	}{
		{"hillclimb", []string{"tabu", "10"}, ""},
		{"hillclimb", []string{"none", "10"}, "no such flag -none"},
		{"none", nil, `unknown learner "none"`},
	} {
		in, err := experiment.MakeLearner(c.algo, c.options)
		if (c.err == "") != (err == nil && in != nil) || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s: error %v; want %s", c.algo, err, c.err)
		}
	}
}
