package bif_test

import (
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
	"github.com/pgmc-go/pgmc/compiler/internal/format/bif"
	"github.com/pgmc-go/pgmc/compiler/internal/format/formattest"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

func TestContract(t *testing.T) {
	cases := formattest.Cases{Models: texts}
	for _, c := range broken {
		cases.Errors = append(cases.Errors, formattest.Broken{Name: c.name, Text: c.text, Want: c.want})
	}
	formattest.Run(t, bif.Format, cases)
}

// TestOwnModels reads the models of this repository, whose rows must sum to exactly one.
func TestOwnModels(t *testing.T) {
	dir := filepath.Join(irtest.ModuleRoot(t), "testdata", "models")
	posteriors := map[string][]formattest.Posterior{
		"asia.bif": {
			{Var: "dysp", State: "yes", Want: 0.4359706, From: "by hand from the tables of Lauritzen and Spiegelhalter"},
			{Var: "either", State: "yes", Want: 0.064828, From: "by hand"},
		},
		"cancer.bif": {
			{Var: "cancer", State: "yes", Want: 0.01163, From: "by hand: 0.3*(0.1*0.05+0.9*0.03) + 0.7*(0.1*0.02+0.9*0.001)"},
			{Var: "pollution", State: "high", Evidence: map[string]string{"smoker": "yes"}, Want: 0.1, From: "by hand: independent"},
		},
		"sprinkler.bif": {
			{Var: "rain", State: "true", Evidence: map[string]string{"wet_grass": "true"}, Want: 0.7079276773296245,
				From: "Murphy, A brief introduction to graphical models, 1998: 0.708"},
			{Var: "sprinkler", State: "true", Evidence: map[string]string{"wet_grass": "true"}, Want: 0.4297635605006954,
				From: "Murphy 1998: 0.430"},
		},
		"student.bif": {
			{Var: "letter", State: "l1", Want: 0.502336, From: "Koller and Friedman, section 3.2.1.2: 0.502"},
			{Var: "letter", State: "l1", Evidence: map[string]string{"intelligence": "i0"}, Want: 0.3886,
				From: "Koller and Friedman, section 3.2.1.2: 0.389"},
			{Var: "intelligence", State: "i1", Evidence: map[string]string{"grade": "g3"}, Want: 0.0789,
				Tol: 1e-4, From: "Koller and Friedman, section 3.2.1.2: 0.079"},
			{Var: "intelligence", State: "i1", Evidence: map[string]string{"grade": "g3", "sat": "s1"}, Want: 0.578,
				Tol: 5e-4, From: "Koller and Friedman, section 3.2.1.2: 0.578"},
		},
	}
	var models []formattest.Model
	for _, path := range bifFiles(t, dir) {
		name := filepath.Base(path)
		models = append(models, formattest.Model{Name: name, Path: path, Posteriors: posteriors[name]})
		m := mustRead(t, path)
		_, list := m.NormalizeRows(model.RowsStrict)
		if err := list.Err(); err != nil {
			t.Error(err)
		}
	}
	if len(models) < 5 {
		t.Fatalf("found %d models in %s; want at least 5", len(models), dir)
	}
	formattest.Run(t, bif.Format, formattest.Cases{Models: models})
}

// TestPeers compares posteriors with those of libDAI.
func TestPeers(t *testing.T) {
	shared := irtest.Shared(t)
	var models []formattest.Model
	for _, network := range []string{"asia", "cancer", "sachs"} {
		models = append(models, formattest.Model{
			Name:       network,
			Path:       filepath.Join(shared, "data", "bif", network+".bif.gz"),
			Posteriors: formattest.Oracle(t, shared, network, 8),
		})
	}
	formattest.Run(t, bif.Format, formattest.Cases{Models: models})
}

// TestDialects reads asia as three tools write it, one of them with flat tables and another order
// of parents. The answers must be the same.
func TestDialects(t *testing.T) {
	dir := filepath.Join(irtest.Shared(t), "data", "bif-dialects")
	const from = "oracle asia, ids 0 and 2, libDAI 0.3.0; P(dysp) by hand"
	asia := func(name, smoke, xrayNo, lung, dysp string) formattest.Model {
		last := func(s string) map[string]string { return map[string]string{"positive_XraY": s} }
		return formattest.Model{Name: name, Path: filepath.Join(dir, name), Posteriors: []formattest.Posterior{
			{Var: "dyspnoea", State: dysp, Want: 0.4359706, From: from},
			{Var: "dyspnoea", State: dysp, Evidence: map[string]string{"smoking": smoke}, Want: 0.552808, From: from},
			{Var: "lung_cancer", State: lung, Evidence: last(xrayNo), Want: 0.00123635796996, Tol: 2e-12, From: from},
		}}
	}
	formattest.Run(t, bif.Format, formattest.Cases{Models: []formattest.Model{
		asia("agrum-asia.bif", "f1", "d2", "e1", "h1"),
		asia("agrum-asia2.bif", "0", "1", "0", "0"),
		{Name: "libra-cold.bif", Path: filepath.Join(dir, "libra-cold.bif"), Posteriors: []formattest.Posterior{
			{Var: "RunnyNose", State: "TRUE", Want: 0.095, From: "by hand: 0.1*0.5 + 0.9*0.05"},
			{Var: "Sneeze", State: "TRUE", Want: 0.2172, From: "by hand: 0.1*(0.7*0.6+0.3*0.5) + 0.9*(0.7*0.25+0.3*0.01)"},
		}},
		{Name: "agrum-BIFReader_file2.bif", Path: filepath.Join(dir, "agrum-BIFReader_file2.bif"), Posteriors: []formattest.Posterior{
			{Var: "n2", State: "0", Want: 0.3, From: "the file"},
		}},
	}})
}

// invalid lists the invalid files among the reference data, and their errors.
var invalid = map[string]string{
	"agrum-BIFReader_file3.bif": `58:46: found 10 numbers; want 12, one for each joint state of the parents and "n6"`,
	"agrum-BIFReader_file4.bif": `58:46: found 10 numbers; want 12, one for each joint state of the parents and "n6"`,
	"agrum-BIFReader_file5.bif": `58:46: found 10 numbers; want 12, one for each joint state of the parents and "n6"`,
}

// TestAllFiles reads every BIF file of the reference data, and compares the numbers of nodes, arcs
// and parameters with the list of files if it has them.
func TestAllFiles(t *testing.T) {
	data := filepath.Join(irtest.Shared(t), "data")
	sizes := listedSizes(t, data)
	checked := 0
	for _, path := range bifFiles(t, data) {
		m, list := format.Read([]format.Format{bif.Format}, path, "", format.ReadOptions{})
		if want := invalid[filepath.Base(path)]; want != "" {
			if list.Err() == nil || !strings.HasPrefix(list.Err().Error(), path+":"+want) {
				t.Errorf("%s: got %v; want %s", path, list.Err(), want)
			}
			continue
		}
		if err := list.Err(); err != nil {
			t.Error(err)
			continue
		}
		if !formattest.RoundTrip(t, bif.Format, m) {
			t.Errorf("%s: not written", path)
		}
		rel, _ := filepath.Rel(data, path)
		if want, ok := sizes[filepath.ToSlash(rel)]; ok {
			checked++
			if got := sizeOf(m); got != want {
				t.Errorf("%s: nodes, arcs, parameters are %v; want %v", rel, got, want)
			}
		}
	}
	if checked < 18+12 {
		t.Errorf("compared the size of %d files; want at least 30", checked)
	}
}

// size is a number of nodes, arcs and free parameters.
type size [3]int

func sizeOf(m *model.Model) size {
	s := size{len(m.Vars)}
	for _, f := range m.Factors {
		rows, _ := m.TableSize(f.Parents())
		s[1] += len(f.Scope) - 1
		s[2] += rows * (m.Card(f.ChildVar()) - 1)
	}
	return s
}

func listedSizes(t *testing.T, data string) map[string]size {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(data, "FILES.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	line := regexp.MustCompile(`(?m)^(bif[^\t]*)\t.*?(\d+) nodes, (\d+) arcs, (\d+) params`)
	out := map[string]size{}
	for _, found := range line.FindAllStringSubmatch(string(text), -1) {
		var s size
		for i := range s {
			s[i], _ = strconv.Atoi(found[2+i])
		}
		out[found[1]] = s
	}
	return out
}

// TestTemporal reads dBN, in which three labels are wrong and two variables have a second
// probability block. Its states are numbers in an unusual order, so the test looks rows up by name.
func TestTemporal(t *testing.T) {
	src := dialect(t, "agrum-dBN.bif.gz")
	m := wantWarnings(t, src,
		`dBN:347:1: warning: second probability block for "lasubt_1", with parents; it replaces the first, without, at dBN:70:1`,
		`dBN:432:7: warning: row in the CPD of "c1t_1" is labelled ("6", "4"), as the row at dBN:421:7 is, and is in the place of ("6_5", "4"), which is missing; it is read as that row`,
		`dBN:917:10: warning: row in the CPD of "bat_1" is labelled ("16", "8", "9"), as the row at dBN:961:10 is, and is in the place of ("12", "8", "9"), which is missing; it is read as that row`,
		`dBN:2211:9: warning: row in the CPD of "dgct_1" is labelled ("7", "7_5"), as the row at dBN:2219:9 is, and is in the place of ("6", "7_5"), which is missing; it is read as that row`,
		`dBN:2269:1: warning: second probability block for "odourt_1", with parents; it replaces the first, without, at dBN:106:1`,
	)
	if v, _ := m.VarByName("dbat_1"); !slices.Equal(m.States(v.ID), []string{"3", "0", "1", "2"}) {
		t.Errorf("states of dbat_1 are %q", m.States(v.ID))
	}
	wantRow(t, m, "dgct_1", []string{"3", "2_5"}, []float64{0, 0.33333, 0.66667}) // a row with blanks and commas
	wantRow(t, m, "dgct_1", []string{"6", "7_5"}, []float64{0.33333, 0.33333, 0.33333})
	wantRow(t, m, "dgct_1", []string{"7", "7_5"}, []float64{1, 0, 0})
	wantRow(t, m, "c1t_1", []string{"6_5", "4"}, []float64{0, 1})
	wantRow(t, m, "c1t_1", []string{"6", "4"}, []float64{0, 1})
	wantRow(t, m, "bat_1", []string{"12", "8", "9"}, slices.Repeat([]float64{0.09091}, 11))
	wantRow(t, m, "lasubt_1", []string{"4"}, []float64{0, 1, 0, 0})
	wantRow(t, m, "odourt_1", []string{"5_25", "4"}, []float64{0.75, 0.25, 0, 0})
	wantCutRefused(t, src)
}

// TestBarley reads Barley as written by Hugin's converter, where "+" and "-", the states of
// pesticid, are both "__". The copy of bnlearn calls them x_ and x_2, and has the same numbers with
// more digits.
func TestBarley(t *testing.T) {
	m := wantWarnings(t, dialect(t, "agrum-Barley.bif.gz"),
		`Barley:545:5: warning: variable "pesticid" has two states called "__"; the second is renamed to "__2"`,
		`Barley:15835:3: warning: second row labelled ("Jb_1_", "Cereals", "__") in the CPD of "exptgens"; it is taken for ("Jb_1_", "Cereals", "__2"), and further ones likewise`,
		`Barley:16460:3: warning: second row labelled ("__30", "__") in the CPD of "nopt"; it is taken for ("__30", "__2"), and further ones likewise`,
	)
	if v, _ := m.VarByName("pesticid"); !slices.Equal(m.States(v.ID), []string{"__", "__2"}) {
		t.Errorf("states of pesticid are %q", m.States(v.ID))
	}
	wantRow(t, m, "nopt", []string{"__30", "__"}, []float64{0.202239, 0.749675, 0.0477857, 9.997e-05, 9.997e-05, 9.997e-05})
	wantRow(t, m, "nopt", []string{"__30", "__2"}, []float64{0.976907, 0.0226932, 9.997e-05, 9.997e-05, 9.997e-05, 9.997e-05})
	other := mustRead(t, filepath.Join(irtest.Shared(t), "data", "bif", "barley.bif.gz"))
	for _, name := range []string{"pesticid", "exptgens", "nopt"} {
		if diff := maxDiff(t, m, other, name); !(diff < 1e-6) {
			t.Errorf("%s is up to %g off that of bnlearn", name, diff)
		}
	}
}

// maxDiff returns the largest difference between the CPDs of a variable in a and b, which have the
// same scope.
func maxDiff(t *testing.T, a, b *model.Model, name string) (diff float64) {
	t.Helper()
	tables := make([][]float64, 2)
	for i, m := range []*model.Model{a, b} {
		v, ok := m.VarByName(name)
		if !ok {
			t.Fatalf("no variable %q", name)
		}
		var err error
		if tables[i], err = m.Tabulate(m.CPD(v.ID), 1<<20); err != nil {
			t.Fatal(err)
		}
	}
	if len(tables[0]) != len(tables[1]) {
		t.Fatalf("%s has %d and %d numbers", name, len(tables[0]), len(tables[1]))
	}
	for i, x := range tables[0] {
		diff = max(diff, math.Abs(x-tables[1][i]))
	}
	return diff
}

// dialect opens a file of the dialects under a short name: "dBN" for "agrum-dBN.bif.gz".
func dialect(t *testing.T, file string) *format.Source {
	t.Helper()
	src, err := format.OpenSource(filepath.Join(irtest.Shared(t), "data", "bif-dialects", file), format.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	src.Name = strings.TrimSuffix(strings.TrimPrefix(file, "agrum-"), ".bif.gz")
	return src
}

// wantWarnings reads src, which must cause the given warnings and no errors.
func wantWarnings(t *testing.T, src *format.Source, want ...string) *model.Model {
	t.Helper()
	m, list := format.ReadSource(bif.Format, src, format.ReadOptions{})
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, d := range list.Warnings() {
		got = append(got, d.Error())
	}
	if !slices.Equal(got, want) {
		t.Errorf("warnings:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	return m
}

// wantCutRefused truncates src after each of its blocks but the last, and after each line of the
// last, and checks that each piece is an error.
func wantCutRefused(t *testing.T, src *format.Source) {
	t.Helper()
	text := strings.TrimSpace(string(src.Data))
	blocks, last := 0, strings.LastIndex(text, "probability")
	for n := strings.Index(text, "variable"); n < len(text); n++ {
		if text[n] != '\n' || n < last && text[n-1] != '}' {
			continue
		}
		blocks++
		cut := &format.Source{Name: src.Name, Data: []byte(text[:n])}
		if _, list := format.ReadSource(bif.Format, cut, format.ReadOptions{}); !list.HasErrors() {
			t.Errorf("%s is read where only the first %d bytes of %d are there", src.Name, n, len(text))
		}
	}
	if blocks < 80 {
		t.Errorf("cut %s at %d places; want at least 80", src.Name, blocks)
	}
}

// TestCarpo reads the noisy-max network of aGrUM's tests, in which one variable has no numbers at
// all.
func TestCarpo(t *testing.T) {
	src := dialect(t, "agrum-carpo.bif.gz")
	m := wantWarnings(t, src, `carpo:495:10: warning: variable "N117" is in no probability block; it becomes a root with equal probabilities`)
	wantRow(t, m, "N117", nil, []float64{0.5, 0.5})
	wantCutRefused(t, src)
	noisy := 0
	for _, f := range m.Factors {
		if _, ok := f.Dist.(*model.NoisyMax); ok {
			noisy++
		}
	}
	if noisy != 45 || len(m.Vars) != 61 { // lines with "function max" in the file
		t.Errorf("%d noisy-max CPDs of %d; want 45 of 61", noisy, len(m.Vars))
	}
	n9, _ := m.VarByName("N9")
	f := m.CPD(n9.ID)
	d := f.Dist.(*model.NoisyMax)
	for i, want := range [][]float64{
		{1, 0, 0, 0.1000000015, 0.8000000119, 0.1000000015},
		{1, 0, 0, 0.05000000075, 0.1000000015, 0.8500000238},
		{1, 0, 0, 0.1000000015, 0.8000000119, 0.1000000015},
	} {
		if !slices.Equal(d.Cause[i], want) {
			t.Errorf("cause %d of N9 is %v; want %v", i, d.Cause[i], want)
		}
	}
	if want := []float64{0.8999999762, 0.05000000075, 0.05000000075}; !slices.Equal(d.Leak, want) {
		t.Errorf("leak of N9 is %v; want %v", d.Leak, want)
	}
	lines := []int{511, 509, 512, 509, 513, 509, 514} // the leak; for each cause the block, then its row
	for i, pos := range f.RowPos {
		if pos.Line != lines[i] {
			t.Errorf("row %d of N9 is at %v; want line %d", i, pos, lines[i])
		}
	}
	formattest.RoundTrip(t, bif.Format, m)
}

func bifFiles(t testing.TB, dir string) []string {
	t.Helper()
	var paths []string
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(path, ".bif") || strings.HasSuffix(path, ".bif.gz") {
			paths = append(paths, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

func mustRead(t testing.TB, path string) *model.Model {
	t.Helper()
	m, list := format.Read([]format.Format{bif.Format}, path, "", format.ReadOptions{})
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	return m
}

// rowOf returns P(child | parents), given the names of the parents' states.
func rowOf(t *testing.T, m *model.Model, child string, parents []string) []float64 {
	t.Helper()
	v, ok := m.VarByName(child)
	if !ok {
		t.Fatalf("no variable %q", child)
	}
	f := m.CPD(v.ID)
	state := make([]int, len(m.Vars))
	for i, p := range f.Parents() {
		if state[p], ok = m.StateByName(p, parents[i]); !ok {
			t.Fatalf("no state %q of %q", parents[i], m.Vars[p].Name)
		}
	}
	row := make([]float64, m.Card(v.ID))
	for x := range row {
		state[v.ID] = x
		row[x] = m.Value(f, state)
	}
	return row
}

func wantRow(t *testing.T, m *model.Model, child string, parents []string, want []float64) {
	t.Helper()
	if got := rowOf(t, m, child, parents); !slices.Equal(got, want) {
		t.Errorf("P(%s | %q) = %v; want %v", child, parents, got, want)
	}
}

func BenchmarkReadMunin(b *testing.B) {
	src, err := format.OpenSource(filepath.Join(irtest.Shared(b), "data", "bif", "munin.bif.gz"), format.ReadOptions{})
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(src.Data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, list := format.ReadSource(bif.Format, src, format.ReadOptions{}); list.HasErrors() {
			b.Fatal(list.Err())
		}
	}
}
