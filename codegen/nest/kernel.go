package nest

import (
	"fmt"
	"strings"

	"github.com/pgmc-go/pgmc/codegen/backend"
	"github.com/pgmc-go/pgmc/ir"
)

// Sizes of the tile: accumulators fit the 16 vector registers of amd64 with room for operands; the products of a tile are
// as many as paid when measured.
const (
	maxAccumulators = 12
	maxTile         = 64
	maxStraight     = 32 // products up to which a contraction is written without loops
)

// kernel writes one contraction as
//
//	for each axis of outs {            product of what depends on these only
//		for each block of d {
//			accumulators, one an element of the block
//			for each axis of reds {    product of what depends on these, but not on d or x
//				for each block of x {
//					accumulators += sum over the block of x of the products
//			}}
//			result = accumulators times what does not depend on reds or x
//	}}
//
// where d is an axis of the result and x a reduced axis.
type kernel struct {
	*shape
	w        *writer
	outs     []int // axes of the result but d
	reds     []int // reduced axes but x
	d, x     int   // -1 where there is none
	place    []place
	index    []bound // by axis; unbound outside of its loop
	straight bool    // loops are written out
	fresh    int     // numbers names
}

// bound says that an axis stands at name*step + base; no name is a constant.
type bound struct {
	name       string
	step, base int
}

// place is where an operand is multiplied.
type place struct {
	d, x       bool // depends on them
	out, red   int  // the number of loops of outs, of reds, that must be entered before it stands still
	underwater bool // depends on a reduced axis
}

func (w *writer) contract(c *ir.Contract) {
	k := &kernel{shape: shapeOf(c), w: w, d: -1, x: -1}
	k.index = make([]bound, len(k.axes))
	k.d, k.x = k.last(false), k.last(true)
	for i, a := range k.axes {
		switch {
		case i == k.d || i == k.x:
		case a.reduced:
			k.reds = append(k.reds, i)
		default:
			k.outs = append(k.outs, i)
		}
	}
	for n := range k.in {
		k.place = append(k.place, k.placeOf(n))
	}
	k.straight = k.products() <= maxStraight
	w.line("{ %s", backend.Comment(w.p.Spans[c.Out.Span].Name))
	for i, op := range k.operands() {
		w.line("a%d := (*[%d]float64)(%s[%s:])", i, k.extent(op), w.memory(op.view.Span), w.base(op.view.Span, c.Axes, op.view.Stride))
	}
	k.outer(0, "")
	w.line("}")
}

func (k *kernel) placeOf(n int) place {
	stride := k.in[n].stride
	pl := place{d: k.d >= 0 && stride[k.d] != 0, x: k.x >= 0 && stride[k.x] != 0}
	for i, a := range k.outs {
		if stride[a] != 0 {
			pl.out = i + 1
		}
	}
	for i, a := range k.reds {
		if stride[a] != 0 {
			pl.red = i + 1
		}
	}
	pl.underwater = pl.x || pl.red > 0
	return pl
}

// where gives the operands whose place is as asked.
func (k *kernel) where(ok func(place) bool) (list []int) {
	for n, pl := range k.place {
		if ok(pl) {
			list = append(list, n)
		}
	}
	return list
}

// loop binds axis a to count steps and writes body: in a loop, or count times, or once where it takes no loop.
func (k *kernel) loop(a, count, step, base int, body func()) {
	if count == 1 || k.straight {
		for n := range count {
			k.index[a] = bound{base: base + n*step}
			k.w.line("{")
			body()
			k.w.line("}")
		}
	} else {
		name := fmt.Sprintf("i%d", a)
		k.index[a] = bound{name, step, base}
		k.w.line("for %s := 0; %s < %d; %s++ {", name, name, count, name)
		body()
		k.w.line("}")
	}
	k.index[a] = bound{}
}

// at is the index of operand n (0 is the result) with the tile's axes d and x moved by i and j from where they stand.
func (k *kernel) at(n, i, j int) string {
	op := k.operands()[n]
	terms, constant := []string{}, 0
	for a, b := range k.index {
		if b.name != "" && op.stride[a] != 0 {
			terms = append(terms, times(b.name, b.step*op.stride[a]))
		}
		constant += b.base * op.stride[a]
	}
	if k.d >= 0 {
		constant += i * op.stride[k.d]
	}
	if k.x >= 0 {
		constant += j * op.stride[k.x]
	}
	if constant != 0 || len(terms) == 0 {
		terms = append(terms, fmt.Sprint(constant))
	}
	return strings.Join(terms, "+")
}

// element is operand n of in at the tile's offsets i and j.
func (k *kernel) element(n, i, j int) string { return fmt.Sprintf("a%d[%s]", n+1, k.at(n+1, i, j)) }

// name gives a value a fresh name.
func (k *kernel) name(value string) string {
	k.fresh++
	name := fmt.Sprintf("v%d", k.fresh)
	k.w.line("%s := %s", name, value)
	return name
}

// scalars multiplies product, which may be empty, by elements that stand still, and names the result.
func (k *kernel) scalars(product string, operands []int) string {
	if len(operands) == 0 {
		return product
	}
	var factors []string
	if product != "" {
		factors = append(factors, product)
	}
	for _, n := range operands {
		factors = append(factors, k.element(n, 0, 0))
	}
	return k.name(strings.Join(factors, " * "))
}

