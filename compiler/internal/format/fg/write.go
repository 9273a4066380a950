package fg

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/numbers"
	"github.com/pgmc-go/pgmc/ir/model"
)

// maxTable bounds the numbers that a distribution of another kind may have as a table.
const maxTable = 1 << 22

func write(out *format.Sink, m *model.Model) error {
	if v := alone(m); v != nil {
		return fmt.Errorf("a factor graph of libDAI cannot hold the variable %q, which is in no factor", v.Name)
	}
	label := labels(m)
	if m.Kind == model.Bayes {
		out.Warn("which variable is whose child: libDAI has potentials only")
	}
	numbers.LoseNames(out, m, "libDAI", "x", func(v model.VarID) int { return label[v] })
	w := out.Add(out.Name)
	fmt.Fprintf(w, "%d\n", len(m.Factors))
	for _, f := range m.Factors {
		if err := writeFactor(w, m, f, label); err != nil {
			return err
		}
	}
	return nil
}

// alone returns a variable that is in no factor, or nil.
func alone(m *model.Model) *model.Var {
	in := make([]bool, len(m.Vars))
	for _, f := range m.Factors {
		for _, v := range f.Scope {
			in[v] = true
		}
	}
	for i, found := range in {
		if !found {
			return m.Vars[i]
		}
	}
	return nil
}

// labels returns the label of each variable: the numbers in their names if all are called x and a
// number and these increase, and their indices otherwise.
func labels(m *model.Model) []int {
	label := make([]int, len(m.Vars))
	for i, v := range m.Vars {
		digits, ok := strings.CutPrefix(v.Name, "x")
		n, err := strconv.Atoi(digits)
		if !ok || err != nil || strconv.Itoa(n) != digits || n < 0 || n > math.MaxInt32 || i > 0 && n <= label[i-1] {
			for i := range label {
				label[i] = i
			}
			return label
		}
		label[i] = n
	}
	return label
}

func writeFactor(w *bytes.Buffer, m *model.Model, f *model.Factor, label []int) error {
	values, err := m.Tabulate(f, maxTable)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "\n%d\n", len(f.Scope))
	writeLine(w, f.Scope, func(v model.VarID) int { return label[v] })
	writeLine(w, f.Scope, m.Card)
	entries := 0
	for _, x := range values {
		if x != 0 {
			entries++
		}
	}
	fmt.Fprintf(w, "%d\n", entries)
	state := make([]int, len(f.Scope))
	for i := range values {
		if x := values[place(m, f.Scope, state)]; x != 0 {
			numbers.Int(w, i)
			w.WriteByte(' ')
			numbers.Float(w, x)
			w.WriteByte('\n')
		}
		next(m, f.Scope, state)
	}
	return nil
}

// writeLine writes a number for each variable of a scope.
func writeLine(w *bytes.Buffer, scope []model.VarID, number func(model.VarID) int) {
	for i, v := range scope {
		if i > 0 {
			w.WriteByte(' ')
		}
		numbers.Int(w, number(v))
	}
	w.WriteByte('\n')
}

// place returns the row-major index of the states of a scope.
func place(m *model.Model, scope []model.VarID, state []int) int {
	i := 0
	for k, v := range scope {
		i = i*m.Card(v) + state[k]
	}
	return i
}

// next advances the states of a scope, the first variable fastest.
func next(m *model.Model, scope []model.VarID, state []int) {
	for k, v := range scope {
		if state[k]++; state[k] < m.Card(v) {
			return
		}
		state[k] = 0
	}
}
