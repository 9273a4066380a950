package learning

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/clitest"
	"github.com/pgmc-go/pgmc/learn"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
	"github.com/pgmc-go/pgmc/learn/learner"
)

// same is rows of two columns that are always equal, and a third that is constant.
var same = "a,b,c\n" + strings.Repeat("x,u,k\ny,v,k\n", 20)

// optionsOf returns the flags of a learner.
func optionsOf(t *testing.T, algo, rows string) *Options {
	return &Options{Algo: algo, Train: clitest.File(t, "rows.csv", rows), Out: filepath.Join(t.TempDir(), "model.json"), Bins: "0", Cmd: &cobra.Command{Use: algo}}
}

// TestRun learns a network, whose edges are known, compares it with a true one, and reads it back.
func TestRun(t *testing.T) {
	a, out, _ := clitest.App()
	a.JSON = true
	f := optionsOf(t, "hillclimb", same)
	f.Truth = clitest.File(t, "truth.bif", `network t {}
variable a { type discrete [2] { x, y }; }
variable b { type discrete [2] { u, v }; }
variable c { type discrete [1] { k }; }
probability (a) { table 0.5, 0.5; }
probability (b) { table 0.5, 0.5; }
probability (c) { table 1; }
`)
	f.Folds, f.Bootstrap = 2, 3
	if err := Run(t.Context(), a, f); err != nil {
		t.Fatal(err)
	}
	var r struct {
		Structure struct {
			SHD, Extra int
		} `json:"truth"`
		Folds map[string]any `json:"cross_validation"`
	}
	if err := json.Unmarshal(out.Bytes(), &r); err != nil {
		t.Fatal(err)
	}
	if len(r.Folds) == 0 {
		t.Errorf("no cross-validation in %s", out)
	}
	if r.Structure.SHD != 1 || r.Structure.Extra != 1 {
		t.Errorf("distance %+v; want one extra edge in %s", r.Structure, out)
	}
	m, err := a.Load(t.Context(), f.Out, "")
	if err != nil {
		t.Fatal(err)
	}
	edges := 0
	for _, x := range m.Factors {
		edges += len(x.Scope) - 1
	}
	if edges != 1 {
		t.Errorf("%d edges; want one, between a and b", edges)
	}
}

// TestText checks the summary of a run.
func TestText(t *testing.T) {
	a, out, _ := clitest.App()
	f := optionsOf(t, "chowliu", same)
	f.Bootstrap = 2
	if err := Run(t.Context(), a, f); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"model.json: 3 variables, ", " edges are in more than half of the networks of 2 samples of the rows"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
}

// TestRefused compares errors of flags that contradict each other or are missing.
func TestRefused(t *testing.T) {
	for _, c := range []struct {
		change func(f *Options)
		err    string
	}{
		{func(f *Options) { f.Out = "" }, "--output is missing; name the file of the model, as in -o model.bif"},
		{func(f *Options) { f.Train = "" }, "there is no data file; want pgmc learn hillclimb DATA -o MODEL"},
		{func(f *Options) { f.Target = "x.bif" }, "--target: hillclimb learns from rows; acopt approximates a network"},
		{func(f *Options) { f.Algo, f.Target = "acopt", "x.bif" }, "--target replaces DATA and --valid; want one or the other"},
		{func(f *Options) { f.Form = Form{true, true} }, "found both --html and --vega; want one of them"},
		{func(f *Options) { f.Bootstrap = 1 }, "--bootstrap is 1; want 2 samples of the rows or more, such as 100"},
		{func(f *Options) { f.Bins = "1" }, `--bins has "1"; want a number of intervals from 2 to `},
		{func(f *Options) { f.Algo = "none" }, `unknown learner "none"`},
	} {
		a, _, _ := clitest.App()
		f := optionsOf(t, "hillclimb", same)
		c.change(f)
		if err := Run(t.Context(), a, f); err == nil || !strings.Contains(err.Error(), c.err) {
			t.Errorf("error %v; want %s", err, c.err)
		}
	}
}

// TestFit compares fitted numbers with counts: of four rows, three have a = x.
func TestFit(t *testing.T) {
	a, _, _ := clitest.App()
	f := &FitOptions{Out: filepath.Join(t.TempDir(), "out.json"), Prior: "none", Opt: learn.ParameterOptions{}}
	model := clitest.File(t, "rain.bif", clitest.Rain)
	if err := Fit(t.Context(), a, model, clitest.File(t, "rows.csv", "rain,wet\nyes,yes\nyes,no\nyes,yes\nno,no\n"), f); err != nil {
		t.Fatal(err)
	}
	m, err := a.Load(t.Context(), f.Out, "")
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{0.75, 0.25} {
		if got := m.Value(m.Factors[0], []int{i, 0}); got != want {
			t.Errorf("P(rain = %d) is %v; want %v", i, got, want)
		}
	}
	for _, c := range []struct {
		f     FitOptions
		given string
		err   string
	}{
		{FitOptions{}, "", "--output is missing"},
		{FitOptions{Out: "x"}, "steps", "--steps needs --em"},
		{FitOptions{Out: "x", Opt: softmax()}, "bins", "--bins needs --structure; a model has the variables"},
		{FitOptions{Out: "x", Opt: softmax(), Structure: "a"}, "update", "--update is about a model; leave it out, since --structure is in its place"},
		{FitOptions{Out: "x", Opt: softmax(), Network: "n", Prior: "k2"}, "", "--prior-network is for prior bde, not for k2"},
		{FitOptions{Out: "x"}, "", "--softmax is 0; want a number above 0"},
	} {
		if err := c.f.Check(func(flag string) bool { return flag == c.given }); err == nil || !strings.HasPrefix(err.Error(), c.err) {
			t.Errorf("error %v; want %s", err, c.err)
		}
	}
}

