package ergo_test

import (
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/internal/format/ergo"
	"github.com/pgmc-go/pgmc/compiler/internal/format/formattest"
	"github.com/pgmc-go/pgmc/compiler/internal/format/uai"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

func TestContract(t *testing.T) {
	formattest.Run(t, ergo.Format, formattest.Cases{Models: texts, Errors: broken})
}

// FuzzRead checks that no text makes the reader panic.
func FuzzRead(f *testing.F) {
	for _, c := range texts {
		f.Add(c.Text)
	}
	for _, c := range broken {
		f.Add(c.Text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		src := &format.Source{Name: "fuzz.erg", Data: []byte(text)}
		m, list := format.ReadSource(ergo.Format, src, format.ReadOptions{MaxEntries: 1 << 16})
		if (m != nil) == list.HasErrors() {
			t.Errorf("model %v beside %v", m != nil, list.Err())
		}
	})
}

// files returns the Ergo networks of the reference data.
func files(t *testing.T) []string {
	t.Helper()
	var paths []string
	for _, year := range []string{"uai2006", "uai2008"} {
		found, err := filepath.Glob(filepath.Join(irtest.Shared(t), "data", year, "*", "*.erg.gz"))
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, found...)
	}
	if len(paths) < 33 {
		t.Fatalf("found %d networks; want at least 33", len(paths))
	}
	return paths
}

func read(t *testing.T, path string) *model.Model {
	t.Helper()
	m, list := format.Read([]format.Format{ergo.Format, uai.Format}, path, "", format.ReadOptions{})
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	return m
}

