package unroll

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/codegen/internal/backend"
)

// action writes the statements of an action.
func (pr *printer) action(a *action) {
	switch a.kind {
	case store:
		pr.store(a)
	case load:
		pr.load(a)
	case window:
		pr.window(a)
	case spread:
		pr.spread(a)
	case norm:
		pr.norm(a)
	case invert:
		pr.invert(a)
	case scale:
		pr.scale(a)
	case pick:
		pr.pickState(a)
	case descend:
		pr.descend(a.walk)
	case call:
		pr.call(a.step)
	case clear:
		pr.uses |= backend.State
		for i := range a.size {
			pr.line("t[%d] = 0", a.at+i)
		}
	}
}

func (pr *printer) store(a *action) {
	n := a.nodes[0]
	if at, ok := pr.home[n]; ok && at == a.at && pr.local[n] {
		return // it was stored when it was computed
	}
	pr.comment(a.span)
	pr.line("%s = %s", pr.element(a.at), pr.e.Text(n))
}

func (pr *printer) load(a *action) {
	pr.line("%s := %s", pr.name(a.results[0]), pr.element(a.at))
	pr.keep(a)
}

// window loads elements at an offset that depends on states, with one bounds check for all of them.
func (pr *printer) window(a *action) {
	pr.comment(a.span)
	w := pr.openWindow(a)
	for i, n := range a.results {
		if pr.local[n] {
			pr.line("%s := %s[%d]", pr.name(n), w, a.index[i])
		}
	}
	pr.keep(a)
}

// openWindow declares a pointer to the elements that an action reaches from its computed offset.
// The number in its name is the next local's, so that no other window has it: at least one local
// follows a window.
func (pr *printer) openWindow(a *action) string {
	pr.uses |= memory(a.mem)
	if strings.Contains(a.base, "t[") {
		pr.uses |= backend.State
	}
	w := fmt.Sprintf("w%d", len(pr.names))
	pr.line("%s := (*[%d]float64)(%s[%s:])", w, slices.Max(a.index)+1, a.mem, a.base)
	return w
}

func (pr *printer) spread(a *action) {
	pr.comment(a.span)
	pr.line("{")
	w := pr.openWindow(a)
	for i, n := range a.nodes {
		pr.line("%s[%d] = %s", w, a.index[i], pr.e.Text(n))
	}
	pr.line("}")
}

// norm writes two factors: their product with a number is the number divided by the sum. The first
// factor scales up sums so small that their reciprocal overflows. If the sum is zero, both factors
// are finite, so that zeros stay zeros. A sum below 2^-1000 times 2^200 is at least 2^-874 unless
// it is zero, so that adding 2^-1022 does not change it.
func (pr *printer) norm(a *action) {
	sum := pr.e.Text(a.nodes[0])
	lift, over := pr.result(a.results[0]), pr.result(a.results[1])
	pr.line("%s, %s := 1.0, 1/(%s)", lift, over, sum)
	pr.line("if sum := %s; sum < 0x1p-1000 { %s, %s = 0x1p200, 1/(float64(sum*0x1p200)+0x1p-1022) }", sum, lift, over)
	pr.keep(a)
}

// invert writes a reciprocal.
func (pr *printer) invert(a *action) {
	pr.comment(a.span)
	r := pr.result(a.results[0])
	pr.line("%s := 1.0", r)
	pr.line("if x := float64(%s); x != 0 { %s = 1 / x }", pr.e.Text(a.nodes[0]), r)
	pr.keep(a)
}

// scale writes the power of two that brings the largest number into [1, 2), from the number's
// exponent. The exponent is kept between -1023 and 1022, so that the power is a normal number.
// Subnormal numbers end below 1 and lose nothing.
func (pr *printer) scale(a *action) {
	f := pr.result(a.results[0])
	if f != "_" {
		pr.line("%s := 1.0", f)
	}
	pr.line("if top := "+pr.out.Std("math.Float64bits")+"(%s); top != 0 {", pr.e.Text(a.nodes[0]))
	pr.line("k := min(int32(top>>52)-1023, 1022)")
	pr.line("%s = "+pr.out.Std("math.Float64frombits")+"(uint64(1023-k) << 52)", f)
	if a.at >= 0 {
		pr.uses |= backend.State
		pr.line("t[%d] += k", a.at)
	}
	pr.line("}")
	pr.keep(a)
}

func (pr *printer) pickState(a *action) {
	row := make([]string, len(a.nodes))
	for i, n := range a.nodes {
		row[i] = pr.e.Text(n)
	}
	pr.uses |= backend.State
	pr.line("{")
	pr.line("w := [...]float64{%s}", strings.Join(row, ", "))
	pr.line("t[%d] = int32(%s)", a.at, pr.out.Choice(a.mode, "w[:]"))
	pr.line("}")
}
