package importance

import (
	"slices"

	"github.com/pgmc-go/pgmc/compiler/method/internal/gauss"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/model"
)

// The sums of a real variable, relative to its value in the first sample and in units of its prior,
// so that little cancels if the posterior is narrow and far from the prior: of weights times the
// value and its square, and of squared weights times both. With means in place of values there is
// one more: of weights times variances.
const (
	sumFirst = iota
	sumSecond
	sumSquareFirst
	sumSquareSecond
	sums
	sumWithin = sums
)

// lowest stands for the logarithm of the largest weight before there is one.
const lowest = -1e306

// weigh returns the operations that add a sample to the sums, and those that turn the sums into
// answers.
func (h *mixed) weigh(reals []model.VarID) (add, end []ir.Op) {
	n := h.Run()
	width := h.width()
	table := h.kept("sums of values", width*len(reals))
	h.first = h.kept("values of the first sample", len(reals))
	clear, count, end := h.weighStates()
	zero := gauss.NewCode()
	for i := range width * len(reals) {
		zero.Write(ir.MapPart{Table: table, Part: i}, circuit.Zero)
	}
	for i := range reals {
		zero.Write(ir.MapPart{Table: h.first, Part: i}, circuit.Zero)
	}
	prefer := h.prefer(zero)
	h.Begin = []ir.Op{clear, zero.MapOp()}
	before := h.Temp("largest weight before")
	c := gauss.NewCode()
	old := c.Max(c.Read(gauss.Part(before, 0)), c.Const(lowest))
	best := c.Max(c.Read(gauss.Part(n.Best, 0)), c.Const(lowest))
	factor := c.Exp(c.Sub(old, best))
	weight := c.Read(gauss.Part(n.Weight, 0))
	w := c.Prod(c.Exp(c.Min(c.Sub(weight, best), circuit.Zero)), gauss.Positive(c.Circuit, c.Sub(weight, c.Const(ir.LogZero/2))))
	started := gauss.Positive(c.Circuit, c.Sub(old, c.Const(lowest)))
	next := h.Add(ir.Table{Name: "new sums", Role: ir.RoleTemp, Var: -1, Parts: (width + 1) * len(reals)})
	keep := gauss.NewCode()
	for i, v := range reals {
		value := c.Read(gauss.Part(h.Values, h.Part[v]))
		first := gauss.Or(c.Circuit, started, c.Read(gauss.Part(h.first, i)), value)
		c.Write(ir.MapPart{Table: next, Part: width*len(reals) + i}, first)
		keep.Write(ir.MapPart{Table: h.first, Part: i}, keep.Read(gauss.Part(next, width*len(reals)+i)))
		x := c.Prod(c.Const(1/h.scale[v]), c.Sub(value, first))
		xx := c.Prod(x, x)
		terms := []circuit.Node{sumFirst: x, sumSecond: xx, sumSquareFirst: x, sumSquareSecond: xx}
		if h.spreads != ir.NoTable {
			terms = append(terms, c.Prod(c.Const(1/(h.scale[v]*h.scale[v])), c.Read(gauss.Part(h.spreads, h.Part[v]))))
		}
		for k, term := range terms {
			f, by := factor, w
			if k == sumSquareFirst || k == sumSquareSecond {
				f, by = c.Prod(f, f), c.Prod(by, by)
			}
			at := width*i + k
			c.Write(ir.MapPart{Table: next, Part: at}, c.Sum(c.Prod(f, c.Read(gauss.Part(table, at))), c.Prod(by, term)))
			keep.Write(ir.MapPart{Table: table, Part: at}, keep.Read(gauss.Part(next, at)))
		}
	}
	add = append(prefer, h.Assign(n.Weight, h.Log), h.Assign(before, n.Best), count, c.MapOp(), keep.MapOp())
	return add, append(end, h.answers(reals, table)...)
}

