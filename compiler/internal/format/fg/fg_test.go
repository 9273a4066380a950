package fg_test

import (
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/internal/format/bif"
	"github.com/pgmc-go/pgmc/compiler/internal/format/fg"
	"github.com/pgmc-go/pgmc/compiler/internal/format/formattest"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

func TestContract(t *testing.T) {
	formattest.Run(t, fg.Format, formattest.Cases{Models: texts, Errors: broken})
}

// FuzzRead checks that no text makes the reader panic, and that a model that is read without errors
// survives writing.
func FuzzRead(f *testing.F) {
	for _, c := range texts {
		f.Add(c.Text)
	}
	for _, c := range broken {
		f.Add(c.Text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		src := &format.Source{Name: "fuzz.fg", Data: []byte(text)}
		m, list := format.ReadSource(fg.Format, src, format.ReadOptions{MaxEntries: 1 << 16})
		if !list.HasErrors() && !formattest.RoundTrip(t, fg.Format, m) {
			t.Error("read but not written")
		}
	})
}

func read(t *testing.T, path string) *model.Model {
	t.Helper()
	m, list := format.Read([]format.Format{fg.Format, bif.Format}, path, "", format.ReadOptions{})
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	return m
}

// TestExact compares the 4 x 4 grid of libDAI's tests with the exact marginals in their expected
// output.
func TestExact(t *testing.T) {
	dir := filepath.Join(irtest.Shared(t), "data", "libdai")
	src, err := format.OpenSource(filepath.Join(dir, "testfast.out.gz"), format.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	_, exact, _ := strings.Cut(string(src.Data), "\nEXACT")
	exact, _, _ = strings.Cut(exact, "\nJTREE")
	var posteriors []formattest.Posterior
	for _, found := range regexp.MustCompile(`\{(x\d+)\}, \(([^,]+), ([^)]+)\)`).FindAllStringSubmatch(exact, -1) {
		for s, text := range found[2:] {
			want, err := strconv.ParseFloat(text, 64)
			if err != nil {
				t.Fatal(err)
			}
			posteriors = append(posteriors, formattest.Posterior{Var: found[1], State: strconv.Itoa(s), Want: want, Tol: 5.1e-5, // four digits
				From: "libDAI's tests/testfast.out"})
		}
	}
	if len(posteriors) != 32 {
		t.Fatalf("found %d probabilities; want 2 of each of 16 variables", len(posteriors))
	}
	formattest.Run(t, fg.Format, formattest.Cases{Models: []formattest.Model{
		{Name: "testfast.fg", Path: filepath.Join(dir, "testfast.fg"), Posteriors: posteriors},
	}})
}

// TestSharedFiles reads every factor graph of the reference data and writes it back.
func TestSharedFiles(t *testing.T) {
	size := map[string]string{ // variables and factors
		"alarm.fg.gz": "37 37", "hoi1.fg": "6 3", "hoi2.fg": "6 2", "hoi3.fg": "8 3", "hoi4.fg": "6 3", "jtreemapbug.fg": "2 1",
		"maxprodbug.fg": "3 3", "testfast.fg": "16 40", "twofactors.fg": "4 2", "zeroes1.fg": "3 3", "2var.fg": "2 1", "3var.fg": "3 1",
	}
	err := filepath.WalkDir(filepath.Join(irtest.Shared(t), "data", "libdai"), func(path string, _ fs.DirEntry, err error) error {
		name := filepath.Base(path)
		if filepath.Ext(strings.TrimSuffix(name, ".gz")) != ".fg" {
			return err
		}
		m := read(t, path)
		if got := fmt.Sprint(len(m.Vars), " ", len(m.Factors)); got != size[name] {
			t.Errorf("%s: %s variables and factors; want %s", name, got, size[name])
		}
		delete(size, name)
		if !formattest.RoundTrip(t, fg.Format, m) {
			t.Errorf("%s: not written", name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(size) > 0 {
		t.Errorf("did not find %v", size)
	}
}

// TestAlarm compares libDAI's ALARM network with that of bnlearn, number by number: factor i is the
// CPD of variable i in BIF. It skips variables with several parents, because the two files order
// some of them differently.
func TestAlarm(t *testing.T) {
	data := filepath.Join(irtest.Shared(t), "data")
	m := read(t, filepath.Join(data, "libdai", "alarm.fg.gz"))
	want := read(t, filepath.Join(data, "bif", "alarm.bif.gz"))
	state, compared := make([]int, len(m.Vars)), 0
	for i, f := range m.Factors {
		g := want.CPD(model.VarID(i))
		if !slices.Equal(f.Scope, slices.Sorted(slices.Values(g.Scope))) {
			t.Fatalf("factor %d is over %v; want %v", i, f.Scope, g.Scope)
		}
		if len(f.Scope) > 2 {
			continue
		}
		compared++
		for more := true; more; more = m.Next(f.Scope, state) {
			if got, want := m.Value(f, state), want.Value(g, state); math.Abs(got-want) > 0.00034 { // 0.333 for 0.3333333
				t.Errorf("factor %d is %v at %v; want %v", i, got, state, want)
			}
		}
	}
	if compared != 20 {
		t.Errorf("compared %d factors; want 20", compared)
	}
}

// two returns a network of a and its child b, which has the distribution d.
func two(d model.Dist) *model.Model {
	m := &model.Model{Name: "two"}
	a, b := m.NewVar("a", "x", "y"), m.NewVar("b", "p", "q", "r")
	b.Latent = true
	m.Factors = []*model.Factor{
		{Scope: []model.VarID{a.ID}, Dist: &model.Table{Values: []float64{1.0 / 3, 2.0 / 3}}},
		{Scope: []model.VarID{a.ID, b.ID}, Child: 1, Dist: d},
	}
	return m
}

func TestWrite(t *testing.T) {
	const head = "2\n\n1\n0\n2\n2\n0 0.3333333333333333\n1 0.6666666666666666\n\n2\n0 1\n2 3\n"
	for _, c := range []struct {
		name string
		dist model.Dist
		want string
	}{
		{"table", &model.Table{Values: []float64{0.5, 0.25, 0.25, 1e-300, 0, 1}}, "5\n0 0.5\n1 1e-300\n2 0.25\n4 0.25\n5 1\n"},
		{"deterministic", &model.Deterministic{States: []int32{2, 0}}, "2\n1 1\n4 1\n"},
		{"noisy-max", &model.NoisyMax{Leak: []float64{0.5, 0.25, 0.25}, Cause: [][]float64{{1, 0, 0, 0, 0.5, 0.5}}}, "5\n0 0.5\n2 0.25\n3 0.375\n4 0.25\n5 0.625\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := two(c.dist)
			out, err := format.Encode(nil, fg.Format, "out.fg", m)
			if err != nil {
				t.Fatal(err)
			}
			if got := out.Files[0].Data.String(); got != head+c.want {
				t.Errorf("wrote\n%s\nwant\n%s", got, head+c.want)
			}
			want := "which variable is whose child: libDAI has potentials only\nname of the network: libDAI has none\n" +
				"names of variables: libDAI numbers them\nnames of states: libDAI numbers them\nmarks of latent variables: libDAI has none"
			if got := strings.Join(out.Lost, "\n"); got != want {
				t.Errorf("lost\n%s\nwant\n%s", got, want)
			}
			if !formattest.RoundTrip(t, fg.Format, m) {
				t.Error("not written")
			}
		})
	}
}

// TestWriteRefuses checks the errors for models that cannot be written.
func TestWriteRefuses(t *testing.T) {
	m := &model.Model{Kind: model.Markov}
	m.NewVar("lonely", "0")
	_, err := format.Encode(nil, fg.Format, "out.fg", m)
	if want := `out.fg: a factor graph of libDAI cannot hold the variable "lonely", which is in no factor`; err == nil || err.Error() != want {
		t.Errorf("got %v; want %s", err, want)
	}
}

// TestFixtures writes networks of every kind with names.
func TestFixtures(t *testing.T) {
	for _, m := range irtest.Fixtures() {
		if !formattest.RoundTrip(t, fg.Format, m) {
			t.Errorf("%s: not written", m.Name)
		}
	}
}
