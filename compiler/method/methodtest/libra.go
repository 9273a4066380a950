package methodtest

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// LibraCase is a test case of the Libra toolkit: a model, rows of evidence or none, and the
// marginals that Libra printed. The fields are file names of Libra's tests.
type LibraCase struct{ Model, Evidence, Log string }

// libraFile reads a file of Libra's tests, which may be compressed.
func libraFile(t *testing.T, name string) string {
	t.Helper()
	path := filepath.Join(irtest.Shared(t), "data", "libra", "test", name)
	src, err := format.OpenSource(path, format.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return string(src.Data)
}

// LibraModel reads a model of Libra's tests, or of its examples if the name begins with
// ../examples.
func LibraModel(t *testing.T, name string) *model.Model {
	t.Helper()
	path := filepath.Join(irtest.Shared(t), "data", "libra", "test", name)
	x, list := format.Read(compiler.Formats, path, "", format.ReadOptions{})
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	return x
}

// Want returns the marginals that Libra printed, by row of evidence and variable.
func (c *LibraCase) Want(t *testing.T) (rows [][][]float64) {
	t.Helper()
	for _, block := range strings.Split(strings.TrimSpace(libraFile(t, c.Log)), "\n\n") {
		var row [][]float64
		for _, line := range strings.Split(strings.TrimSpace(block), "\n") {
			var p []float64
			for _, word := range strings.Fields(line) {
				p = append(p, number(t, word))
			}
			row = append(row, p)
		}
		rows = append(rows, row)
	}
	return rows
}

// Run returns the marginals of an iterating method, by row of evidence and variable.
func (c *LibraCase) Run(t *testing.T, m method.Method, opt pgmrt.LoopOptions, options ...string) (rows [][][]float64) {
	t.Helper()
	x := LibraModel(t, c.Model)
	r, err := compiler.Compile(context.Background(), x, compiler.Options{Method: compiler.Named(m.Name, options...), Unnormalised: true})
	if err != nil {
		t.Fatal(err)
	}
	evidence := []string{""}
	if c.Evidence != "" {
		evidence = strings.Split(strings.TrimSpace(libraFile(t, c.Evidence)), "\n")
	}
	machine, entry := eval.New(r.Program, r.Model), &r.Program.Entries[0]
	for _, line := range evidence {
		machine.ClearEvidence()
		for v, s := range strings.Split(line, ",") {
			if state, err := strconv.Atoi(s); err == nil {
				if err := machine.Observe(model.VarID(v), state); err != nil {
					t.Fatal(err)
				}
			}
		}
		if _, err := machine.RunLoop(context.Background(), entry, opt); err != nil && !errors.Is(err, pgmrt.ErrImpossible) {
			t.Fatal(err)
		}
		var row [][]float64
		for i := range entry.Outs {
			row = append(row, append([]float64(nil), machine.Posterior(i)...))
		}
		rows = append(rows, row)
	}
	return rows
}

// LibraNear reports whether got equals a number that Libra printed with twelve digits.
func LibraNear(got, want float64) bool {
	return math.Abs(got-want) <= 1e-11*math.Max(1e-3, math.Abs(want))
}