// outer writes the loops over outs from number i on; post is the product so far of what depends on them only.
func (k *kernel) outer(i int, post string) {
	post = k.scalars(post, k.where(func(p place) bool { return !p.d && !p.underwater && p.out == i }))
	if i < len(k.outs) {
		a := k.outs[i]
		k.loop(a, k.axes[a].size, 1, 0, func() { k.outer(i+1, post) })
		return
	}
	if k.d < 0 {
		k.tile(1, post)
		return
	}
	count, block, rest := split(k.axes[k.d].size, maxAccumulators)
	k.loop(k.d, count, block, 0, func() { k.tile(block, post) })
	if rest > 0 {
		k.loop(k.d, 1, rest, count*block, func() { k.tile(rest, post) })
	}
}

// tile writes n elements of the result.
func (k *kernel) tile(n int, post string) {
	vector := len(k.where(func(p place) bool { return p.d && p.underwater })) > 0 // else all n sums are one
	sums := make([]string, 1)
	if vector {
		sums = make([]string, n)
	}
	after := k.where(func(p place) bool { return p.d && !p.underwater })
	if k.x < 0 {
		for i := range n {
			k.result(i, "", post, after)
		}
		return
	}
	for i := range sums {
		sums[i] = k.name("0.0")
	}
	k.sum(0, "", sums, nil)
	for i := range n {
		k.result(i, sums[min(i, len(sums)-1)], post, after)
	}
}

// result stores element i: sum times post times what depends on d but no reduced axis.
func (k *kernel) result(i int, sum, post string, after []int) {
	var factors []string
	for _, f := range []string{sum, post} {
		if f != "" {
			factors = append(factors, f)
		}
	}
	for _, n := range after {
		factors = append(factors, k.element(n, i, 0))
	}
	if len(factors) == 0 {
		factors = []string{"1"}
	}
	k.w.line("a0[%s] = %s", k.at(0, i, 0), strings.Join(factors, " * "))
}

// sum writes the loops over reds from number i on; pre is the product so far of what depends on them, and rows are the
// operands along x that have been loaded, each by one name an element.
func (k *kernel) sum(i int, pre string, sums []string, rows [][]string) {
	if i > 0 {
		pre = k.scalars(pre, k.where(func(p place) bool { return !p.d && !p.x && p.red == i }))
	}
	count, block, rest := split(k.axes[k.x].size, max(1, min(16, maxTile/len(sums))))
	if count == 1 {
		rows = append(rows, k.rows(block, k.where(func(p place) bool { return !p.d && p.x && p.red == i }))...)
	}
	if i < len(k.reds) {
		a := k.reds[i]
		k.loop(a, k.axes[a].size, 1, 0, func() { k.sum(i+1, pre, sums, rows) })
		return
	}
	along := k.where(func(p place) bool { return !p.d && p.x })
	body := func(n int) {
		if count > 1 {
			rows = k.rows(n, along)
		}
		k.add(n, pre, sums, rows)
	}
	k.loop(k.x, count, block, 0, func() { body(block) })
	if rest > 0 {
		k.loop(k.x, 1, rest, count*block, func() { body(rest) })
	}
}

// rows loads n elements along x of each operand.
func (k *kernel) rows(n int, operands []int) (rows [][]string) {
	for _, op := range operands {
		row := make([]string, n)
		for j := range row {
			row[j] = k.name(k.element(op, 0, j))
		}
		rows = append(rows, row)
	}
	return rows
}

// add adds the products of a tile, n along x, to sums.
func (k *kernel) add(n int, pre string, sums []string, rows [][]string) {
	row := make([]string, n) // the product of rows
	for j := range row {
		var factors []string
		for _, r := range rows {
			factors = append(factors, r[j])
		}
		row[j] = strings.Join(factors, " * ")
		if len(factors) > 1 && len(sums) > 1 {
			row[j] = k.name(row[j])
		}
	}
	full := k.where(func(p place) bool { return p.d && p.x })
	scale := k.where(func(p place) bool { return p.d && !p.x && p.red > 0 })
	for i, sum := range sums {
		terms := make([]string, n)
		for j := range terms {
			var factors []string
			for _, op := range full {
				factors = append(factors, k.element(op, i, j))
			}
			if row[j] != "" {
				factors = append(factors, row[j])
			}
			terms[j] = product(factors, k.max)
		}
		factors := []string{k.fold(terms)}
		if pre != "" {
			factors = append(factors, pre)
		}
		for _, op := range scale {
			factors = append(factors, k.element(op, i, 0))
		}
		k.accumulate(sum, factors)
	}
}

// fold reduces the terms of a tile.
func (k *kernel) fold(terms []string) string {
	if len(terms) == 1 {
		return terms[0]
	}
	if k.max {
		return "max(" + strings.Join(terms, ", ") + ")"
	}
	return "(" + strings.Join(terms, " + ") + ")"
}

func (k *kernel) accumulate(sum string, factors []string) {
	value := product(factors, k.max)
	if k.max {
		k.w.line("%s = max(%s, %s)", sum, sum, value)
		return
	}
	k.w.line("%s += %s", sum, value)
}

// product multiplies factors; where a sum is to take it, no platform may fuse the two.
func product(factors []string, bare bool) string {
	switch {
	case len(factors) == 0:
		return "1"
	case len(factors) == 1:
		return factors[0]
	case bare:
		return strings.Join(factors, " * ")
	}
	return "float64(" + strings.Join(factors, "*") + ")"
}
