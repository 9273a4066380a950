package bound

import (
	"math"

	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// mostNumbers bounds the numbers of all boxes. Their places are int32.
const mostNumbers = 1 << 30

// layout writes a tree as the runtime reads it.
type layout struct {
	*tree
	pgmrt.Buckets
	messages, shifts, maxStates int
}

func newLayout(t *tree) *layout {
	l := &layout{tree: t}
	states := 0
	for _, n := range t.Card {
		l.Buckets.Card, l.First = append(l.Buckets.Card, int32(n)), append(l.First, int32(states))
		states += n
	}
	l.First, l.Evidence = append(l.First, int32(states)), make([]float64, states)
	return l
}

// box begins box i of the tree.
func (l *layout) box(i int) {
	b := &l.boxes[i]
	l.Var, l.Parent = append(l.Var, int32(b.v)), append(l.Parent, b.parent)
	l.Axes, l.Operands = append(l.Axes, int32(len(l.Axis))), append(l.Operands, int32(len(l.From)))
	l.At, l.Shifts = append(l.At, int32(l.messages)), append(l.Shifts, int32(l.shifts))
	for _, v := range b.scope {
		l.Axis = append(l.Axis, int32(v))
	}
	size, n := int(l.sizeOf(b.scope)), l.tree.Card[b.v]
	l.messages += size / n
	l.shifts += n
	l.maxStates = max(l.maxStates, size)
}

// operand adds an operand to the last box.
func (l *layout) operand(from int, stride []int) {
	l.From, l.Steps = append(l.From, int32(from)), append(l.Steps, int32(len(l.Stride)))
	for _, x := range stride {
		l.Stride = append(l.Stride, int32(x))
	}
}

// kids adds the messages that b receives.
func (l *layout) kids(b *box) {
	for _, k := range b.kids {
		l.operand(int(k.box), k.stride)
	}
}

// finish returns the tree, without weights and shifts.
func (l *layout) finish() pgmrt.Buckets {
	l.Axes, l.Operands, l.At = append(l.Axes, int32(len(l.Axis))), append(l.Operands, int32(len(l.From))), append(l.At, int32(l.messages))
	l.Shift, l.Message, l.Work = make([]float64, l.shifts), make([]float64, l.messages), make([]float64, l.maxStates)
	return l.Buckets
}

// words returns the words by which a program describes b to the runtime: sizes, then the arrays in
// the order of the fields.
func words(b *pgmrt.Buckets) []int32 {
	var out []int32
	for _, n := range [...]int{len(b.Card), len(b.Var), len(b.Axis), len(b.From), len(b.Stride), len(b.Evidence), len(b.Shift), len(b.Message), len(b.Work)} {
		out = append(out, int32(n))
	}
	for _, part := range [...][]int32{b.Card, b.First, b.Var, b.Parent, b.Axes, b.Axis, b.Operands, b.From, b.Steps, b.Stride, b.At, b.Shifts} {
		out = append(out, part...)
	}
	return out
}

// finite returns x, or -math.MaxFloat64 in place of -Inf.
func finite(x float64) float64 { return max(x, -math.MaxFloat64) }
