package predict_test

import (
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/clitest"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/predict"
)

// run predicts rows, and returns the rows and the report.
func run(t *testing.T, model, rows string, f predict.Options) (out, report string, err error) {
	t.Helper()
	f.ModelFlags, f.Out.File = clitest.ModelFlags(), filepath.Join(t.TempDir(), "out.csv")
	a, printed, problems := clitest.App()
	err = predict.Run(t.Context(), a, clitest.File(t, "model.bif", model), clitest.File(t, "rows.csv", rows), &f)
	text, _ := os.ReadFile(f.Out.File)
	return string(text), printed.String() + problems.String(), err
}

// TestRun compares predictions with those by hand: P(rain | wet) = 0.4, and 0 if it is not wet. The
// log-loss is the mean of -ln 0.6 and 0.
func TestRun(t *testing.T) {
	out, report, err := run(t, clitest.Rain, "id,wet,rain\n\"a,b\",yes,no\nc,no,no\n", predict.Options{Targets: []string{"rain"}})
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if len(lines) != 3 || lines[0] != "id,wet,rain,P(rain=yes),P(rain=no),rain_predicted" || !strings.HasPrefix(lines[1], `"a,b",yes,no,`) || lines[2] != "c,no,no,0,1,no" {
		t.Errorf("found\n%s", out)
	}
	cells := strings.Split(lines[1], ",")
	for i, want := range []float64{0.4, 0.6} {
		if p, err := strconv.ParseFloat(cells[len(cells)-3+i], 64); err != nil || math.Abs(p-want) > 1e-15 {
			t.Errorf("P %v, error %v; want %v", p, err, want)
		}
	}
	for _, want := range []string{"2 rows, 0 of them impossible\n", "rain       2  1.000000  0.255413  0.160000", "rain, by truth  yes  no\nyes               0   0\nno                0   2"} {
		if !strings.Contains(report, want) {
			t.Errorf("no %q in\n%s", want, report)
		}
	}
}

// TestImpossible checks rows of probability 0: an error, or cells without numbers.
func TestImpossible(t *testing.T) {
	three := strings.NewReplacer("network rain {}", "network rain {}\nvariable ill { type discrete [2] { yes, no }; }\nprobability (ill | wet) { (yes) 0.5, 0.5; (no) 0.25, 0.75; }").Replace(clitest.Rain)
	const rows = "rain,wet\nyes,no\nno,no\n"
	_, _, err := run(t, three, rows, predict.Options{Targets: []string{"ill"}})
	if err == nil || !strings.Contains(err.Error(), "rows.csv:2:1: ") || !strings.Contains(err.Error(), "probability 0") {
		t.Errorf("error %v", err)
	}
	out, report, err := run(t, three, rows, predict.Options{Targets: []string{"ill"}, Impossible: cli.Choice{Value: "empty"}})
	if err != nil || out != "rain,wet,P(ill=yes),P(ill=no),ill_predicted\nyes,no,,,\nno,no,0.25,0.75,no\n" || !strings.Contains(report, "2 rows, 1 of them impossible\n") || !strings.Contains(report, "it is the only such row") {
		t.Errorf("error %v, found\n%s%s", err, out, report)
	}
}

// TestFolds checks that each row is predicted by parameters fitted to the others.
func TestFolds(t *testing.T) {
	out, report, err := run(t, clitest.Rain, "rain,wet\nyes,yes\nno,no\nyes,yes\nno,no\n", predict.Options{Targets: []string{"rain"}, Folds: 2})
	if err != nil || strings.Count(out, "\n") != 5 || !strings.Contains(report, "each row predicted by parameters fitted to the others of 2 parts; ") {
		t.Errorf("error %v, found\n%s%s", err, out, report)
	}
	for _, c := range []struct {
		folds int
		err   string
	}{{1, "--folds is 1; want 2 to the number of rows, 2"}, {3, "--folds is 3; want 2 to the number of rows, 2"}} {
		if _, _, err := run(t, clitest.Rain, "rain,wet\nyes,yes\nno,no\n", predict.Options{Targets: []string{"rain"}, Folds: c.folds}); err == nil || err.Error() != c.err {
			t.Errorf("error %v; want %s", err, c.err)
		}
	}
}

// TestRefused compares errors.
func TestRefused(t *testing.T) {
	for _, c := range []struct {
		rows string
		opt  predict.Options
		err  string
	}{
		{"wet\nyes\n", predict.Options{}, "--targets is missing; want the variables to predict"},
		{"wet\nyes\n", predict.Options{Targets: []string{"rain"}, Interval: 1}, "--interval is 1; want a probability from 0 to below 1"},
		{"wet\nyes\n", predict.Options{Targets: []string{"snow"}}, `--targets: unknown variable "snow"`},
		{"wet\nyes\n", predict.Options{Targets: []string{"rain"}, Smooth: true}, "the model has no transition from slice to slice; leave out --sequence-column and --smooth"},
		{"P(rain=yes),wet\nx,yes\n", predict.Options{Targets: []string{"rain"}}, `there is a column "P(rain=yes)" already, the name of a new column; rename it`},
	} {
		_, _, err := run(t, clitest.Rain, c.rows, c.opt)
		if err == nil || !strings.Contains(err.Error(), c.err) {
			t.Errorf("error %v; want %s", err, c.err)
		}
	}
}

// TestImpute fills missing cells by a most probable completion.
func TestImpute(t *testing.T) {
	a, _, problems := clitest.App()
	f := &predict.ImputeOptions{Out: cli.RowsOut{File: filepath.Join(t.TempDir(), "out.csv")}}
	f.ModelFlags = clitest.ModelFlags()
	err := predict.Impute(t.Context(), a, clitest.File(t, "rain.bif", clitest.Rain), clitest.File(t, "rows.csv", "wet,other,rain\nno,1,\n,2,yes\nyes,3,yes\n"), f)
	if err != nil {
		t.Fatal(err)
	}
	out, err := os.ReadFile(f.Out.File)
	if want := "wet,other,rain\nno,1,no\nyes,2,yes\nyes,3,yes\n"; string(out) != want {
		t.Errorf("error %v, found %s; want %s\n%s", err, out, want, problems)
	}
}
