package maxsum_test

import (
	"math"
	"path/filepath"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/maxsum"
	"github.com/pgmc-go/pgmc/compiler/method/methodtest"
	"github.com/pgmc-go/pgmc/ir/irtest"
)

// TestGrid checks what triplets do to the grid with the widest gap: the bound was 1,663.48 without.
func TestGrid(t *testing.T) {
	report, log10 := methodtest.UAISolve(t, maxsum.MPLP, filepath.Join(irtest.Shared(t), "data", "uai2014", "map-mmap", "Grids_26.uai"), []string{"iterations=200"})
	if bound := report.Bound / math.Ln10; log10 < 1300 || bound < log10 || bound > 1400 {
		t.Errorf("%v with bound %v; want at least 1300 with at most 1400", log10, bound)
	}
}

// TestPolish has networks on which decoding alone does badly: its states of the grid had a log10 of
// 1,093 by TRW-S, and 1,120 by max-product, and of the pedigree none were possible. The best states
// of the pedigree have -28.552394.
func TestPolish(t *testing.T) {
	for _, c := range []struct {
		name  string
		least float64
		long  bool
	}{{"map-mmap/Grids_26", 1280, false}, {"pr-mar/Pedigree_11", -31, true}} {
		if c.long && !irtest.Long(t) {
			continue
		}
		for _, m := range []method.Method{maxsum.TRWS, maxsum.MPLP} {
			report, log10 := methodtest.UAISolve(t, m, filepath.Join(irtest.Shared(t), "data", "uai2014", c.name+".uai"), nil)
			t.Logf("%s by %s: %v, gap %v", c.name, m.Name, log10, report.Gap/math.Ln10)
			if log10 < c.least || report.Bound/math.Ln10 < log10 {
				t.Errorf("%s by %s: %v, bound %v; want at least %v", c.name, m.Name, log10, report.Bound/math.Ln10, c.least)
			}
		}
	}
}
