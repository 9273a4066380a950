package pass

import (
	"slices"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/vector"
)

// LayProducts is the default number of products of a program from which ProgramLay changes it. In
// smaller ones, scalars are as fast.
const LayProducts = 1000

// Limits of ProgramLay: the products of a program, so that the search takes less than a second, the
// instructions of an entry up to which code for vectors is straight, and the sweeps of the search.
const (
	layProducts     = 128_000
	layInstructions = vector.MaxStraight
	laySweeps       = 3
)

// stepsOften is how often the products of a step of a filter count, which runs again and again.
const stepsOften = 15

// stepProducts returns the products of a step of a filter that computes only the belief.
func stepProducts(p *ir.Program) (n int) {
	e := p.Entry(ir.FilterBelief)
	if e == nil {
		return 0
	}
	for _, b := range e.Blocks {
		for _, s := range p.Blocks[b].Steps {
			n += s.Products()
		}
	}
	return n
}

// ProgramLay chooses how temporaries lie in memory so that contractions take few instructions on
// vectors of four numbers: which axis is the fastest, and whether it is padded. It lays spans out
// one after the other, and counts the instructions of the contractions that read or set them, until
// no other layout is better. It does not change programs that have fewer products than least. Those
// that are too large for straight code it lays out for loops around tiles, without padding.
func ProgramLay(p *ir.Program, least int) {
	l := newLaying(p)
	switch {
	case l != nil && l.products+stepsOften*stepProducts(p) < least:
		return
	case l == nil || l.products > layProducts:
		layTiles(p, least)
		return
	}
	p.Align = vector.Lanes
	for range laySweeps {
		if !l.sweep() {
			break
		}
	}
	if l.most() > layInstructions {
		for id := range l.of {
			if l.of[id] != nil {
				l.set(ir.SpanID(id), l.of[id].first)
			}
		}
		p.Align = 0
		layTiles(p, least)
	}
}

// laying is the state of ProgramLay.
type laying struct {
	p      *ir.Program
	of     []*laid        // by span; nil if its layout is fixed
	fixed  []bool         // by span: a step refers to it by other than views
	steps  []*ir.Contract // those that become vectors
	viewed []viewed       // other steps

	products int // of steps
}

// viewed is a step with views that does not become vectors.
type viewed struct {
	axes  []ir.Axis
	views []*ir.View
}

// laid is a span that may be laid out anew.
type laid struct {
	vars  []model.VarID // slowest first
	sizes []int
	steps []int // the contractions that read or set it
	first arrangement
	now   arrangement
}

// arrangement is a layout: the places of laid.vars from slowest to fastest, and the size to which
// the fastest is padded.
type arrangement struct {
	order []int
	fast  int
}

// newLaying returns nil if no block of p becomes vectors: one of only contractions, apart from the
// normalisation of answers.
func newLaying(p *ir.Program) *laying {
	l := &laying{p: p, of: make([]*laid, len(p.Spans)), fixed: make([]bool, len(p.Spans))}
	for i := range p.Blocks {
		if parts, answers, ok := vector.Parts(p, &p.Blocks[i]); ok {
			l.block(parts, answers)
		} else {
			l.others(&p.Blocks[i])
		}
	}
	if l.steps == nil {
		return nil
	}
	for id, fixed := range l.fixed {
		if fixed {
			l.of[id] = nil
		}
	}
	return l
}

// block notes the spans of a block of contractions.
func (l *laying) block(parts []ir.Step, answers []ir.SpanID) {
	for _, s := range parts {
		c, ok := s.(*ir.Contract)
		if !ok {
			continue // a single number has no axes
		}
		l.products += c.Entries()
		i := len(l.steps)
		l.steps = append(l.steps, c)
		for _, v := range c.Views() {
			l.note(i, c.Axes, v)
		}
	}
	for _, id := range answers {
		l.fixed[id] = true
	}
}

// others notes the spans of a block that does not become vectors. Those that a step refers to by
// other than views keep their layout.
func (l *laying) others(b *ir.Block) {
	for _, step := range b.Steps {
		if v, ok := step.(ir.Viewer); ok {
			axes, views := v.Looks()
			l.viewed = append(l.viewed, viewed{axes, views})
			continue
		}
		step.Refs(func(id *ir.SpanID, _ ir.Use) { l.fixed[*id] = true })
	}
}

