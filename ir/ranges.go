package ir

import (
	"cmp"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// Ranges says which loops of a program may leave out the states of a variable that evidence rules
// out, and where back-ends find the states that are left: in state memory, behind the program's
// own integers, the first state and the one after the last. Whoever enters likelihoods sets them;
// all states is a right answer at any time. The nil Ranges has no such loops.
//
// A loop may be narrowed where what it leaves out is zero, or is multiplied by a zero before it
// reaches an answer. The likelihoods that are multiplied into a table tell, and they alone: zeros
// of the model, which may be replaced, do not count. What a narrowed loop leaves out of its
// result must be zero where some step looks at it, see [Ranges.SeenWhole], and is whatever an
// earlier query left there where none does.
type Ranges struct {
	place  []int    // by variable; -1 where no loop is narrowed
	input  []SpanID // by variable: its first likelihood
	vars   []model.VarID
	mask   []varSet // by span: it is zero beyond the states left of these variables
	narrow map[*Contract]*narrowed
	made   []*Contract // by span: the contraction that makes it
	whole  []varSet    // by span: some step looks beyond the states left of these variables
	all    []bool      // by span: some step looks at all of it
}

// narrowed says of the axes of a contraction which may be narrowed, and along which whoever runs
// it looks at nothing beyond the states left.
type narrowed struct{ may, exact []bool }

// minNarrow is the number of products from which narrowing a contraction pays: below, there are a
// few unrolled tiles and little else.
const minNarrow = 512

// varSet is a few variables.
type varSet []model.VarID

func (s varSet) has(v model.VarID) bool { return slices.Contains(s, v) }

func (s *varSet) add(v model.VarID) {
	if !s.has(v) {
		*s = append(*s, v)
	}
}

// Ints is the number of integers behind those of the program.
func (r *Ranges) Ints() int { return 2 * len(r.Vars()) }

// Vars are the variables of which some loop is narrowed.
func (r *Ranges) Vars() []model.VarID {
	if r == nil {
		return nil
	}
	return r.vars
}

// Place is where the first state left of v is, counted from the end of the program's integers,
// and the end of them one further; -1 where no loop over v is narrowed.
func (r *Ranges) Place(v model.VarID) int {
	if r == nil || int(v) >= len(r.place) || r.place[v] < 0 {
		return -1
	}
	return r.place[v]
}

// Narrowed gives, by axis, the loops of c that may be narrowed; nil where none may.
func (r *Ranges) Narrowed(c *Contract) []bool {
	if r == nil || r.narrow[c] == nil {
		return nil
	}
	return r.narrow[c].may
}

// Exact gives, by axis, the loops of c that its back-end narrows exactly; nil where none may be.
func (r *Ranges) Exact(c *Contract) []bool {
	if r == nil || r.narrow[c] == nil {
		return nil
	}
	return r.narrow[c].exact
}

// Blocks gives the slowest axes of the result of c, slowest first, that are narrowed exactly and
// beyond which no step looks, and the number of elements for one state of each: the contiguous
// blocks that matter are those of the states left.
func (r *Ranges) Blocks(c *Contract) (loops []int, size int) {
	var axes []int
	size = 1
	for i, a := range c.Axes {
		if a.Kind == AxisOut {
			axes, size = append(axes, i), size*a.Size
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

// Maker is the contraction that makes a table; nil where there is none.
func (r *Ranges) Maker(id SpanID) *Contract {
	if r == nil {
		return nil
	}
	return r.made[id]
}

// SeenWhole reports whether some step looks at elements of a span beyond the states left of v, so
// that they must be zero where a narrowed loop leaves them out.
func (r *Ranges) SeenWhole(id SpanID, v model.VarID) bool { return r.all[id] || r.whole[id].has(v) }

// Input is the likelihood of v, one of [Ranges.Vars].
func (r *Ranges) Input(v model.VarID) SpanID { return r.input[v] }