// observed returns the states in a file of evidence, and -1 for other variables.
func observed(t *testing.T, path string, m *model.Model) []int {
	t.Helper()
	src, err := format.OpenSource(path, format.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	samples, list := uai.ReadEvidence(src, m)
	if err := list.Err(); err != nil || len(samples) != 1 {
		t.Fatalf("%s: %d samples, %v", path, len(samples), err)
	}
	return samples[0]
}

// TestSharedFiles reads every network of the reference data and its evidence. The networks of
// linkage analysis are Markov networks, the others Bayesian. All have names. The numbers of
// variables and observations must match the list of files if it has them.
func TestSharedFiles(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(irtest.Shared(t), "data", "FILES.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for _, path := range files(t) {
		m := read(t, path)
		if isLinkage := strings.Contains(path, "linkage"); isLinkage != (m.Kind == model.Markov) {
			t.Errorf("%s: a %v", path, m.Kind)
		}
		if name := m.Vars[0].Name; name == "x0" || m.States(0)[0] != "X0000" {
			t.Errorf("%s: the first variable is %q with states %q", path, name, m.States(0))
		}
		base := regexp.QuoteMeta(filepath.Base(path))
		found := regexp.MustCompile(`/` + base + `\t.*Ergo BN, (\d+) vars, evidence (\d+)`).FindSubmatch(text)
		evid := strings.TrimSuffix(path, ".gz") + ".evid.gz"
		if strings.Contains(path, "uai2008") {
			continue // without evidence
		}
		hard := 0
		for _, s := range observed(t, evid, m) {
			if s >= 0 {
				hard++
			}
		}
		if hard < 5 {
			t.Errorf("%s: %d variables observed", evid, hard)
		}
		if found == nil {
			continue
		}
		checked++
		if strconv.Itoa(len(m.Vars)) != string(found[1]) || strconv.Itoa(hard) != string(found[2]) {
			t.Errorf("%s: %d variables, %d of them observed; want %s, %s", path, len(m.Vars), hard, found[1], found[2])
		}
	}
	if checked < 19 {
		t.Errorf("compared the size of %d networks; want at least 19", checked)
	}
}

// TestEvidence compares the probability of evidence with values of the list of files, which were
// computed without pgmc. Most of these networks are tractable only if the evidence is entered
// first, as the test does.
func TestEvidence(t *testing.T) {
	dir := filepath.Join(irtest.Shared(t), "data", "uai2006", "pe")
	for _, c := range []struct {
		name  string
		log10 float64
	}{
		{"BN_0", -8.8930834},
		{"BN_3", -12.55972},
		{"BN_4", -17.44513},
		{"BN_5", -18.736089},
	} {
		path := filepath.Join(dir, c.name+".erg")
		m := read(t, path+".gz")
		got := math.Log10(probability(m, observed(t, path+".evid.gz", m)))
		if math.Abs(got-c.log10) > 1e-7*math.Abs(c.log10) { // printed with eight digits
			t.Errorf("%s: log10 P(e) = %.9g; want %.8g", c.name, got, c.log10)
		}
	}
}

// table is a function of the states of some variables.
type table struct {
	scope  []model.VarID
	values []float64
}

// probability returns P(e) by variable elimination. For each variable, e has a state or -1.
func probability(m *model.Model, e []int) float64 {
	var tables []table
	for _, f := range m.Factors {
		free := slices.DeleteFunc(slices.Clone(f.Scope), func(v model.VarID) bool { return e[v] >= 0 })
		tables = append(tables, tabulate(m, free, e, func(state []int) float64 { return m.Value(f, state) }))
	}
	p := 1.0
	for len(tables) > 0 {
		v := cheapest(m, tables)
		if v < 0 { // only constants are left
			p *= tables[0].values[0]
			tables = tables[1:]
			continue
		}
		bucket, union := bucketOf(tables, v)
		rest := slices.DeleteFunc(slices.Clone(union), func(u model.VarID) bool { return u == v })
		message := tabulate(m, rest, e, func(state []int) (sum float64) {
			for state[v] = range m.Card(v) {
				product := 1.0
				for _, f := range bucket {
					product *= f.at(m, state)
				}
				sum += product
			}
			state[v] = 0
			return sum
		})
		tables = slices.DeleteFunc(tables, func(f table) bool { return slices.Contains(f.scope, v) })
		tables = append(tables, message)
	}
	return p
}

// tabulate returns the values of f for all states of free. The other variables have their states in
// e.
func tabulate(m *model.Model, free []model.VarID, e []int, f func(state []int) float64) table {
	out := table{scope: free}
	state := make([]int, len(m.Vars))
	for v := range state {
		state[v] = max(0, e[v])
	}
	for more := true; more; more = m.Next(free, state) {
		out.values = append(out.values, f(state))
	}
	return out
}

// at returns the value for a joint state of all variables.
func (f table) at(m *model.Model, state []int) float64 {
	i := 0
	for _, v := range f.scope {
		i = i*m.Card(v) + state[v]
	}
	return f.values[i]
}

// bucketOf returns the tables with v, and the union of their scopes.
func bucketOf(tables []table, v model.VarID) (bucket []table, union []model.VarID) {
	for _, f := range tables {
		if slices.Contains(f.scope, v) {
			bucket = append(bucket, f)
			union = append(union, f.scope...)
		}
	}
	slices.Sort(union)
	return bucket, slices.Compact(union)
}

// cheapest returns the variable whose tables have the smallest product, and -1 if no table has a
// variable.
func cheapest(m *model.Model, tables []table) model.VarID {
	best, least := model.VarID(-1), math.Inf(1)
	for v := range m.Vars {
		if bucket, union := bucketOf(tables, model.VarID(v)); len(bucket) > 0 && m.LogTableSize(union) < least {
			best, least = model.VarID(v), m.LogTableSize(union)
		}
	}
	return best
}

// TestSameAsUAI compares networks that exist in both formats, number by number.
func TestSameAsUAI(t *testing.T) {
	data := filepath.Join(irtest.Shared(t), "data")
	for _, name := range []string{"pedigree1", "pedigree23"} {
		m := read(t, filepath.Join(data, "uai2008", "linkage", name+".erg.gz"))
		want := read(t, filepath.Join(data, "pascal-mmap", "pedigree", name+".uai.gz"))
		for i, v := range want.Vars {
			v.Name, v.Domain = m.Vars[i].Name, m.Vars[i].Domain
		}
		if diff := formattest.Diff(m, want); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}
