package beam

import (
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	sdk "github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/metrics"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"

	"github.com/pgmc-go/pgmc/compiler/infer"
	more "github.com/pgmc-go/pgmc/generated/asia"
	"github.com/pgmc-go/pgmc/generated/hydro"
	"github.com/pgmc-go/pgmc/ir/irtest"
	irmodel "github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/counts"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/parquet"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
	"github.com/pgmc-go/pgmc/learn/rate"
	"github.com/pgmc-go/pgmc/runtime/beam/internal/asia"
	"github.com/pgmc-go/pgmc/runtime/beam/internal/hybrid"
)

var (
	_ = Register("asia", asia.Variables(), asia.New)
	_ = Register("more", more.Variables(), more.New)
	_ = Register("hydro", hydro.Variables(), hydro.New)
	_ = Register("hybrid", hybrid.Variables(), hybrid.New)
)

// command is the path of pgmc.
var command string

func TestMain(m *testing.M) {
	register.DoFn1x0[Summary](&collectFn{})
	register.DoFn1x0[Bad](&collectBadFn{})
	flag.Parse()
	sdk.Init()
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "pgmc-beam")
		if err != nil {
			panic(err)
		}
		defer os.RemoveAll(dir)
		command = filepath.Join(dir, "pgmc")
		build := exec.Command("go", "build", "-trimpath", "-o", command, "./cmd/pgmc")
		build.Dir = "../.."
		if out, err := build.CombinedOutput(); err != nil {
			panic(fmt.Sprintf("%v\n%s", err, out))
		}
		return m.Run()
	}())
}

// pgmc runs the command and returns what it prints.
func pgmc(t testing.TB, args ...string) []byte {
	t.Helper()
	cmd := exec.Command(command, append(args, "--quiet")...)
	var problems bytes.Buffer
	cmd.Stderr = &problems
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("pgmc %q: %v\n%s", args, err, problems.Bytes())
	}
	return out
}

// collected holds what a pipeline in this process returned.
var collected struct {
	sync.Mutex
	summary []Summary
	bad     []Bad
}

type collectFn struct{}

func (*collectFn) ProcessElement(s Summary) {
	collected.Lock()
	defer collected.Unlock()
	collected.summary = append(collected.summary, s)
}

type collectBadFn struct{}

func (*collectBadFn) ProcessElement(x Bad) {
	collected.Lock()
	defer collected.Unlock()
	collected.bad = append(collected.bad, x)
}

// run runs a question on Prism. It returns the summary, the bad rows in order, and the counters.
func run(t testing.TB, q question) (Summary, []Bad, map[string]int64, error) {
	t.Helper()
	collected.summary, collected.bad = nil, nil
	p, s := sdk.NewPipelineWithRoot()
	r, err := transform(s, q)
	if err != nil {
		t.Fatal(err)
	}
	sdk.ParDo0(s, &collectFn{}, r.Summary)
	sdk.ParDo0(s, &collectBadFn{}, r.Bad)
	result, err := prism.Execute(t.Context(), p)
	if err != nil {
		return Summary{}, nil, nil, err
	}
	if len(collected.summary) != 1 {
		t.Fatalf("found %d summaries; want 1", len(collected.summary))
	}
	counters := map[string]int64{}
	for _, c := range result.Metrics().Query(func(r metrics.SingleResult) bool { return r.Namespace() == "pgmc" }).Counters() {
		counters[c.Name()] += c.Committed
	}
	slices.SortFunc(collected.bad, func(x, y Bad) int { return cmp.Or(cmp.Compare(x.File, y.File), cmp.Compare(x.Row, y.Row)) })
	return collected.summary[0], collected.bad, counters, nil
}

// table reads the part of the first row group of a file, without its column row.
func table(t *testing.T, out, file string) (header []string, rows [][]string) {
	t.Helper()
	r, err := parquet.OpenReader(rowfile.ReadOptions{}, filepath.Join(out, (&Work{File: file}).name()), 0)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for _, c := range r.Columns[1:] {
		header = append(header, c.Name)
	}
	for {
		rec, err := r.Next()
		if err != nil {
			return header, rows
		}
		var row []string
		for _, c := range rec.Cells[1:] {
			row = append(row, c.Text)
		}
		rows = append(rows, row)
	}
}

