package methodtest

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/internal/format/uai"
	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/irtest"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// uaiBest holds log10 of the values of best completions of networks of the UAI 2014 competition, by
// variable elimination.
var uaiBest = []struct {
	name string
	best float64
	long bool // takes long with some method
}{
	{"map-mmap/Segmentation_12", -22.214446, false}, {"map-mmap/Segmentation_13", -21.653378, false}, {"map-mmap/Segmentation_16", -41.257946, false},
	{"map-mmap/Segmentation_19", -25.494906, false}, {"pr-mar/Segmentation_11", -24.336468, false}, {"pr-mar/Segmentation_14", -43.644718, false},
	{"pr-mar/Grids_12", 302.192900, false}, {"pr-mar/Alchemy_11", 583.691780, false}, {"pr-mar/CSP_12", -1.370370, true},
	{"pr-mar/Pedigree_11", -28.552394, true}, {"pr-mar/Promedus_15", -4.535376, true}, {"pr-mar/Promedus_24", -6.102327, false},
	{"pr-mar/Promedus_26", -7.795109, true}, {"pr-mar/Promedus_30", -23.341555, true},
}

// UAI checks a decoding method on networks with known best values. The value of its states must not
// exceed the best, its bound must not be below the best, and proven states must be best. UAI
// returns the names of the networks with a proof, and of the networks with best states found.
// Networks that take long are left out except in a long test.
func UAI(t *testing.T, m method.Method, options ...string) (proven, found []string) {
	t.Helper()
	return UAINamed(t, m, "", options...)
}

// UAINamed is UAI for the networks with names that contain part.
func UAINamed(t *testing.T, m method.Method, part string, options ...string) (proven, found []string) {
	t.Helper()
	dir := filepath.Join(irtest.Shared(t), "data", "uai2014")
	for _, c := range uaiBest {
		if !strings.Contains(c.name, part) || c.long && !irtest.Long(t) {
			continue
		}
		report, log10 := UAISolve(t, m, filepath.Join(dir, c.name+".uai"), options)
		const digits = 2e-6
		if log10 > c.best+digits {
			t.Errorf("%s: states of %v; the best have %v", c.name, log10, c.best)
		}
		if bound := report.Bound / math.Ln10; bound < c.best-digits {
			t.Errorf("%s: no states exceed %v, and the best have %v", c.name, bound, c.best)
		}
		if report.Gap == 0 {
			proven = append(proven, filepath.Base(c.name))
		}
		if math.Abs(log10-c.best) <= digits {
			found = append(found, filepath.Base(c.name))
		} else if report.Gap == 0 {
			t.Errorf("%s: proven best %v; want %v", c.name, log10, c.best)
		}
		t.Logf("%-25s %10.6f of %10.6f, %s", c.name, log10, c.best, fmt.Sprintf("%v, %d rounds, gap %.4g", report.Status, report.Iterations, report.Gap/math.Ln10))
	}
	return proven, found
}

// UAISolve returns the report and log10 of the value of the states for the network and the evidence
// of a file, with its path without .gz.
func UAISolve(t *testing.T, m method.Method, path string, options []string) (pgmrt.DecodeReport, float64) {
	t.Helper()
	x, list := format.Read(compiler.Formats, path+".gz", "", format.ReadOptions{})
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	src, err := format.OpenSource(path+".evid", format.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	samples, list := uai.ReadEvidence(src, x)
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	if x, err = x.Condition(samples[0], 1<<24); err != nil {
		t.Fatal(err)
	}
	r, err := compiler.Compile(context.Background(), x, compiler.Options{Method: compiler.Named(m.Name, options...), Unnormalised: true})
	if err != nil {
		t.Fatal(err)
	}
	machine, entry := eval.New(r.Program, r.Model), &r.Program.Entries[0]
	went, err := machine.RunLoop(context.Background(), entry, pgmrt.LoopOptions{})
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return machine.Decoded(entry, went), machine.LogP() / math.Ln10
}
