package gibbs

import (
	"slices"

	"github.com/pgmc-go/pgmc/compiler/method/internal/gauss"
	"github.com/pgmc-go/pgmc/compiler/method/internal/hybrid"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/model"
)

// draw returns the block that draws all real variables, parents first, and adds the means of their
// conditional distributions to the statistics.
func (h *mixed) draw() ir.OpBlock {
	s := &values{mixed: h, Code: gauss.NewCode(), now: map[model.VarID]circuit.Node{}}
	s.noise = h.parts("noise", ir.RoleTemp, 0)
	s.counts = map[model.VarID]counts{}
	next := h.parts("new values", ir.RoleTemp, 0)
	var to []ir.MapPart
	write := func(part ir.MapPart, n circuit.Node) {
		s.Write(ir.MapPart{Table: next, Part: len(to)}, s.Sum(n, circuit.Zero))
		to = append(to, part)
	}
	for _, v := range h.order() {
		f := h.Model.CPD(v)
		if f == nil {
			continue // given: it keeps its value
		}
		seen, mean, variance := circuit.Zero, circuit.Zero, circuit.Zero
		if function(h.Model, v) {
			mean = s.at(-1, circuit.Zero)(v)
		} else {
			var x, observed circuit.Node
			seen, observed = h.evidence(s.Code, v)
			x, mean, variance = s.drawn(v, f)
			s.now[v] = gauss.Or(s.Circuit, seen, observed, x)
			write(ir.MapPart{Table: h.values, Part: h.part[v]}, s.now[v])
		}
		hidden, scale := s.Sub(circuit.One, seen), s.Const(1/h.scale[v])
		unit := s.Prod(scale, s.Sub(mean, s.Const(h.centre[v])))
		square := s.Sum(s.Prod(unit, unit), s.Prod(s.Prod(scale, scale), variance))
		for i, add := range []circuit.Node{unit, square} {
			batch := ir.MapPart{Table: h.chain.Stats[v].Batch, Part: i}
			write(batch, s.Sum(s.Read(gauss.Part(batch.Table, i)), s.Prod(hidden, add)))
		}
		if n, ok := s.counts[v]; ok {
			at := 1 + 2*slices.Index(h.stepped, v)
			for i, x := range []circuit.Node{n.made, n.refused} {
				count := gauss.Part(h.steps, at+i)
				write(count.MapPart, s.Sum(s.Read(count), s.Prod(hidden, x)))
			}
		}
	}
	if len(h.stepped) > 0 {
		sweeps := gauss.Part(h.steps, 0)
		write(sweeps.MapPart, s.Sum(s.Read(sweeps), circuit.One))
	}
	h.Schedule.Tables[s.noise].Parts = max(1, s.noises)
	h.Schedule.Tables[next].Parts = max(1, len(to))
	block := ir.OpBlock{Name: "draw reals", Fixed: h.discrete}
	if len(to) > 0 {
		block.Ops = []ir.Op{&ir.NoiseOp{Out: s.noise}, s.MapOp(), assign(next, to)}
	}
	return block
}

// values writes the code that draws one real variable after the other.
type values struct {
	*mixed
	*gauss.Code
	now    map[model.VarID]circuit.Node // values drawn so far
	counts map[model.VarID]counts
	noise  ir.TableID
	noises int
}

// counts is 1 if a variable made Metropolis steps, and else 0, and how many were refused.
type counts struct{ made, refused circuit.Node }

// z returns one more draw from the standard normal distribution.
func (s *values) z() circuit.Node {
	s.noises++
	return s.Read(gauss.Part(s.noise, s.noises-1))
}

// at returns the present values of real variables, but x for v.
func (s *values) at(v model.VarID, x circuit.Node) hybrid.Value {
	return s.substituted(s.Code, func(u model.VarID) circuit.Node {
		if u == v {
			return x
		}
		if y, ok := s.now[u]; ok {
			return y
		}
		return s.Read(gauss.Part(s.values, s.part[u]))
	})
}

// slope returns the derivative by v of the mean of g, with parents that may be functions of v.
func (s *values) slope(g *model.Factor, v model.VarID) circuit.Node {
	sum, r := circuit.Zero, s.net.Regression(s.Code, g)
	for i, u := range r.On {
		if u == v {
			sum = s.Sum(sum, r.Coef[i])
		} else if function(s.Model, u) {
			sum = s.Sum(sum, s.Prod(r.Coef[i], s.slope(s.Model.CPD(u), v)))
		}
	}
	return sum
}

// drawn returns a draw of v given all other variables. The statistics take mean and variance: the
// conditional distribution's if it is normal, and else the draw.
func (s *values) drawn(v model.VarID, f *model.Factor) (x, mean, variance circuit.Node) {
	p, rest := s.proposal(v, f), s.rest(v)
	if rest == nil {
		return s.Sum(p.mean, s.Prod(p.deviation, s.z())), p.mean, s.Quot(circuit.One, p.precision)
	}
	x = s.at(-1, circuit.Zero)(v)
	log := func(x circuit.Node) circuit.Node {
		sum := circuit.Zero
		for _, g := range rest {
			sum = s.Sum(sum, s.net.Log(s.Code, g, s.at(v, x)))
		}
		return sum
	}
	x, refused := s.metropolis(p, x, log)
	made := circuit.One
	if bounded(rest) {
		var drawn circuit.Node
		drawn, made = s.reject(p, log)
		x, refused = gauss.Or(s.Circuit, made, x, drawn), s.Prod(made, refused)
	}
	s.counts[v] = counts{made, refused}
	return x, x, circuit.Zero
}

