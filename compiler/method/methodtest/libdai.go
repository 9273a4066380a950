package methodtest

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/internal/format/fg"
	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/brute"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// LibDAI compares an iterating method with a row of the table that libDAI's own tests print for
// their 4 x 4 grid: the marginals and the error of ln Z, to the printed digits.
func LibDAI(t *testing.T, m method.Method, row string, options ...string) {
	t.Helper()
	dir := filepath.Join(irtest.Shared(t), "data", "libdai")
	x, list := format.Read([]format.Format{fg.Format}, filepath.Join(dir, "testfast.fg"), "", format.ReadOptions{})
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	want, errors := libDAIRow(t, filepath.Join(dir, "testfast.out.gz"), row)
	logZError := errors[4]
	r, err := compiler.Compile(context.Background(), x, compiler.Options{Method: compiler.Named(m.Name, options...), Unnormalised: true, Check: true})
	if err != nil {
		t.Fatal(err)
	}
	machine, entry := eval.New(r.Program, r.Model), &r.Program.Entries[0]
	report, err := machine.RunLoop(context.Background(), entry, pgmrt.LoopOptions{})
	if err != nil || report.Status != pgmrt.Converged {
		t.Fatalf("%+v, %v; want convergence", report, err)
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

// unit returns half a unit of the last of four digits of x, and a little for rounding.
func unit(x float64) float64 {
	return .501 * math.Pow(10, math.Floor(pgmrt.Ln(math.Abs(x))/math.Ln10)-3)
}

// logZ returns the logarithm of the sum of the product of all factors, by brute force.
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
	return pgmrt.Ln(sum)
}

var libDAINumbers = regexp.MustCompile(`[-+]?\d\.\d+e[-+]\d+`)

// libDAIRow returns the marginals of a row, by variable, and its errors by column, 0 for a missing
// one.
func libDAIRow(t *testing.T, path, row string) (marginals [][]float64, errors [5]float64) {
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
	for i, word := range strings.Fields(head)[:len(errors)] {
		if word != "N/A" {
			errors[i] = number(t, word)
		}
	}
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
	return marginals, errors
}

func number(t *testing.T, s string) float64 {
	t.Helper()
	x, err := strconv.ParseFloat(s, 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// LibDAIMax compares method maxprod with rows of that table, to the printed digits: max-marginals,
// their largest and mean error, and the error of libDAI's value for ln Z, which is the Bethe free
// energy of the beliefs of variables and factors.
func LibDAIMax(t *testing.T, m method.Method, rows []string, options ...string) {
	t.Helper()
	dir := filepath.Join(irtest.Shared(t), "data", "libdai")
	x, list := format.Read([]format.Format{fg.Format}, filepath.Join(dir, "testfast.fg"), "", format.ReadOptions{})
	if err := list.Err(); err != nil {
		t.Fatal(err)
	}
	r, err := compiler.Compile(context.Background(), x, compiler.Options{Method: compiler.Named(m.Name, options...), Check: true})
	if err != nil {
		t.Fatal(err)
	}
	machine, entry := eval.New(r.Program, r.Model), &r.Program.Entries[0]
	report, err := machine.RunLoop(context.Background(), entry, pgmrt.LoopOptions{})
	if err != nil || report.Status != pgmrt.Converged {
		t.Fatalf("%+v, %v; want convergence", report, err)
	}
	joint, err := brute.New(x)
	if err != nil {
		t.Fatal(err)
	}
	most, mean := 0.0, 0.0
	for i := range entry.Outs {
		exact, off := maxMarginal(joint, model.VarID(i)), 0.0
		for s, p := range machine.Posterior(i) {
			off += math.Abs(p-exact[s]) / 2
		}
		most, mean = max(most, off), mean+off/float64(len(entry.Outs))
	}
	got := []float64{most, mean, bethe(r, machine) - maximaOfCorner(joint)}
	for _, row := range rows {
		want, errors := libDAIRow(t, filepath.Join(dir, "testfast.out.gz"), row)
		for i := range entry.Outs {
			for s, p := range machine.Posterior(i) {
				if w := want[i][s]; math.Abs(p-w) > unit(w) {
					t.Errorf("x%d, state %d: %.5e; libDAI's %s has %.3e", i, s, p, row, w)
				}
			}
		}
		for i, w := range []float64{errors[0], errors[1], errors[4]} {
			if math.Abs(got[i]-w) > unit(w) {
				t.Errorf("error %d: %.5e; libDAI's %s has %.3e", i, got[i], row, w)
			}
		}
	}
}

// bethe returns the negated Bethe free energy of the current beliefs.
func bethe(r *compiler.Result, machine *eval.Machine) float64 {
	sum := 0.0
	for i := range r.Model.Vars {
		degree := 0
		for _, f := range r.Model.Factors {
			if slices.Contains(f.Scope, model.VarID(i)) {
				degree++
			}
		}
		for _, p := range machine.Posterior(i) {
			sum -= float64(1-degree) * p * pgmrt.Ln(p)
		}
	}
	for _, f := range r.Model.Factors {
		sum -= factorDivergence(r, machine, f)
	}
	return sum
}

// maxMarginal returns the exact max-marginal of a variable, normalized.
func maxMarginal(j *brute.Joint, v model.VarID) []float64 {
	p, sum := make([]float64, j.Model.Card(v)), 0.0
	for s := range p {
		p[s] = math.Exp(j.LogValue([]model.VarID{v}, []int{s}, brute.Evidence{}))
		sum += p[s]
	}
	for s := range p {
		p[s] /= sum
	}
	return p
}

// maximaOfCorner returns the reference for ln Z in the table's rows of max-product methods: ln of
// the sum of the max-marginal of the last clique of libDAI's clique tree. The clique is the first
// variable of the grid and its two neighbours.
func maximaOfCorner(j *brute.Joint) float64 {
	sum := 0.0
	for k := range 8 {
		sum += math.Exp(j.LogValue([]model.VarID{0, 1, 4}, []int{k & 1, k >> 1 & 1, k >> 2}, brute.Evidence{}))
	}
	return pgmrt.Ln(sum) + j.LogPartition()
}

// factorDivergence returns the sum of b ln(b/f) over the joint states of factor f, where b is its
// belief: f times the messages of its variables.
func factorDivergence(r *compiler.Result, machine *eval.Machine, f *model.Factor) float64 {
	state := make([]int, len(r.Model.Vars))
	var belief, values []float64
	sum := 0.0
	size, _ := r.Model.TableSize(f.Scope)
	for range size {
		values = append(values, r.Model.Value(f, state))
		x := values[len(values)-1]
		for _, v := range f.Scope {
			x *= math.Exp(-message(r, machine, v, f)[state[v]])
		}
		belief = append(belief, x)
		sum += x
		r.Model.Next(f.Scope, state)
	}
	d := 0.0
	for i, b := range belief {
		b /= sum
		d += b * pgmrt.Ln(b/values[i])
	}
	return d
}

// message returns the message from a variable to a factor, as energies. To a factor over one
// variable it is the sum of all other messages.
func message(r *compiler.Result, machine *eval.Machine, v model.VarID, f *model.Factor) []float64 {
	name := fmt.Sprintf("{%s} → {%s}", r.Model.Vars[v].Name, r.Model.FactorName(f))
	if len(f.Scope) == 1 {
		name = "belief of " + r.Model.Vars[v].Name
	}
	for i := range r.Program.Spans {
		if r.Program.Spans[i].Name != name {
			continue
		}
		x := slices.Clone(machine.Span(ir.SpanID(i)))
		for s := range x {
			if len(f.Scope) == 1 {
				x[s] += pgmrt.Ln(f.Dist.(*model.Table).Values[s])
			}
		}
		return x
	}
	panic("no message " + name)
}
