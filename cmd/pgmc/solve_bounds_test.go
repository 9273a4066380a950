package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/solve"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/ir/irtest"
)

// limit returns the time of an answer with bounds, which are certain after any time: that of long
// tests, or a second.
func limit(t *testing.T, long string) string {
	if irtest.Long(t) {
		return long
	}
	return "1s"
}

// boundedFile runs pgmc solve on a UAI file with so little memory for tables that the answer has
// bounds.
func boundedFile(t *testing.T, stem, task, timeout string) *solve.JSON {
	t.Helper()
	return bounded(t, stem+".gz", "512", "--evid", stem+".evid", "--task", task, "--timeout", timeout)
}

// bounded runs pgmc solve on a file with tables of so many numbers.
func bounded(t *testing.T, file, table string, args ...string) *solve.JSON {
	t.Helper()
	args = append([]string{"solve", file, "--json", "--method", "jointree", "--max-table", table}, args...)
	var out, errs bytes.Buffer
	code := run(args, nil, &out, &errs)
	if code != 0 {
		t.Fatalf("exit %d: %s", code, errs.String())
	}
	var s solve.JSON
	if err := json.Unmarshal(out.Bytes(), &s); err != nil {
		t.Fatal(err)
	}
	return &s
}

// wrongReferences are instances whose stored partition function is not that of their file, as the
// list of the reference data explains.
var wrongReferences = []string{"relational_3", "sat-grid-pbl-0010.cnf"}

// number returns a logarithm of JSON, and other if there is none.
func number(x any, other float64) float64 {
	switch x := x.(type) {
	case float64:
		return x
	case string:
		return math.Inf(-1)
	}
	return other
}

// TestSolveBounds asks for bounds of instances whose partition function or best value is known, and
// which tables of 512 numbers cannot answer. No certificate may be wrong: intervals hold the value,
// to the digits of the reference, proven states have the best value, and bounds are at least that.
// A short test takes two instances.
func TestSolveBounds(t *testing.T) {
	shared := irtest.Shared(t)
	asked := 0
	for _, x := range instances(t, shared) {
		if !irtest.Long(t) && !slices.Contains([]string{"Promedus_14", "Grids_12"}, x.name) {
			continue
		}
		if slices.Contains(wrongReferences, x.name) {
			continue
		}
		asked++
		t.Run(x.name, func(t *testing.T) {
			stem := filepath.Join(shared, "data", "uai2014", "pr-mar", x.name+".uai")
			want := irtest.ReadAnswer(t, stem+".PR").Value
			room := 1e-5 * max(1, math.Abs(want))
			pr := boundedFile(t, stem, solve.PR, limit(t, "4s"))
			low, high := number(pr.Lower10, math.NaN()), number(pr.Upper10, math.NaN())
			if !(low <= want+room && want-room <= high) || *pr.Exact && high-low > 1e-9 {
				t.Errorf("the interval %v to %v, exact %v, of %v", low, high, *pr.Exact, want)
			}
			if published, err := filepath.Glob(stem + ".MAR*"); err == nil && irtest.Long(t) && len(published) > 0 {
				compareMAR(t, stem, published[0])
			}
			mpe := boundedFile(t, stem, solve.MPE, limit(t, "4s"))
			value, bound := number(mpe.Log10, math.Inf(-1)), number(mpe.Bound10, math.NaN()) // a search may find no states
			if mpe.States == nil {
				if mpe.Log10 != nil || *mpe.Proven {
					t.Errorf("log10 %v, proven %v of no states", mpe.Log10, *mpe.Proven)
				}
			} else if got := valueOfAll(t, stem, mpe.States); math.Abs(got-value) > 1e-8*max(1, math.Abs(value)) {
				t.Errorf("the states have log10 %v; the answer says %v", got, value)
			}
			if x.best == "" {
				return
			}
			best, err := strconv.ParseFloat(x.best, 64)
			if err != nil {
				t.Fatal(err)
			}
			room = 1e-6 * max(1, math.Abs(best))
			if value > best+room || bound < best-room || *mpe.Proven && value < best-room {
				t.Errorf("log10 %v, bound %v, proven %v; the best is %v", value, bound, *mpe.Proven, best)
			}
		})
	}
	if asked < 2 {
		t.Errorf("%d instances; want at least 2", asked)
	}
}

