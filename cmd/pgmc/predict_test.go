package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"io"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/ir/irtest"
)

// TestPredictOracle compares predictions with the marginals that another program stored for the
// evidence of a row: of all variables that no row observes, and of a single variable, which takes
// another query.
func TestPredictOracle(t *testing.T) {
	for _, c := range []struct{ network, targets string }{
		{"asia", "lung,bronc"}, {"asia", "lung"}, {"asia", "tub"}, {"child", "Disease"}, {"alarm", "LVFAILURE,CATECHOL,HR"},
	} {
		t.Run(c.network+" "+c.targets, func(t *testing.T) { comparePredictions(t, c.network, strings.Split(c.targets, ",")) })
	}
}

func comparePredictions(t *testing.T, network string, targets []string) {
	shared := irtest.Shared(t)
	path := filepath.Join(shared, "data", "bif", network+".bif.gz")
	m, list := format.Read(compiler.Formats, path, "", format.ReadOptions{})
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	var in, out, stderr bytes.Buffer
	w := csv.NewWriter(&in)
	header := []string{"row"}
	for _, v := range m.Vars {
		header = append(header, v.Name)
	}
	w.Write(header)
	var want []oracleRow
	for _, row := range readOracle(t, filepath.Join(shared, "oracle", network+".jsonl.gz")) {
		observed := false
		for _, target := range targets {
			observed = observed || row.Evidence[target] != ""
		}
		if observed {
			continue
		}
		cells := []string{strconv.Itoa(row.ID)}
		for _, name := range header[1:] {
			cells = append(cells, row.Evidence[name])
		}
		w.Write(cells)
		want = append(want, row)
	}
	w.Flush()
	if len(want) < 10 {
		t.Fatalf("%d rows without evidence on targets; want 10 at least", len(want))
	}
	args := []string{"predict", path, "-", "--rows", "asis", "--quiet", "--targets", strings.Join(targets, ",")}
	if code := run(args, &in, &out, &stderr); code != cli.ExitDone {
		t.Fatalf("exit code %d\n%s", code, &stderr)
	}
	rows, err := csv.NewReader(&out).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != 1+len(want) {
		t.Fatalf("%d rows; want %d", len(rows)-1, len(want))
	}
	column := map[string]int{}
	for i, name := range rows[0] {
		column[name] = i
	}
	for i, row := range want {
		got := rows[i+1]
		for _, target := range targets {
			v, _ := m.VarByName(target)
			best := -1.0
			for _, s := range m.States(v.ID) {
				best = max(best, row.Marginals[target][s])
				p, err := strconv.ParseFloat(got[column["P("+target+"="+s+")"]], 64)
				if w := row.Marginals[target][s]; err != nil || math.Abs(p-w) > oracleTolerance {
					t.Errorf("row %d: P(%s=%s) is %v, %v; want %v", row.ID, target, s, p, err, w)
				}
			}
			if s := got[column[target+"_predicted"]]; row.Marginals[target][s] < best-oracleTolerance {
				t.Errorf("row %d: predicted is %s=%s; want the most probable of %v", row.ID, target, s, row.Marginals[target])
			}
		}
	}
}

// TestPredictStops checks that waiting for standard input ends with the context.
func TestPredictStops(t *testing.T) {
	path := filepath.Join(irtest.ModuleRoot(t), "testdata", "models", "asia.bif")
	in, feed := io.Pipe()
	ctx, cancel := context.WithCancel(t.Context())
	var out, stderr bytes.Buffer
	a := &app{&cli.App{Args: []string{"predict", path, "-", "--targets", "lung"}, Stdin: in, Stdout: &out, Stderr: &stderr}}
	go func() {
		io.WriteString(feed, "smoke\nyes\n")
		cancel()
	}()
	code := a.ExitCode(cli.Guard(func() error { return a.Execute(ctx, a.root()) }))
	if code != cli.ExitInput || !strings.Contains(stderr.String(), "interrupted") {
		t.Errorf("exit code %d, %s", code, &stderr)
	}
	feed.Close()
}
