package experiment_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/clitest"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/experiment"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/learner"
)

// TestRun checks what a run prints and the files that it writes.
func TestRun(t *testing.T) {
	a, out, _ := clitest.App()
	dir := filepath.Join(t.TempDir(), "results")
	var measured []string
	plan := &experiment.Plan{
		Name: "paper", Kind: "network", Instances: []string{"asia"}, Keep: true,
		Measure: func(_ context.Context, name string) error {
			if name == "broken" {
				return errors.New("no model")
			}
			measured = append(measured, name)
			return nil
		},
		Report: func() *experiment.Report {
			exact, rounded := &table.Table{}, &table.Table{}
			exact.Add("network", "KL")
			rounded.Add("network", "KL")
			for _, name := range measured {
				exact.Add(name+", again", "0.512")
				rounded.Addf("%s, %d%%|%.1f", name, 5, 0.512)
			}
			return &experiment.Report{Intro: "intro\n", Tables: []experiment.Table{{Name: "figure1", Title: "Figure", Table: exact, Rounded: rounded}},
				Conclusions: []experiment.Conclusion{experiment.NotMeasured("a is")}, Value: map[string]any{"network": "a<b", "kl": 0.5}}
		},
	}
	r := &experiment.Run{App: a, Flags: &experiment.Options{Out: dir}}
	if err := r.Do(t.Context(), plan); err != nil {
		t.Fatal(err)
	}
	text := "intro\n\nFigure\nnetwork    KL\nasia, 5%  0.5\n\nclaims of the paper\nin print  here  confirmed?\na is            not measured\n"
	if out.String() != text {
		t.Errorf("printed %q; want %q", out, text)
	}
	for name, want := range map[string]string{
		"paper.txt": text, "paper.json": "{\n  \"kl\": 0.5,\n  \"network\": \"a<b\"\n}\n", "figure1.csv": "network,KL\n\"asia, again\",0.512\n",
		"claims.csv": "in print,here,confirmed?\na is,,not measured\n",
	} {
		if text, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(text) != want {
			t.Errorf("%s: error %v, found %q; want %q", name, err, text, want)
		}
	}
	a.JSON = true
	out.Reset()
	r.Flags = &experiment.Options{Networks: []string{"alarm", "child"}}
	var got map[string]any
	if err := r.Do(t.Context(), plan); err != nil || json.Unmarshal(out.Bytes(), &got) != nil || got["kl"] != 0.5 || !slices.Equal(measured, []string{"asia", "alarm", "child"}) {
		t.Errorf("error %v, printed %q after %q", err, out, measured)
	}
	r.Flags.Networks = []string{"broken"}
	if err := r.Do(t.Context(), plan); err == nil || err.Error() != "network broken: no model" {
		t.Errorf("error %v", err)
	}
	plan.Kind, plan.Known = "data set", []string{"nltcs"}
	if err := r.Do(t.Context(), plan); err == nil || err.Error() != `--networks: unknown data set "broken"; want some of [nltcs]` {
		t.Errorf("error %v", err)
	}
}

// TestParallel checks that each number is taken once, and that the first error ends the work.
func TestParallel(t *testing.T) {
	taken := make([]atomic.Int64, 100)
	err := experiment.Parallel(t.Context(), len(taken), 4, func() func(context.Context, int) error {
		return func(_ context.Context, i int) error { taken[i].Add(1); return nil }
	})
	for i := range taken {
		if n := taken[i].Load(); err != nil || n != 1 {
			t.Errorf("error %v; took %d %d times", err, i, n)
		}
	}
	broken, calls := errors.New("broken"), 0
	err = experiment.Parallel(t.Context(), 100, 1, func() func(context.Context, int) error {
		return func(_ context.Context, i int) error {
			if calls++; i == 2 {
				return broken
			}
			return nil
		}
	})
	if err != broken || calls != 3 {
		t.Errorf("error %v after %d calls; want the third error", err, calls)
	}
	later := make(chan bool)
	err = experiment.Parallel(t.Context(), 2, 2, func() func(context.Context, int) error {
		return func(_ context.Context, i int) error {
			if i == 1 {
				close(later)
				return errors.New("broken first")
			}
			<-later
			return broken
		}
	})
	if err != broken {
		t.Errorf("error %v; want the error of the lowest number", err)
	}
}

