package methodtest

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/format/fg"
	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// LibDAI compares an iterating method with a row of the table that libDAI's own tests print for their 4 x 4 grid: the marginals, and
// the error of ln Z, all to the printed digits.
func LibDAI(t *testing.T, m method.Method, row string, options ...string) {
	t.Helper()
	dir := filepath.Join(irtest.Shared(t), "data", "libdai")
	x, list := format.Read([]format.Format{fg.Format}, filepath.Join(dir, "testfast.fg"), "", format.ReadOptions{})
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	want, logZError := libDAIRow(t, filepath.Join(dir, "testfast.out.gz"), row)
	r, err := compiler.Compile(context.Background(), x, compiler.Options{Method: m.Name, MethodOptions: options, Unnormalised: true, Check: true})
	if err != nil {
		t.Fatal(err)
	}
	machine, entry := eval.New(r.Program, r.Model), &r.Program.Entries[0]
	report, err := machine.RunLoop(context.Background(), entry, pgmrt.LoopOptions{})
	if err != nil || report.Status != pgmrt.Converged {
		t.Fatalf("%+v, %v; want a loop that settles", report, err)
	}
	for i := range entry.Outs {
		for s, p := range machine.Posterior(i) {
			if w := want[i][s]; math.Abs(p-w) > unit(w) {
				t.Errorf("x%d, state %d: %.5e; libDAI's %s has %.3e", i, s, p, row, w)
			}
		}
	}
	if got := machine.LogP() - logZ(t, x); math.Abs(got-logZError) > unit(logZError) {
		t.Errorf("error of ln Z: %.5e; libDAI's %s has %.3e", got, row, logZError)
	}
}

// unit is half of the last of four digits of x, and a little for the rounding of both.
func unit(x float64) float64 {
	return .501 * math.Pow(10, math.Floor(math.Log10(math.Abs(x)))-3)
}

// logZ is the logarithm of the sum of the product of all factors, by brute force.
func logZ(t *testing.T, m *model.Model) float64 {
	j, err := brute.New(m)
	if err != nil {
		t.Fatal(err)
	}
	sum, state := 0.0, make([]int, len(m.Vars))
	var all []model.VarID
	for _, v := range m.Vars {
		all = append(all, v.ID)
	}
	for range j.Len() {
		p := 1.0
		for _, f := range m.Factors {
			p *= m.Value(f, state)
		}
		sum += p
		m.Next(all, state)
	}
	return math.Log(sum)
}

var libDAINumbers = regexp.MustCompile(`[-+]?\d\.\d+e[-+]\d+`)

// libDAIRow gives the marginals of a row, by variable, and its error of ln Z.
func libDAIRow(t *testing.T, path, row string) (marginals [][]float64, logZ float64) {
	t.Helper()
	src, err := format.OpenSource(path, format.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	_, text, found := strings.Cut(string(src.Data), fmt.Sprintf("\n%-39s", row))
	if !found {
		t.Fatalf("%s has no row %s", path, row)
	}
	head, text, _ := strings.Cut(text, "\n")
	columns := strings.Fields(head)
	logZ = number(t, columns[4])
	for _, line := range strings.Split(text, "\n") {
		if !strings.HasPrefix(line, "# (") {
			break
		}
		var p []float64
		for _, x := range libDAINumbers.FindAllString(line, -1) {
			p = append(p, number(t, x))
		}
		marginals = append(marginals, p)
	}
	return marginals, logZ
}

func number(t *testing.T, s string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(s, 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}
