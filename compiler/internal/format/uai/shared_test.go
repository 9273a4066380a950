package uai_test

import (
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/internal/format/formattest"
	"github.com/pgmc-go/pgmc/compiler/internal/format/uai"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// refused lists the invalid files among the reference data, and their errors.
var refused = map[string]string{
	"uai-small/merlin-bn.uai":         `53:1: found "0"; want end of file`, // evidence follows, as nobody else has it
	"uai-small/merlin-paskin.evid":    `1:1: found 3 numbers, the first 0; want a count and as many pairs of a variable and a state, or a number of samples and that for each`,
	"uai-small/merlin-simple5.evid":   `1:1: found 3 numbers, the first 0; want a count and as many pairs of a variable and a state, or a number of samples and that for each`,
	"uai-small/merlin-simple6.evid":   `1:1: found 3 numbers, the first 0; want a count and as many pairs of a variable and a state, or a number of samples and that for each`,
	"uai-small/grid3x3-MAR.uai.query": `1:1: found "MAR"; want the number of variables of the query`, // commands for bn-pp
	"uai-small/grid3x3-PR.uai.query":  `1:1: found "PR"; want the number of variables of the query`,
	"uai-bn/asia.markov.query":        `1:1: found "query"; want the number of variables of the query`,
}

// warned lists the warnings about models.
var warned = map[string][]string{
	"pascal-mmap/planning/bw_p24_3.uai": {`190:2: warning: row of the CPD of "x0" sums to 2; want 1 (207 such rows in all); the model is read as a Markov network, the product of its tables`},
	"pascal-mmap/planning/bw_p24_4.uai": {`248:2: warning: row of the CPD of "x0" sums to 2; want 1 (272 such rows in all); the model is read as a Markov network, the product of its tables`},
	"pascal-mmap/planning/bw_p24_6.uai": {`364:2: warning: row of the CPD of "x0" sums to 2; want 1 (402 such rows in all); the model is read as a Markov network, the product of its tables`},
	"uai-bn/Barley.uai": {
		`9:1: warning: the names in comments are not used: found a state of "pesticid" twice`,
		`110:5: warning: row of the CPD of "x9" sums to 0; want 1 (51 such rows in all); the model is read as a Markov network, the product of its tables`,
	},
	"uai-small/merlin-pedigree1.uai": {`341:2: warning: row of the CPD of "x0" sums to 0; want 1 (616 such rows in all); the model is read as a Markov network, the product of its tables`},
}

// TestSharedModels reads every UAI model of the reference data and writes it back. It compares the
// numbers of variables and functions with the list of files if it has them.
func TestSharedModels(t *testing.T) {
	data := filepath.Join(irtest.Shared(t), "data")
	sizes := listed(t, data, `(\d+) vars, (\d+) factors`)
	read, checked := 0, 0
	for _, path := range files(t, data, ".uai") {
		name := nameOf(t, data, path)
		src := open(t, path)
		m, list := format.ReadSource(uai.Format, src, format.ReadOptions{})
		if !wantRefused(t, name, path, list.Err()) {
			continue
		}
		read++
		var got []string
		for _, w := range list.Warnings() {
			got = append(got, strings.TrimPrefix(w.Error(), path+":"))
		}
		if !slices.Equal(got, warned[name]) {
			t.Errorf("%s: warnings %q; want %q", name, got, warned[name])
		}
		isBayes := strings.Contains(string(src.Data), "BAYES")
		if wantBayes := isBayes && warned[name] == nil; wantBayes != (m.Kind == model.Bayes) {
			t.Errorf("%s: read as a %v", name, m.Kind)
		}
		if (read%4 == 0 || irtest.LongCase(t, read)) && !formattest.RoundTrip(t, uai.Format, m) {
			t.Errorf("%s: not written", name)
		}
		if want, ok := sizes[name]; ok {
			checked++
			if got := fmt.Sprint(len(m.Vars), " ", len(m.Factors)); got != want[0]+" "+want[1] {
				t.Errorf("%s: variables and functions: %s; want %s", name, got, want)
			}
		}
	}
	if read < 190 || checked < 120 {
		t.Errorf("read %d models and compared the size of %d; want at least 190 and 120", read, checked)
	}
}

// wantRefused reports whether a file must be rejected, and checks the error.
func wantRefused(t *testing.T, name, path string, err error) bool {
	t.Helper()
	switch want, ok := refused[name]; {
	case ok && (err == nil || err.Error() != path+":"+want):
		t.Errorf("%s: got %v; want %s", name, err, want)
	case !ok && err != nil:
		t.Error(err)
	}
	return err == nil
}

// TestSharedEvidence reads all evidence of the reference data for networks in UAI, and compares the
// number of observed variables with the list of files if it has one.
func TestSharedEvidence(t *testing.T) {
	data := filepath.Join(irtest.Shared(t), "data")
	sizes := listed(t, data, `evidence (\d+)`)
	read, checked := 0, 0
	for _, path := range files(t, data, ".evid") {
		name := nameOf(t, data, path)
		if strings.HasSuffix(name, ".erg.evid") {
			continue // package ergo reads these
		}
		m := modelOf(t, path)
		samples, list := uai.ReadEvidence(open(t, path), m)
		if !wantRefused(t, name, path, list.Err()) {
			continue
		}
		read++
		if len(samples) != 1 {
			t.Errorf("%s: %d samples; want 1", name, len(samples))
		}
		if want, ok := sizes[strings.TrimSuffix(name, ".evid")]; ok {
			checked++
			got := len(m.Vars)
			for _, s := range samples[0] {
				if s < 0 {
					got--
				}
			}
			if strconv.Itoa(got) != want[0] {
				t.Errorf("%s: %d variables observed; want %s", name, got, want)
			}
		}
	}
	if read < 130 || checked < 80 {
		t.Errorf("read evidence %d times and compared %d; want at least 130 and 80", read, checked)
	}
}

// TestSharedQueries reads all queries.
func TestSharedQueries(t *testing.T) {
	data := filepath.Join(irtest.Shared(t), "data")
	read := 0
	for _, path := range files(t, data, ".query", ".map") {
		name := nameOf(t, data, path)
		vars, list := uai.ReadQuery(open(t, path), modelOf(t, path))
		if !wantRefused(t, name, path, list.Err()) {
			continue
		}
		read++
		if len(vars) < 10 {
			t.Errorf("%s: %d variables", name, len(vars))
		}
	}
	if read < 75 {
		t.Errorf("read %d queries; want at least 75", read)
	}
}

// TestSharedStates compares the value of most probable states with the value in the list of files.
func TestSharedStates(t *testing.T) {
	data := filepath.Join(irtest.Shared(t), "data")
	values := listed(t, data, `exact MAP log10=(-?[\d.]+); this assignment is optimal`)
	checked := 0
	for _, path := range files(t, data, ".MAP") {
		if want, ok := values[nameOf(t, data, path)]; ok {
			checked++
			value, _ := strconv.ParseFloat(want[0], 64)
			irtest.CloseTo(t, logValue(modelOf(t, path), irtest.ReadAnswer(t, path).States), value, 1e-6) // printed with six places
		}
	}
	if checked < 17 {
		t.Errorf("multiplied %d results out; want at least 17", checked)
	}
}

// logValue returns the base-10 logarithm of the product of all factors at a joint state.
func logValue(m *model.Model, state []int) float64 {
	sum := 0.0
	for _, f := range m.Factors {
		sum += math.Log10(m.Value(f, state))
	}
	return sum
}

// modelOf reads the model of a file: the one with the longest name that starts the name of the
// file.
func modelOf(t *testing.T, path string) *model.Model {
	t.Helper()
	dir, base := filepath.Split(path)
	found := ""
	for _, c := range files(t, dir, ".uai") {
		stem, _, _ := strings.Cut(filepath.Base(c), ".uai")
		if strings.HasPrefix(base, stem) && len(stem) > len(strings.TrimSuffix(strings.TrimSuffix(filepath.Base(found), ".gz"), ".uai")) {
			found = c
		}
	}
	if found == "" {
		t.Fatalf("no model for %s", path)
	}
	if models[found] == nil {
		models[found] = read(t, found)
	}
	return models[found]
}

// models caches the models of modelOf.
var models = map[string]*model.Model{}

// files returns the paths below dir with one of the extensions, compressed or not.
func files(t *testing.T, dir string, exts ...string) []string {
	t.Helper()
	var paths []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && slices.Contains(exts, filepath.Ext(strings.TrimSuffix(path, ".gz"))) {
			paths = append(paths, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

// nameOf returns a path as the list of files has it, without the extension of compression.
func nameOf(t *testing.T, data, path string) string {
	t.Helper()
	rel, err := filepath.Rel(data, path)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(filepath.ToSlash(rel), ".gz")
}

// listed returns the matches of a pattern in the lines of the list of files, by file.
func listed(t *testing.T, data, pattern string) map[string][]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(data, "FILES.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	re, out := regexp.MustCompile(pattern), map[string][]string{}
	for line := range strings.Lines(string(text)) {
		name, _, _ := strings.Cut(line, "\t")
		if found := re.FindStringSubmatch(line); found != nil {
			out[strings.TrimSuffix(name, ".gz")] = found[1:]
		}
	}
	return out
}
