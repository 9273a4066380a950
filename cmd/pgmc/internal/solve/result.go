package solve

import (
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/pgmc-go/pgmc/ir/model"
)

// The tasks of the competitions.
const (
	PR   = "PR"   // the partition function, or the probability of evidence, as a logarithm
	MAR  = "MAR"  // posterior marginals of all variables
	MPE  = "MPE"  // a most probable completion of evidence; older files call it MAP
	MMAP = "MMAP" // most probable states of some variables, the others summed out
)

// Result is the answer to a task.
type Result struct {
	Task      string
	Value     float64       // PR: log10
	Marginals [][]float64   // MAR: by variable and state
	States    []int         // MPE: by variable; MMAP: in the order of the query
	Query     []model.VarID // MMAP: the variables of States; nil if the file has states only
}

// Check returns an error if r is not a valid answer about m.
func (r *Result) Check(m *model.Model) error {
	n := len(m.Vars)
	switch r.Task {
	case PR:
		if math.IsNaN(r.Value) || math.IsInf(r.Value, 1) {
			return fmt.Errorf("the value of PR is %v; want a logarithm", r.Value)
		}
		return nil
	case MAR:
		if len(r.Marginals) != n {
			return fmt.Errorf("marginals of %d variables; want %d", len(r.Marginals), n)
		}
		for v, row := range r.Marginals {
			if card := m.Card(model.VarID(v)); len(row) != card {
				return fmt.Errorf("marginal of variable %d with %d numbers; want %d", v, len(row), card)
			}
		}
		return nil
	case MPE:
		if len(r.States) != n {
			return fmt.Errorf("states of %d variables; want %d", len(r.States), n)
		}
	case MMAP:
		if r.Query != nil && len(r.States) != len(r.Query) {
			return fmt.Errorf("states of %d variables; want %d", len(r.States), len(r.Query))
		}
	default:
		return fmt.Errorf("unknown task %q; want PR, MAR, MPE or MMAP", r.Task)
	}
	return r.checkStates(m)
}

// checkStates returns an error if a variable does not have its state.
func (r *Result) checkStates(m *model.Model) error {
	for i, s := range r.States {
		v := i
		if r.Task == MMAP {
			if r.Query == nil {
				continue // the answer does not name the variables
			}
			v = int(r.Query[i])
		}
		if v < 0 || v >= len(m.Vars) {
			return fmt.Errorf("state of variable %d; want 0 to %d", v, len(m.Vars)-1)
		}
		if card := m.Card(model.VarID(v)); s < 0 || s >= card {
			return fmt.Errorf("state %d of variable %d; want 0 to %d", s, v, card-1)
		}
	}
	return nil
}

// Write writes an answer about m in the format of 2014: the task, then one line. Numbers read back
// exactly.
func (r *Result) Write(w io.Writer, m *model.Model) error {
	if err := r.Check(m); err != nil {
		return err
	}
	line := []byte(r.Task + "\n")
	integer := func(n int) { line = append(strconv.AppendInt(line, int64(n), 10), ' ') }
	switch r.Task {
	case PR:
		line = append(appendFloat(line, r.Value), ' ')
	case MAR:
		integer(len(r.Marginals))
		for _, row := range r.Marginals {
			integer(len(row))
			for _, x := range row {
				line = append(appendFloat(line, x), ' ')
			}
		}
	default:
		integer(len(r.States))
		for i, s := range r.States {
			if r.Query != nil {
				integer(int(r.Query[i]))
			}
			integer(s)
		}
	}
	line[len(line)-1] = '\n'
	_, err := w.Write(line)
	return err
}

// appendFloat appends the fewest digits that read back as the same number, and -inf for minus
// infinity.
func appendFloat(b []byte, x float64) []byte {
	if math.IsInf(x, -1) {
		return append(b, "-inf"...)
	}
	return strconv.AppendFloat(b, x, 'g', -1, 64)
}