// TestPick checks the sizes of runs.
func TestPick(t *testing.T) {
	for _, c := range []struct {
		f    experiment.Options
		want int
	}{{experiment.Options{Quick: true}, 1}, {experiment.Options{}, 2}, {experiment.Options{Full: true}, 3}} {
		if got := experiment.Pick(&c.f, 1, 2, 3); got != c.want {
			t.Errorf("%+v: %d; want %d", c.f, got, c.want)
		}
	}
	if err := experiment.AtLeastOne("trials", -1); err == nil || err.Error() != "--trials is -1; want 1 or more" {
		t.Errorf("error %v", err)
	}
}

// TestConclusions checks the verdicts on claims, and the lines of a long one in their table.
func TestConclusions(t *testing.T) {
	var ahead, behind []string
	experiment.Put(&ahead, &behind, "asia", true)
	experiment.Put(&ahead, &behind, "alarm", false)
	experiment.Put(&ahead, &behind, "child", false)
	found := experiment.Counted("ahead", ahead, "behind", behind)
	if found != "1 ahead: asia; 2 behind: alarm, child" {
		t.Errorf("found %q", found)
	}
	list := []experiment.Conclusion{experiment.OnMost("a is better on a third of the sets", 4, ahead, behind), experiment.OnMost("b", 5, ahead, behind), experiment.OnMost("c", 12, ahead, nil), experiment.OnMost("d", 1, nil, nil)}
	a, out, _ := clitest.App()
	r := &experiment.Run{App: a, Flags: &experiment.Options{}}
	if err := r.Do(t.Context(), &experiment.Plan{Report: func() *experiment.Report {
		return &experiment.Report{Conclusions: append(list, experiment.Concluded("a sentence that is longer than the column of what is in print", false, "1.5 of 2"))}
	}}); err != nil {
		t.Fatal(err)
	}
	want := `
claims of the paper
in print                                      here             confirmed?
a is better on a third of the sets            on 1 of 3: asia  yes
b                                             on 1 of 3: asia  no
c                                             on 1 of 1        yes
d                                                              not measured
a sentence that is longer than the column of  1.5 of 2         no
what is in print
`
	if out.String() != want {
		t.Errorf("printed %s; want %s", out, want)
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
	r := &experiment.Run{App: a, Flags: &experiment.Options{Data: dir}}
	if _, err := r.LoadParts(t.Context(), "nltcs"); err == nil || !strings.Contains(err.Error(), "nltcs.train.data.gz") {
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
	d, err := r.LoadParts(t.Context(), "nltcs")
	if err != nil || d.Train.Len() != 2 || d.Valid.Len() != 2 || len(d.Test.Vars) != 2 {
		t.Errorf("parts %+v, error %v", d, err)
	}
}

// TestLearn checks options that are given to a learner.
func TestLearn(t *testing.T) {
	a, _, _ := clitest.App()
	r := &experiment.Run{App: a, Flags: &experiment.Options{}}
	rows := [][]int{{0, 1}, {1, 0}, {0, 1}, {1, 0}}
	set, err := data.New([]data.Var{{Name: "a", States: []string{"n", "y"}}, {Name: "b", States: []string{"n", "y"}}}, rows, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := experiment.RowsOf(set, 2); !reflect.DeepEqual(got, rows[:2]) {
		t.Errorf("rows %v", got)
	}
	for _, c := range []struct{ algo, options, err string }{
		{"hillclimb", "score=bdeu tabu=10", ""},
		{"hillclimb", "none=10", "flag provided but not defined: -none"},
		{"none", "", `unknown learner "none"`},
	} {
		l, err := r.Learn(t.Context(), c.algo, c.options, &learner.Job{Train: set})
		if (c.err == "") != (err == nil && len(l.Vars) == 2) || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s: error %v; want %s", c.algo, err, c.err)
		}
	}
}
