package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/ir/irtest"
)

// drawn runs pgmc sample on asia and returns the header and the rows.
func drawn(t *testing.T, flags ...string) (header []string, rows [][]string) {
	t.Helper()
	path := filepath.Join(irtest.ModuleRoot(t), "testdata", "models", "asia.bif")
	var out, stderr bytes.Buffer
	if code := run(append([]string{"sample", path}, flags...), strings.NewReader(""), &out, &stderr); code != cli.ExitDone {
		t.Fatalf("exit code %d\n%s", code, &stderr)
	}
	all, err := csv.NewReader(&out).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return all[0], all[1:]
}

// TestSampleFrequencies checks that frequencies are within four standard deviations of the
// probabilities: without evidence those of the tables of the paper, and with two findings those of
// the stored answers of another program.
func TestSampleFrequencies(t *testing.T) {
	const n = 20000
	for _, c := range []struct {
		name  string
		flags []string
		yes   map[string]float64
	}{
		{"prior", nil, map[string]float64{
			"asia": .01, "tub": .01*.05 + .99*.01, "smoke": .5, "lung": .055, "bronc": .45,
			"either": 1 - (1-.0104)*(1-.055), // tub and lung are independent
		}},
		// Given smoke, lung and bronc are independent of tub and of each other.
		{"given smoke and lung", []string{"--evidence", "smoke=yes,lung=yes"}, map[string]float64{
			"asia": .01, "tub": .0104, "smoke": 1, "lung": 1, "bronc": .6, "either": 1, "xray": .98, "dysp": .6*.9 + .4*.7,
		}},
		// P(smoke=yes | lung=yes, bronc=yes) = .5*.1*.6 / (.5*.1*.6 + .5*.01*.3), a likelihood of
		// 0.9 for lung=yes counts too.
		{"against the arrows", []string{"--evidence", "bronc=yes", "--soft", "lung=0.9/0.1"}, map[string]float64{
			"bronc": 1,
			"smoke": .6 * (.1*.9 + .9*.1) / (.6*(.1*.9+.9*.1) + .3*(.01*.9+.99*.1)),
			"lung":  .9 * (.6*.1 + .3*.01) / (.9*(.6*.1+.3*.01) + .1*(.6*.9+.3*.99)),
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			header, rows := drawn(t, append(c.flags, "-n", "20000", "--seed", "5")...)
			if len(rows) != n {
				t.Fatalf("%d rows; want %d", len(rows), n)
			}
			for v, name := range header {
				count := 0.0
				for _, row := range rows {
					if row[v] == "yes" {
						count++
					}
				}
				p, ok := c.yes[name]
				if sigma := math.Sqrt(p * (1 - p) / n); ok && math.Abs(count/n-p) > 4*sigma {
					t.Errorf("%s: frequency %v; want %v within %v", name, count/n, p, 4*sigma)
				}
			}
		})
	}
}

// TestSampleJoint checks that variables are drawn jointly: in every row, either is the disjunction
// of tub and lung.
func TestSampleJoint(t *testing.T) {
	header, rows := drawn(t, "-n", "500", "--evidence", "dysp=yes,xray=yes")
	at := map[string]int{}
	for i, name := range header {
		at[name] = i
	}
	both := map[string]int{}
	for _, row := range rows {
		or := row[at["tub"]] == "yes" || row[at["lung"]] == "yes"
		if or != (row[at["either"]] == "yes") || row[at["dysp"]] != "yes" || row[at["xray"]] != "yes" {
			t.Fatalf("impossible row %q", row)
		}
		both[row[at["either"]]]++
	}
	if len(both) != 2 {
		t.Errorf("either is the same in all rows: %v", both)
	}
}

func TestSampleStops(t *testing.T) {
	path := filepath.Join(irtest.ModuleRoot(t), "testdata", "models", "asia.bif")
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var stderr bytes.Buffer
	a := &app{&cli.App{Args: []string{"sample", path, "-n", "1000000000", "-o", filepath.Join(dir, "rows.csv")}, Stdin: strings.NewReader(""), Stderr: &stderr}}
	a.Stdout = &stderr
	go func() {
		for ctx.Err() == nil {
			if temp, _ := filepath.Glob(filepath.Join(dir, ".rows.csv.*")); temp != nil {
				cancel()
			}
		}
	}()
	code := a.ExitCode(cli.Guard(func() error { return a.Execute(ctx, a.root()) }))
	left, _ := filepath.Glob(filepath.Join(dir, "*"))
	hidden, _ := filepath.Glob(filepath.Join(dir, ".*"))
	if code != cli.ExitInput || !strings.Contains(stderr.String(), "interrupted") || len(left)+len(hidden) > 0 {
		t.Errorf("exit code %d, files %q %q, %s", code, left, hidden, &stderr)
	}
}