func softmax() (opt learn.ParameterOptions) {
	opt.Softmax = 1
	return opt
}

// TestBins compares rules with what they mean.
func TestBins(t *testing.T) {
	for _, c := range []struct {
		text    string
		byWidth bool
		want    rowfile.LoadOptions
		err     string
	}{
		{"0", false, rowfile.LoadOptions{}, ""},
		{"4", false, rowfile.LoadOptions{Bins: 4, Binning: rowfile.BinsFrequency}, ""},
		{"4", true, rowfile.LoadOptions{Bins: 4, Binning: rowfile.BinsWidth}, ""},
		{"mdl:class,age=width:3", false, rowfile.LoadOptions{Class: "class", Binning: rowfile.BinsMDL, Columns: []rowfile.ColumnBins{{Column: "age", N: 3, Binning: rowfile.BinsWidth}}}, ""},
		{"4,5", false, rowfile.LoadOptions{}, "--bins has two rules for all columns"},
		{"mdl:", false, rowfile.LoadOptions{}, `--bins has "mdl:"`},
		{"other:3", false, rowfile.LoadOptions{}, `--bins has "other:3"`},
	} {
		var got rowfile.LoadOptions
		err := readBins(c.text, c.byWidth, &got)
		if c.err != "" {
			if err == nil || !strings.HasPrefix(err.Error(), c.err) {
				t.Errorf("%s: error %v; want %s", c.text, err, c.err)
			}
			continue
		}
		if err != nil || got.Bins != c.want.Bins || got.Binning != c.want.Binning || got.Class != c.want.Class || !slices.Equal(got.Columns, c.want.Columns) {
			t.Errorf("%s: found %+v, error %v; want %+v", c.text, got, err, c.want)
		}
	}
}

// TestCutFlag checks that a flag and its value are taken out of a command line.
func TestCutFlag(t *testing.T) {
	for _, c := range []struct{ args, value, rest, err string }{
		{"rows.csv --algo tan -o x", "tan", "rows.csv -o x", ""},
		{"--algo=tan rows.csv", "tan", "rows.csv", ""},
		{"rows.csv --algorithm x", "", "rows.csv --algorithm x", ""},
		{"rows.csv --algo", "", "", "flag needs an argument: --algo"},
	} {
		value, rest, err := cutFlag(strings.Fields(c.args), "algo")
		if value != c.value || strings.Join(rest, " ") != c.rest || (err == nil) != (c.err == "") || err != nil && err.Error() != c.err {
			t.Errorf("%s: found %q, %q, error %v", c.args, value, rest, err)
		}
	}
	if err := unknownLearner(nil, []string{"hilclimb", "rows.csv"}); err == nil || err.Error() != `unknown learner "hilclimb"; did you mean "hillclimb"?` {
		t.Errorf("error %v", err)
	}
	if err := unknownLearner(nil, []string{"rows.csv", "-o"}); err != nil {
		t.Errorf("error %v of a data file", err)
	}
}

// TestListFlag checks options whose value is in a file.
func TestListFlag(t *testing.T) {
	l, err := learn.Find("hillclimb")
	if err != nil {
		t.Fatal(err)
	}
	_, own := NewLearner(l)
	f := Flag(own.Lookup("forbid"))
	if err := f.Value.Set("@" + clitest.File(t, "list.txt", "a->b")); err != nil || f.Value.String() != "a->b" {
		t.Errorf("value %q, error %v", f.Value, err)
	}
	if err := f.Value.Set("@none.txt"); err == nil {
		t.Error("no error of a missing file")
	}
	if err := FlagError(&cobra.Command{Use: "chowliu"}, cli.Usagef("unknown flag: --tabu")); err == nil || !strings.HasPrefix(err.Error(), "--tabu is no option of chowliu; it is one of ") {
		t.Errorf("error %v", err)
	}
}

// TestShareRemark counts edges in either direction.
func TestShareRemark(t *testing.T) {
	list := []learner.Posterior{{From: "a", To: "b", Probability: 0.3}, {From: "b", To: "a", Probability: 0.3}, {From: "a", To: "c", Probability: 0.5}}
	if got := shareRemark(list, 7); !strings.HasPrefix(got, "1 edges are in more than half of the networks of 7 samples") {
		t.Errorf("remark %q", got)
	}
}