// prefer returns the operations by which samples count only if they have the most certain values. A
// value that is certain given those before has a probability; another one has a density, which is a
// probability of 0. The first sample with more certain values ends the earlier ones: no weight is
// then the largest so far, so that all sums are multiplied by 0.
func (h *mixed) prefer(begin *gauss.Code) []ir.Op {
	if !h.Both {
		return nil
	}
	most := h.Kept("most certain values")
	begin.Write(ir.MapPart{Table: most}, circuit.Zero)
	n := h.Run()
	c := gauss.NewCode()
	log := c.Read(gauss.Part(h.Log, 0))
	possible := gauss.Positive(c.Circuit, c.Sub(log, c.Const(ir.LogZero/2)))
	points := c.Prod(possible, c.Sum(c.Read(gauss.Part(h.Points, 0)), circuit.One))
	old := c.Read(gauss.Part(most, 0))
	less := gauss.Positive(c.Circuit, c.Sub(old, points))
	more := gauss.Positive(c.Circuit, c.Sub(points, old))
	next := h.Add(ir.Table{Name: "preferred", Role: ir.RoleTemp, Var: -1, Parts: 3})
	c.Write(ir.MapPart{Table: next}, gauss.Or(c.Circuit, less, c.Const(ir.LogZero), log))
	c.Write(ir.MapPart{Table: next, Part: 1}, c.Max(old, points))
	c.Write(ir.MapPart{Table: next, Part: 2}, gauss.Or(c.Circuit, more, c.Const(lowest), c.Max(c.Read(gauss.Part(n.Best, 0)), c.Const(lowest))))
	keep := gauss.NewCode()
	for i, t := range []ir.TableID{h.Log, most, n.Best} {
		keep.Write(ir.MapPart{Table: t}, keep.Read(gauss.Part(next, i)))
	}
	return []ir.Op{c.MapOp(), keep.MapOp()}
}

// width returns the number of sums of a real variable.
func (h *mixed) width() int {
	if h.spreads != ir.NoTable {
		return sumWithin + 1
	}
	return sums
}

// weighStates is Weigh for the discrete variables.
func (h *mixed) weighStates() (clear, add ir.Op, end []ir.Op) {
	outs := h.Outs
	h.Outs = slices.Clone(outs)
	for _, v := range h.Model.Reals() {
		h.Outs[v] = ir.NoTable
	}
	clear, add, end = h.Weigh()
	h.Outs = outs
	return clear, add, end
}

// answers returns the operations that set the answers of real variables, and raise the error to the
// largest standard error of a mean, in units of the prior.
func (h *mixed) answers(reals []model.VarID, table ir.TableID) (ops []ir.Op) {
	n := h.Run()
	c := gauss.NewCode()
	total, square := c.Read(gauss.Part(n.Total, 0)), c.Read(gauss.Part(n.Square, 0))
	worst := c.Read(gauss.Part(n.Error, 0))
	for i, v := range reals {
		sum := func(k int) circuit.Node { return c.Read(gauss.Part(table, h.width()*i+k)) }
		mean := c.Quot(sum(sumFirst), total)
		mm := c.Prod(mean, mean)
		variance := c.Max(c.Sub(c.Quot(sum(sumSecond), total), mm), circuit.Zero)
		if h.spreads != ir.NoTable {
			variance = c.Sum(variance, c.Quot(sum(sumWithin), total))
		}
		spread := c.Sum(c.Sub(sum(sumSquareSecond), c.Prod(c.Const(2), c.Prod(mean, sum(sumSquareFirst)))), c.Prod(mm, square))
		hidden, observed := circuit.One, circuit.Zero
		if h.Lambda[v] != ir.NoTable {
			hidden = c.Sub(circuit.One, c.Read(gauss.Part(h.Lambda[v], 0)))
			observed = c.Read(gauss.Part(h.Lambda[v], 1))
		}
		worst = c.Max(worst, c.Prod(hidden, c.Quot(c.Sqrt(c.Max(spread, circuit.Zero)), total)))
		if h.Outs[v] == ir.NoTable {
			continue
		}
		s := h.scale[v]
		c.Write(ir.MapPart{Table: h.Outs[v], Part: 0}, c.Sum(observed, c.Prod(hidden, c.Sum(c.Read(gauss.Part(h.first, i)), c.Prod(c.Const(s), mean)))))
		c.Write(ir.MapPart{Table: h.Outs[v], Part: 1}, c.Prod(hidden, c.Prod(c.Const(s*s), variance)))
	}
	t := h.Temp("largest standard error")
	c.Write(ir.MapPart{Table: t}, worst)
	return []ir.Op{c.MapOp(), h.Assign(n.Error, t)}
}