// same returns a function that compares texts, and numbers by their values.
func same(tolerance float64) func(x, y string) bool {
	return func(x, y string) bool {
		a, err := strconv.ParseFloat(x, 64)
		b, wrong := strconv.ParseFloat(y, 64)
		return x == y || err == nil && wrong == nil && math.Abs(a-b) <= tolerance
	}
}

// each runs a test for both formats and all models.
func each(t *testing.T, do func(t *testing.T, x *sample)) {
	for _, x := range samples {
		for _, format := range []string{"csv", "parquet"} {
			t.Run(x.model+"/"+format, func(t *testing.T) {
				x := x
				x.write(t, format, 600)
				do(t, &x)
			})
		}
	}
}

// checkCounts compares the summary and the counters with the rows.
func (x *sample) checkCounts(t *testing.T, s Summary, bad []Bad, counters map[string]int64) {
	t.Helper()
	if s.Parts != 2 || s.Rows != int64(x.rows) || s.Bad != int64(x.worst) || len(bad) != x.worst {
		t.Errorf("found %+v and %d bad rows; want %d and %d", s, len(bad), x.rows, x.worst)
	}
	if counters["rows"] != s.Rows || counters["incomplete"] != s.Incomplete || counters["bad"] != s.Bad {
		t.Errorf("counters %v; want those of %+v", counters, s)
	}
	if len(bad) > 0 && (bad[0].Row != 51 || bad[0].Column == "" || bad[0].File != x.files[0] || !strings.HasPrefix(bad[0].Reason, `found "purple"; want a `)) {
		t.Errorf("found %+v; want row 51 of %s", bad[0], x.files[0])
	}
}

// TestScore compares the log-probabilities of rows, and their mean with pgmc score.
func TestScore(t *testing.T) {
	each(t, func(t *testing.T, x *sample) {
		out := filepath.Join(t.TempDir(), "scores")
		s, bad, counters, err := run(t, question{Options: Options{Model: x.model, Files: x.files, Out: out, Keep: []string{x.further}}, Kind: scoring})
		if err != nil {
			t.Fatal(err)
		}
		x.checkCounts(t, s, bad, counters)
		if s.Incomplete != int64(x.incomplete) {
			t.Errorf("found %d incomplete rows; want %d", s.Incomplete, x.incomplete)
		}
		m, _, err := infer.Load(x.path)
		if err != nil {
			t.Fatal(err)
		}
		for i, file := range x.files {
			want := scores(t, m, x.good[i])
			header, rows := table(t, out, file)
			if len(rows) != len(want) || !slices.Equal(header, []string{x.further, "logp"}) {
				t.Fatalf("found %d rows of %q; want %d", len(rows), header, len(want))
			}
			for k, row := range rows {
				if got, err := strconv.ParseFloat(row[1], 64); err != nil || math.Abs(got-want[k]) > x.tolerance {
					t.Fatalf("row %d: %s; want %v", k, row[1], want[k])
				}
			}
		}
		var report struct {
			Rows   int64
			LL     float64
			StdErr float64 `json:"ll_stderr"`
		}
		dir := t.TempDir()
		for _, path := range x.good {
			if err := os.Link(path, filepath.Join(dir, filepath.Base(path))); err != nil {
				t.Fatal(err)
			}
		}
		if err := json.Unmarshal(pgmc(t, "score", x.path, dir, "--json"), &report); err != nil {
			t.Fatal(err)
		}
		irtest.CloseTo(t, s.Mean, report.LL, 1e-12*math.Abs(report.LL))
		irtest.CloseTo(t, s.StdErr, report.StdErr, 1e-12)
		if _, err := os.Stat(filepath.Join(out, success)); err != nil || report.Rows != s.Rows {
			t.Errorf("found %d rows, error %v", report.Rows, err)
		}
	})
}

