package rowfile_test

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
)

// TestDEBD compares the numbers of variables and rows of the twenty data sets with the list of the
// collection.
func TestDEBD(t *testing.T) {
	dir := filepath.Join(irtest.Shared(t), "data")
	list, err := os.Open(filepath.Join(dir, "MANIFEST.md"))
	if err != nil {
		t.Fatal(err)
	}
	defer list.Close()
	line := regexp.MustCompile("^\\| `(debd/[^`]*)` .*\\| (\\d+ vars x \\d+ rows) \\|")
	found := 0
	for text := bufio.NewScanner(list); text.Scan(); {
		m := line.FindStringSubmatch(text.Text())
		if m == nil {
			continue
		}
		if found++; found%4 != 0 && !irtest.LongCase(t, found) {
			continue
		}
		s, err := rowfile.Load(filepath.Join(dir, m[1]), rowfile.Auto, rowfile.LoadOptions{})
		if err != nil {
			t.Error(err)
			continue
		}
		if got := fmt.Sprintf("%d vars x %d rows", len(s.Vars), s.Len()); got != m[2] {
			t.Errorf("%s: %s; want %s", m[1], got, m[2])
		}
		for v := range s.Vars {
			if !slices.Equal(s.Vars[v].States, []string{"0", "1"}) || slices.Contains(s.Column(v).Bytes, data.MissingByte) {
				t.Errorf("%s: column %d has states %q or a missing value", m[1], v, s.Vars[v].States)
			}
		}
	}
	if found != 48 {
		t.Errorf("the list has %d files; want 48", found)
	}
}

func TestLibra(t *testing.T) {
	dir := filepath.Join(irtest.Shared(t), "data", "libra")
	for _, c := range []struct {
		file, schema string
		vars, rows   int
		missing      int // in all; negative if unknown
	}{
		{"examples/msweb.data.gz", "examples/msweb.schema", 294, 1000, 0},
		{"test/mtlearn/train1.data.gz", "test/mtlearn/train1.schema", 16, 16181, 0}, // NLTCS
		{"test/inference/alarm.data.gz", "", 37, 1000, 0},
		{"examples/msweb.ev", "examples/msweb.schema", 294, 7, 7*294 - 7}, // one observation in each,
		{"examples/msweb.q", "examples/msweb.schema", 294, 7, -1},
	} {
		t.Run(c.file, func(t *testing.T) {
			var opt rowfile.LoadOptions
			if c.schema != "" {
				var err error
				if opt.Cards, err = rowfile.ReadSchema(filepath.Join(dir, c.schema)); err != nil {
					t.Fatal(err)
				}
			}
			s, err := rowfile.Load(filepath.Join(dir, c.file), rowfile.Auto, opt)
			if err != nil {
				t.Fatal(err)
			}
			if len(s.Vars) != c.vars || s.Len() != c.rows || c.missing >= 0 && missing(s) != c.missing {
				t.Errorf("%d variables, %d rows, %d missing; want %d, %d, %d", len(s.Vars), s.Len(), missing(s), c.vars, c.rows, c.missing)
			}
		})
	}
}

// missing returns the number of missing values.
func missing(s *data.Set) (n int) {
	for v := range s.Vars {
		n += missingIn(s, v)
	}
	return n
}

func missingIn(s *data.Set, v int) (n int) {
	for c, row := s.Column(v), 0; row < s.Len(); row++ {
		if c.At(row) == data.Missing {
			n++
		}
	}
	return n
}

// TestTables compares the numbers of rows, attributes and missing values with the documentation of
// these data sets at the UCI repository and in Weka.
func TestTables(t *testing.T) {
	dir := filepath.Join(irtest.Shared(t), "data", "tables")
	for _, c := range []struct {
		file       string
		vars, rows int
		missing    int
	}{
		{"uci-weather.nominal.arff", 5, 14, 0},
		{"uci-contact-lenses.arff", 5, 24, 0},
		{"uci-labor.arff", 17, 57, 326},
		{"uci-vote.arff.gz", 17, 435, 392},
		{"uci-soybean.arff.gz", 36, 683, 2337},
		{"uci-credit-g.arff.gz", 21, 1000, 0},
		{"uci-hypothyroid.arff.gz", 30, 3772, 6064},
		{"uci-cleveland.arff.gz", 14, 303, -1},
		{"uci-hungarian.arff.gz", 14, 294, -1},
		{"uci-echoMonths.arff", 10, 130, -1},
		{"pgmpy-titanic_train.csv.gz", 12, 891, 177 + 687 + 2}, // Age, Cabin, Embarked
		{"bnlearn-alarm.csv.gz", 37, 20000, 0},
		{"bnlearn-insurance.csv.gz", 27, 20000, 0},
		{"bnlearn-coronary.csv.gz", 6, 1841, 0},
		{"bnlearn-lizards.csv.gz", 3, 409, 0},
		{"agrum-asia.csv.gz", 8, 10000, 0},
		{"agrum-paramEM.csv", 4, 1000, 1000}, // the first column is latent
		{"pgmpy-adult_proc.csv.gz", 12, 932, 0},
	} {
		t.Run(c.file, func(t *testing.T) {
			s, err := rowfile.Load(filepath.Join(dir, c.file), rowfile.Auto, rowfile.LoadOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if len(s.Vars) != c.vars || s.Len() != c.rows || c.missing >= 0 && missing(s) != c.missing {
				t.Errorf("%d variables, %d rows, %d missing; want %d, %d, %d", len(s.Vars), s.Len(), missing(s), c.vars, c.rows, c.missing)
			}
		})
	}
}

// TestTitanic compares the survivors of the Titanic, 342 of 891, by Sex and Pclass, with the
// numbers in tutorials.
func TestTitanic(t *testing.T) {
	path := filepath.Join(irtest.Shared(t), "data", "tables", "pgmpy-titanic_train.csv.gz")
	vars := []data.Var{{Name: "Survived", States: []string{"0", "1"}}, {Name: "Sex", States: []string{"male", "female"}}, {Name: "Pclass", States: []string{"1", "2", "3"}}}
	s, err := rowfile.Load(path, rowfile.Auto, rowfile.LoadOptions{Vars: vars})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]float64{}
	m := s.Merged()
	states := make([]int, 3)
	for row := range m.Len() {
		m.Row(row, states)
		got[fmt.Sprint(states)] += m.Weight(row)
	}
	// Survivors of all: women 91/94, 70/76, 72/144; men 45/122, 17/108, 47/347.
	want := map[string]float64{
		"[1 1 0]": 91, "[0 1 0]": 3, "[1 1 1]": 70, "[0 1 1]": 6, "[1 1 2]": 72, "[0 1 2]": 72,
		"[1 0 0]": 45, "[0 0 0]": 77, "[1 0 1]": 17, "[0 0 1]": 91, "[1 0 2]": 47, "[0 0 2]": 300,
	}
	if fmt.Sprint(got) != fmt.Sprint(want) || m.Len() != len(want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}

// TestHeaderless checks that a header with a duplicate value, which is likely data, is an error.
func TestHeaderless(t *testing.T) {
	path := filepath.Join(irtest.Shared(t), "data", "tables", "uci-german.csv.gz")
	_, err := rowfile.Load(path, rowfile.Auto, rowfile.LoadOptions{})
	if err == nil || !strings.HasSuffix(err.Error(), `.gz:1:39: columns 8 and 11 are both called "4"; if the first line is a row, no-header reads it as one, and otherwise want different names in the first line, or leave them out by drop 4`) {
		t.Errorf("got %v", err)
	}
}