// note records that contraction i reads or sets a span.
func (l *laying) note(i int, axes []ir.Axis, v *ir.View) {
	s := &l.p.Spans[v.Span]
	if s.Role != ir.RoleTemp || s.Len < 2 {
		return
	}
	x := l.of[v.Span]
	if x == nil {
		x = newLaid(axes, v)
		l.of[v.Span] = x
	}
	if !slices.Contains(x.steps, i) {
		x.steps = append(x.steps, i)
	}
}

func newLaid(all []ir.Axis, v *ir.View) *laid {
	x := &laid{}
	axes := []int{}
	for i, a := range all {
		if v.Stride[i] != 0 && a.Size > 1 {
			axes = append(axes, i)
		}
	}
	slices.SortFunc(axes, func(a, b int) int { return v.Stride[b] - v.Stride[a] })
	for k, i := range axes {
		x.vars = append(x.vars, all[i].Var)
		x.sizes = append(x.sizes, all[i].Size)
		x.first.order = append(x.first.order, k)
	}
	x.first.fast = x.sizes[len(x.sizes)-1]
	x.now = x.first
	return x
}

// most returns the largest number of instructions that an entry takes.
func (l *laying) most() (most float64) {
	blocks := make([]float64, len(l.p.Blocks))
	for i := range l.p.Blocks {
		if parts, _, ok := vector.Parts(l.p, &l.p.Blocks[i]); ok {
			for _, s := range parts {
				if c, ok := s.(*ir.Contract); ok {
					blocks[i] += vector.CostOf(l.p, c)
				}
			}
		}
	}
	for _, e := range l.p.Entries {
		n := 0.0
		for _, b := range e.Blocks {
			n += blocks[b]
		}
		most = max(most, n)
	}
	return most
}

// sweep tries other layouts of each span, and reports whether it kept any.
func (l *laying) sweep() (better bool) {
	for id := range l.of {
		x := l.of[id]
		if x == nil {
			continue
		}
		best, least := x.now, l.costOf(x)
		for _, a := range x.arrangements() {
			l.set(ir.SpanID(id), a)
			if n := l.costOf(x); n < least {
				best, least, better = a, n, true
			}
		}
		l.set(ir.SpanID(id), best)
	}
	return better
}

// costOf returns about the instructions of the contractions that read or set a span.
func (l *laying) costOf(x *laid) (n float64) {
	for _, i := range x.steps {
		n += vector.Estimate(l.p, l.steps[i])
	}
	return n
}

// arrangements returns the layouts to try: each axis as the fastest one, padded or not, and if it
// is shorter than a vector each other axis as the second.
func (x *laid) arrangements() (list []arrangement) {
	n := len(x.vars)
	for fast, size := range x.sizes {
		rest := slices.Delete(slices.Clone(x.first.order), fast, fast+1)
		orders := [][]int{append(slices.Clone(rest), fast)}
		if size < vector.Lanes && n > 2 {
			for i := range n - 2 {
				second := rest[i]
				o := slices.Delete(slices.Clone(rest), i, i+1)
				orders = append(orders, append(o, second, fast))
			}
		}
		for _, o := range orders {
			list = append(list, arrangement{o, size})
		}
		for q := 2; q <= vector.Lanes; q *= 2 {
			if padded := (size + q - 1) / q * q; padded > size && (q == vector.Lanes || padded%vector.Lanes != 0) {
				list = append(list, arrangement{orders[0], padded})
			}
		}
	}
	return list
}

// set gives a span a layout: its length, and its strides in all contractions.
func (l *laying) set(id ir.SpanID, a arrangement) {
	x := l.of[id]
	x.now = a
	stride := map[model.VarID]int{}
	step := 1
	for i, k := range slices.Backward(a.order) {
		stride[x.vars[k]] = step
		if i == len(a.order)-1 {
			step *= a.fast
		} else {
			step *= x.sizes[k]
		}
	}
	l.p.Spans[id].Len = step
	for _, i := range x.steps {
		lay(l.steps[i].Axes, l.steps[i].Views(), id, stride)
	}
	for _, o := range l.viewed {
		lay(o.axes, o.views, id, stride)
	}
}

// lay sets the strides of the views of the given span.
func lay(axes []ir.Axis, views []*ir.View, id ir.SpanID, stride map[model.VarID]int) {
	for _, v := range views {
		if v.Span != id {
			continue
		}
		for i, a := range axes {
			v.Stride[i] = 0
			if a.Size > 1 {
				v.Stride[i] = stride[a.Var]
			}
		}
	}
}