// TestSolveBoundsErgo asks for intervals of networks of UAI 2006 whose P(evidence) the list of the
// reference data has, and of all networks of UAI 2008. Those have no evidence, so that the value is
// 1, but in the pedigrees, whose rows do not add up to 1: pedigree23 is linkage_16 of UAI 2014, and
// the value of pedigree1 is that of a clique tree. Tables have 512 numbers, or as many as the
// largest CPD of the network. A short test takes two networks.
func TestSolveBoundsErgo(t *testing.T) {
	data := filepath.Join(irtest.Shared(t), "data")
	large := map[string]string{"BN_94": "65536", "BN_96": "65536", "cpcs179": "4096"}
	for stem, want := range map[string]float64{
		"uai2006/pe/BN_0": -8.8930834, "uai2006/pe/BN_1": -6.1772218, "uai2006/pe/BN_3": -12.55972, "uai2006/pe/BN_4": -17.44513,
		"uai2006/pe/BN_5": -18.736089, "uai2006/pe/BN_10": -5.2047806, "uai2006/pe/BN_11": -17.098948, "uai2006/pe/BN_14": -9.0151253,
		"uai2006/pe/BN_94": -10.347312, "uai2006/pe/BN_96": -8.6385507,
		"uai2008/cpcs/cpcs54": 0, "uai2008/cpcs/cpcs179": 0, "uai2008/grids/90-10-1": 0, "uai2008/grids/90-14-1": 0, "uai2008/grids/90-16-1": 0,
		"uai2008/iscas89/s386.scan": 0, "uai2008/iscas89/s953.scan": 0, "uai2008/linkage/pedigree1": -14.107169, "uai2008/linkage/pedigree23": -38.5556,
	} {
		name := filepath.Base(stem)
		t.Run(name, func(t *testing.T) {
			if name != "BN_14" && name != "90-16-1" {
				irtest.SkipUnlessLong(t)
			}
			file := filepath.Join(data, stem+".erg")
			args := []string{"--timeout", limit(t, "4s")}
			if strings.HasPrefix(stem, "uai2006") {
				args = append(args, "--evid", file+".evid.gz")
			}
			pr := bounded(t, file+".gz", cmp.Or(large[name], "512"), args...)
			low, high := number(pr.Lower10, math.NaN()), number(pr.Upper10, math.NaN())
			if room := 1e-6 * max(1, math.Abs(want)); !(low <= want+room && want-room <= high) || *pr.Exact && high-low > 1e-9 {
				t.Errorf("the interval %v to %v, exact %v, of %v", low, high, *pr.Exact, want)
			}
			t.Logf("%v to %v, exact %v, of %v", low, high, *pr.Exact, want)
		})
	}
}

// compareMAR compares bounds of marginals with the published ones, which have five or six digits.
func compareMAR(t *testing.T, stem, published string) {
	t.Helper()
	want, got := irtest.ReadAnswer(t, published), boundedFile(t, stem, solve.MAR, "8s")
	if *got.Exact == (got.Lower != nil) {
		t.Errorf("exact is %v, with bounds of %d variables", *got.Exact, len(got.Lower))
	}
	for v := range got.Lower {
		for k, p := range want.Marginals[v] {
			if low, high := got.Lower[v][k], got.Upper[v][k]; p < low-1e-5 || p > high+1e-5 {
				t.Errorf("P(x%d=%d) is %v; the bounds are %v and %v", v, k, p, low, high)
			}
		}
	}
}

// valueOfAll returns log10 of the product at states of all variables.
func valueOfAll(t *testing.T, stem string, states []int) float64 {
	t.Helper()
	m, list := format.Read(compiler.Formats, stem+".gz", "", format.ReadOptions{})
	if list.HasErrors() {
		t.Fatal(list.Err())
	}
	sum := 0.0
	for _, f := range m.Factors {
		sum += math.Log10(m.Value(f, states))
	}
	return sum
}