// scores returns the log-probabilities of the rows of a file, as pgmc score computes them.
func scores(t *testing.T, m *irmodel.Model, path string) []float64 {
	t.Helper()
	s, err := rate.NewScorer(m, rate.ScorerOptions{Measure: rate.LL, Keep: true})
	if err != nil {
		t.Fatal(err)
	}
	r, err := rowfile.Open(path, rowfile.Auto)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	b, err := r.Bind(data.VarsOf(m), rowfile.UnseenError)
	if err != nil {
		t.Fatal(err)
	}
	s.Cores(1)
	var list []float64
	err = b.EachBlock(context.Background(), rowfile.BlockOptions{Cores: 1,
		Work: func(core int, k *rowfile.Block) error { return s.Score(t.Context(), core, k, k.Scores()) },
		Then: func(k *rowfile.Block) error { list = append(list, k.Scratch.([]float64)...); return nil }})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestPredict compares predictions with those of pgmc predict.
func TestPredict(t *testing.T) {
	each(t, func(t *testing.T, x *sample) {
		for _, targets := range [][]string{{x.target}, {x.further, x.target}} {
			model, tolerance := x.model, x.tolerance
			if len(targets) > 1 {
				model, tolerance = x.all, x.ofAll
			}
			out := filepath.Join(t.TempDir(), "predicted")
			s, bad, counters, err := run(t, question{Options: Options{Model: model, Files: x.files, Out: out}, Kind: predicting, Targets: targets})
			if err != nil {
				t.Fatal(err)
			}
			x.checkCounts(t, s, bad, counters)
			for i, file := range x.files {
				text := pgmc(t, "predict", x.path, x.good[i], "--targets", strings.Join(targets, ","))
				want, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
				if err != nil {
					t.Fatal(err)
				}
				header, rows := table(t, out, file)
				first := len(want[0]) - len(header)
				if len(rows) != len(want)-1 || !slices.Equal(header, want[0][first:]) {
					t.Fatalf("found %d rows of %q; want %d of %q", len(rows), header, len(want)-1, want[0][first:])
				}
				for k, row := range rows {
					if !slices.EqualFunc(row, want[k+1][first:], same(tolerance)) {
						t.Fatalf("row %d: %q; want %q", k, row, want[k+1][first:])
					}
				}
			}
		}
	})
}

// TestCount compares counts with those of pgmc count.
func TestCount(t *testing.T) {
	each(t, func(t *testing.T, x *sample) {
		m, _, err := infer.Load(x.path)
		if err != nil {
			t.Fatal(err)
		}
		var lines strings.Builder
		for _, f := range m.Factors {
			var names []string
			for _, v := range f.Scope {
				names = append(names, m.Vars[v].Name)
			}
			fmt.Fprintln(&lines, strings.Join(names, ","))
		}
		dir := t.TempDir()
		file, out := filepath.Join(dir, "families.txt"), filepath.Join(dir, "out")
		if err := os.WriteFile(file, []byte(lines.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		families, err := counts.ReadFamilies(file)
		if err != nil {
			t.Fatal(err)
		}
		s, bad, counters, err := run(t, question{Options: Options{Model: x.model, Files: x.files, Out: out}, Kind: counting, Families: families})
		if err != nil {
			t.Fatal(err)
		}
		x.checkCounts(t, s, bad, counters)
		got, err := os.ReadFile(filepath.Join(out, countsFile))
		if err != nil || !bytes.Equal(got, s.Counts) {
			t.Errorf("the file and the summary differ; error %v", err)
		}
		var parts []string
		for i, path := range x.good {
			parts = append(parts, filepath.Join(dir, fmt.Sprintf("%d.csv", i)))
			pgmc(t, "count", x.path, path, "-o", parts[i])
		}
		if want := pgmc(t, "count", "--add", parts[0], parts[1]); !bytes.Equal(got, want) {
			t.Errorf("found\n%s\nwant\n%s", got, want)
		}
	})
}