// bounded reports whether factors are at most 1: they are softmax CPDs.
func bounded(list []*model.Factor) bool {
	return !slices.ContainsFunc(list, func(f *model.Factor) bool { _, ok := f.Dist.(*model.Softmax); return !ok })
}

// rejectionTries is the number of draws from a proposal that reject makes. Each costs as much as a
// Metropolis step, and of those draws that a softmax CPD accepts with probability 1/2 all are
// refused once in 16 times.
const rejectionTries = 4

// reject draws from the product of p and exp(log), which is at most 1: a draw from p is accepted
// with probability exp(log). failed is 1 if all tries are refused, which does not depend on the
// present value, so that any steps that leave the product invariant may take their place.
func (s *values) reject(p proposal, log func(circuit.Node) circuit.Node) (x, failed circuit.Node) {
	x, failed = circuit.Zero, circuit.One
	for range rejectionTries {
		to := s.Sum(p.mean, s.Prod(p.deviation, s.z()))
		is := s.Prod(failed, s.accept(log(to)))
		x, failed = s.Sum(x, s.Prod(is, to)), s.Sub(failed, is)
	}
	return x, failed
}

// proposal is the normal distribution of a variable given its parents and its Gaussian children.
type proposal struct{ mean, precision, deviation circuit.Node }

// proposal returns the product of the CPD of v and the CPDs of its children that are Gaussian,
// where the children of a function of v are children of v. A child's value enters as its difference
// from what the parents' mean predicts.
func (s *values) proposal(v model.VarID, f *model.Factor) proposal {
	own := s.net.Normal(s.Code, f, s.at(-1, circuit.Zero))
	p := proposal{own.Mean, own.Precision, own.Deviation}
	pull := circuit.Zero
	for _, g := range s.Model.Factors {
		if g == f || g.Gaussian() == nil || !s.depends(g, v) || function(s.Model, g.ChildVar()) {
			continue
		}
		d := s.net.Normal(s.Code, g, s.at(v, own.Mean))
		slope := s.slope(g, v)
		by := s.Prod(slope, d.Precision)
		pull = s.Sum(pull, s.Prod(by, s.Sub(s.at(-1, circuit.Zero)(g.ChildVar()), d.Mean)))
		p.precision = s.Sum(p.precision, s.Prod(by, slope))
	}
	if p.precision != own.Precision {
		p.mean = s.Sum(own.Mean, s.Quot(pull, p.precision))
		p.deviation = s.Quot(circuit.One, s.Sqrt(p.precision))
	}
	return p
}

// walkRange is the factor of an absolute normal draw in the exponent of a random walk's step: half
// of the steps are below an eighth of the proposal's standard deviation, and a tenth below 1/140.
const walkRange = 3

// metropolisSteps is the number of steps that metropolis makes.
const metropolisSteps = 2

// metropolis changes x by two steps that leave the product of p and exp(log) invariant. The first
// draws from p, for any x. The second is a random walk with a step that is drawn too, so that some
// steps are small enough for a narrow density and no step needs to be tuned. refused is how many of
// the two were refused.
func (s *values) metropolis(p proposal, x circuit.Node, log func(circuit.Node) circuit.Node) (next, refused circuit.Node) {
	now := log(x)
	to := s.Sum(p.mean, s.Prod(p.deviation, s.z()))
	then := log(to)
	accept := s.accept(s.Sub(then, now))
	x, now = gauss.Or(s.Circuit, accept, to, x), gauss.Or(s.Circuit, accept, then, now)
	size := s.z()
	size = s.Exp(s.Prod(s.Const(-walkRange), s.Max(size, s.Neg(size))))
	to = s.Sum(x, s.Prod(s.Prod(p.deviation, size), s.z()))
	from, at := s.Sub(x, p.mean), s.Sub(to, p.mean)
	ratio := s.Prod(s.Prod(s.Const(.5), p.precision), s.Sub(s.Prod(from, from), s.Prod(at, at)))
	walk := s.accept(s.Sum(ratio, s.Sub(log(to), now)))
	return gauss.Or(s.Circuit, walk, to, x), s.Sub(s.Const(metropolisSteps), s.Sum(accept, walk))
}

// accept returns 1 with probability min(1, exp(log)), and else 0. Half the sum of two squares of
// standard normal numbers is exponentially distributed, as -ln of a uniform number is.
func (s *values) accept(log circuit.Node) circuit.Node {
	a, b := s.z(), s.z()
	return gauss.Positive(s.Circuit, s.Sum(log, s.Prod(s.Const(.5), s.Sum(s.Prod(a, a), s.Prod(b, b)))))
}
