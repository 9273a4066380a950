package uai

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/format/internal/numbers"
	"github.com/pgmc-go/pgmc/compiler/format/internal/text"
	"github.com/pgmc-go/pgmc/ir/diag"
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

// ReadResult reads an answer in the format of 2014 or an older one, in which a line with 1, the
// number of samples of evidence, follows the task. If a solver improved its answer, the file has
// several, each after -BEGIN-, and the last one counts. MMAP has a count, then pairs of a variable
// and its state, or states in the order of the query; three numbers are one pair.
func ReadResult(src *format.Source) (Result, diag.List) {
	r := numbers.New(src, 0)
	r.Next()
	out := Result{Task: r.Text}
	if out.Task == "MAP" {
		out.Task = MPE
	}
	var read func(*answer, *Result) bool
	switch out.Task {
	case PR:
		read = (*answer).value
	case MAR:
		read = (*answer).marginals
	case MPE:
		read = (*answer).states
	case MMAP:
		read = (*answer).pairs
	default:
		r.Fail("a task: PR, MAR, MPE, MAP or MMAP")
		return Result{}, r.List
	}
	a := &answer{Reader: r}
	for r.Next(); !r.AtEnd(); r.Next() {
		a.words = append(a.words, r.Word)
		if r.Text == "-BEGIN-" {
			a.words = a.words[:0]
		}
	}
	if !read(a, &out) {
		return Result{}, r.List
	}
	return out, r.List
}

// answer holds the words after the task.
type answer struct {
	*numbers.Reader
	words []numbers.Word
}

// fail reports that the words are not an answer. It returns false.
func (a *answer) fail(want string) bool {
	at := a.Word // the end of the file
	if len(a.words) > 0 {
		at = a.words[0]
	}
	a.Errorf(a.PosOf(at), "found %d numbers, which are no answer; want %s", len(a.words), want)
	return false
}

// old reports whether the first word is 1, the number of samples, and the others have the given
// shape.
func (a *answer) old(shape func([]numbers.Word) bool) bool {
	return len(a.words) > 0 && a.words[0].Text == "1" && shape(a.words[1:])
}

// shaped reports whether the words have the given shape. If they have it only without a number of
// samples at the start, it removes that number.
func (a *answer) shaped(shape func([]numbers.Word) bool) bool {
	if shape(a.words) {
		return true
	}
	if a.old(shape) {
		a.words = a.words[1:]
		return true
	}
	return false
}

// value reads PR.
func (a *answer) value(out *Result) (ok bool) {
	if !a.shaped(func(w []numbers.Word) bool { return len(w) == 1 }) {
		return a.fail("one logarithm to the base 10")
	}
	w := a.words[0]
	if strings.EqualFold(w.Text, "-inf") {
		out.Value = math.Inf(-1)
		return true
	}
	out.Value, ok = a.number(w)
	return ok
}

// number reads a finite number.
func (a *answer) number(w numbers.Word) (float64, bool) {
	x, err := strconv.ParseFloat(w.Text, 64)
	if err != nil || math.IsInf(x, 0) || math.IsNaN(x) {
		a.Errorf(a.PosOf(w), "found %s; want a number", text.Quote(w.Text))
		return 0, false
	}
	return x, true
}

// marginals reads MAR: the number of variables, and for each the number of its states and their
// probabilities.
func (a *answer) marginals(out *Result) bool {
	shape := func(words []numbers.Word) bool {
		if len(words) == 0 {
			return false
		}
		n, rest := count(words[0]), words[1:]
		for range min(n, len(words)) {
			if len(rest) == 0 || count(rest[0]) < 1 || count(rest[0]) >= len(rest) {
				return false
			}
			rest = rest[1+count(rest[0]):]
		}
		return n >= 0 && len(rest) == 0
	}
	if !a.shaped(shape) {
		return a.fail("a number of variables, and of each its number of states and their probabilities")
	}
	out.Marginals = [][]float64{}
	for rest := a.words[1:]; len(rest) > 0; {
		row := make([]float64, count(rest[0]))
		for s := range row {
			w := rest[1+s]
			x, ok := a.number(w)
			if !ok {
				return false
			}
			if x < 0 || x > 1 {
				a.Errorf(a.PosOf(w), "found %s; want a probability", text.Quote(w.Text))
				return false
			}
			row[s] = x
		}
		out.Marginals = append(out.Marginals, row)
		rest = rest[1+len(row):]
	}
	return true
}

// count parses a number of things, and returns -1 if w is not one.
func count(w numbers.Word) int {
	n, err := strconv.Atoi(w.Text)
	if err != nil || n < 0 || n > maxNumber {
		return -1
	}
	return n
}

// states reads MPE: the number of variables, and their states.
func (a *answer) states(out *Result) bool {
	if !a.shaped(func(w []numbers.Word) bool { return len(w) > 0 && count(w[0]) == len(w)-1 }) {
		return a.fail("a number of variables, and their states")
	}
	var ok bool
	out.States, ok = a.counts(a.words[1:], "the number of a state")
	return ok
}

// pairs reads MMAP: the number of variables, and pairs of a variable and its state, or only states.
func (a *answer) pairs(out *Result) bool {
	if a.shaped(func(w []numbers.Word) bool { return len(w) > 0 && count(w[0]) > 0 && count(w[0])*2 == len(w)-1 }) {
		ns, ok := a.counts(a.words[1:], "the number of a variable or state")
		out.Query, out.States = []model.VarID{}, []int{}
		for k := 0; k < len(ns); k += 2 {
			out.Query = append(out.Query, model.VarID(ns[k]))
			out.States = append(out.States, ns[k+1])
		}
		return ok
	}
	return a.states(out)
}

// counts reads numbers of variables and states.
func (a *answer) counts(words []numbers.Word, want string) ([]int, bool) {
	out := make([]int, len(words))
	for i, w := range words {
		if out[i] = count(w); out[i] < 0 {
			a.Errorf(a.PosOf(w), "found %s; want %s", text.Quote(w.Text), want)
			return nil, false
		}
	}
	return out, true
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
				continue // the file does not say whose state it is
			}
			v = int(r.Query[i])
		}
		if v < 0 || v >= len(m.Vars) {
			return fmt.Errorf("state of variable %d; %s", v, haveVariables(m))
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
