package convert_test

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/clitest"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/convert"
	"github.com/pgmc-go/pgmc/ir/model"
)

// TestModels converts a network to other kinds of models, and compares the values of all joint
// states. A dependency network has no joint distribution.
func TestModels(t *testing.T) {
	for _, c := range []struct {
		out, note string
		kind      model.Kind
	}{
		{"rain.json", "", model.Bayes},
		{"rain.uai", "", model.Bayes},
		{"rain.ac", "compiled to a circuit of ", model.Markov},
		{"rain.dn", "", model.Dependency},
	} {
		t.Run(c.out, func(t *testing.T) {
			a, _, problems := clitest.App()
			in := clitest.File(t, "rain.bif", clitest.Rain)
			out := filepath.Join(t.TempDir(), c.out)
			if err := convert.Run(t.Context(), a, in, out, &convert.Options{}); err != nil {
				t.Fatal(err)
			}
			m, err := a.Load(t.Context(), out, "")
			if err != nil || m.Kind != c.kind {
				t.Fatalf("kind %v, error %v", m.Kind, err)
			}
			if got := problems.String(); !strings.HasPrefix(got, c.note) {
				t.Errorf("note %q; want %q", got, c.note)
			}
			if c.kind == model.Dependency {
				return
			}
			for i, want := range []float64{0.25, 0, 0.375, 0.375} {
				p := 1.0
				for _, f := range m.Factors {
					p *= m.Value(f, []int{i / 2, i % 2})
				}
				if math.Abs(p-want) > 1e-15 {
					t.Errorf("joint state %d has %v; want %v", i, p, want)
				}
			}
		})
	}
}

// TestDiscretize checks the number of intervals, and the note on their cost.
func TestDiscretize(t *testing.T) {
	a, _, problems := clitest.App()
	in, out := clitest.File(t, "tank.json", clitest.Tank), filepath.Join(t.TempDir(), "out.json")
	if err := convert.Run(t.Context(), a, in, out, &convert.Options{Discretize: 4}); err != nil {
		t.Fatal(err)
	}
	m, err := a.Load(t.Context(), out, "")
	if err != nil || len(m.States(1)) != 4 || len(m.States(2)) != 4 || len(m.States(0)) != 2 {
		t.Errorf("states %v, %v, error %v", m.States(1), m.States(2), err)
	}
	if !strings.HasPrefix(problems.String(), "the intervals cost ") {
		t.Errorf("note %q", problems)
	}
	for _, n := range []int{-1, 1} {
		err := convert.Run(t.Context(), a, in, out, &convert.Options{Discretize: n})
		if err == nil || !strings.Contains(err.Error(), "want 2 to ") {
			t.Errorf("--discretize %d: error %v", n, err)
		}
	}
}

// TestData converts rows, by their own names and by those of a model.
func TestData(t *testing.T) {
	rain := clitest.File(t, "rain.bif", clitest.Rain)
	for _, c := range []struct {
		in, text, out string
		opt           convert.Options
		want, err     string
	}{
		{"rows.csv", "a,b\nx,y\nz,y\n", "rows.data", convert.Options{}, "0,0\n1,0\n", ""},
		{"rows.csv", "a,b\nx,y\nz,y\n", "rows.schema", convert.Options{}, "2,1\n", ""},
		{"rows.data", "0,1\n1,0\n", "rows.csv", convert.Options{Model: rain}, "rain,wet\nyes,no\nno,yes\n", ""},
		{"rows.csv", "a\nx\n", "rows.json", convert.Options{}, "", "rows.json: data is written as .csv, .data, .schema"},
		{"rain.bif", clitest.Rain, "rain.json", convert.Options{Schema: "x"}, "", "--model and --schema are for data; "},
	} {
		a, _, _ := clitest.App()
		out := filepath.Join(t.TempDir(), c.out)
		c.opt.Data.Format = cli.Choice{}
		err := convert.Run(t.Context(), a, clitest.File(t, c.in, c.text), out, &c.opt)
		got, _ := os.ReadFile(out)
		if string(got) != c.want || (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s to %s: found %q, error %v; want %q, %s", c.in, c.out, got, err, c.want, c.err)
		}
	}
}
