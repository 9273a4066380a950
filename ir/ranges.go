package ir

import (
	"cmp"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// Ranges holds the loops of a program that may skip the states of a variable that evidence rules
// out. Back-ends find the remaining states in state memory, after the program's own integers: the
// first remaining state and the one after the last. The code that enters likelihoods sets them; the
// full range of states is valid at any time. The nil Ranges has no such loops.
//
// A loop may be narrowed if the skipped elements are zero, or are multiplied by a zero before they
// reach an answer. Only likelihoods that are multiplied into a table count as such zeros; zeros of
// the model do not, since a caller may replace them. The elements of its result that a narrowed
// loop skips must be zero if some step reads them, see [Ranges.SeenWhole]. If no step reads them,
// they hold the numbers that an earlier query left there.
type Ranges struct {
	place  []int    // by variable; -1 if no loop is narrowed
	input  []SpanID // by variable: its first likelihood
	vars   []model.VarID
	mask   []varSet // by span: variables outside whose remaining states it is zero
	narrow map[*Contract]*narrowed
	made   []*Contract // by span: the contraction that writes it
	whole  []varSet    // by span: variables outside whose remaining states some step reads it
	all    []bool      // by span: some step reads all of it
}

// narrowed holds, by axis of a contraction, whether its loop may be narrowed, and whether its
// back-end then reads nothing outside the remaining states.
type narrowed struct{ may, exact []bool }

// minNarrow is the least number of products of a contraction that is worth narrowing. Smaller
// contractions are a few unrolled tiles and little else.
const minNarrow = 512

// varSet is a small set of variables.
type varSet []model.VarID

func (s varSet) has(v model.VarID) bool { return slices.Contains(s, v) }

func (s *varSet) add(v model.VarID) {
	if !s.has(v) {
		*s = append(*s, v)
	}
}

// Ints returns the number of integers that r adds after the program's.
func (r *Ranges) Ints() int { return 2 * len(r.Vars()) }

// Vars returns the variables with a narrowed loop.
func (r *Ranges) Vars() []model.VarID {
	if r == nil {
		return nil
	}
	return r.vars
}

// Place returns the place of the first remaining state of v, counted from the end of the program's
// integers. The next integer is the end of the remaining states. Place is -1 if no loop over v is
// narrowed.
func (r *Ranges) Place(v model.VarID) int {
	if r == nil || int(v) >= len(r.place) || r.place[v] < 0 {
		return -1
	}
	return r.place[v]
}

// Narrowed reports, by axis, which loops of c may be narrowed. It is nil if none may.
func (r *Ranges) Narrowed(c *Contract) []bool {
	if r == nil || r.narrow[c] == nil {
		return nil
	}
	return r.narrow[c].may
}

// Exact reports, by axis, which loops of c its back-end narrows exactly. It is nil if no loop of c
// may be narrowed.
func (r *Ranges) Exact(c *Contract) []bool {
	if r == nil || r.narrow[c] == nil {
		return nil
	}
	return r.narrow[c].exact
}

// Blocks returns the slowest axes of the result of c, slowest first, that are narrowed exactly and
// that no step reads outside the remaining states, and the number of elements for one state of
// each. The contiguous blocks that matter are the blocks of the remaining states. A result with
// padding is one block, from its first element to its last.
func (r *Ranges) Blocks(c *Contract) (loops []int, size int) {
	var axes []int
	size = 1
	for i, a := range c.Axes {
		if a.Kind == AxisOut {
			axes, size = append(axes, i), size+(a.Size-1)*c.Out.Stride[i]
		}
	}
	slices.SortFunc(axes, func(i, j int) int { return cmp.Compare(c.Out.Stride[j], c.Out.Stride[i]) })
	exact := r.Exact(c)
	for _, i := range axes {
		step := c.Out.Stride[i]
		if exact == nil || !exact[i] || r.SeenWhole(c.Out.Span, c.Axes[i].Var) || step*c.Axes[i].Size != size {
			break
		}
		loops, size = append(loops, i), step
	}
	return loops, size
}

// Maker returns the contraction that writes a table, or nil if there is none.
func (r *Ranges) Maker(id SpanID) *Contract {
	if r == nil {
		return nil
	}
	return r.made[id]
}

// SeenWhole reports whether some step reads elements of a span outside the remaining states of v,
// so that these must be zero if a narrowed loop skips them.
func (r *Ranges) SeenWhole(id SpanID, v model.VarID) bool { return r.all[id] || r.whole[id].has(v) }

// Input returns the span of the likelihood of v, one of [Ranges.Vars].
func (r *Ranges) Input(v model.VarID) SpanID { return r.input[v] }
