// Package interval computes proven bounds for package infer: it runs programs in interval
// arithmetic, and makes the model that evidence leaves, of which a search bounds the sum.
package interval

import (
	"context"
	"math"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Evidence is what is known, by variable.
type Evidence struct {
	State []int       // the observed state, or a negative number
	Value []float64   // the observed value, or NaN
	Soft  [][]float64 // the likelihood of each state; nil without one
}

// Answer holds enclosures of the numbers of an exact answer.
type Answer struct {
	Root ir.Enclosure // P(evidence), up to a power of two
	LogP ir.Enclosure
	Of   map[model.VarID][]ir.Enclosure
}

// Off returns bounds of the errors of p, the posterior of v.
func (x *Answer) Off(v model.VarID, p []float64) []float64 {
	out := make([]float64, len(p))
	for i := range p {
		out[i] = x.Of[v][i].Off(p[i])
	}
	return out
}

// Enclose runs an entry of p, a program of m, in interval arithmetic. The error is an
// ir.NotEnclosed if a step cannot be enclosed.
func Enclose(ctx context.Context, m *model.Model, p *ir.Program, entry *ir.Entry, given Evidence) (*Answer, error) {
	entered, power := map[model.VarID]bool{}, 0
	input := func(s *ir.Span) []ir.Enclosure {
		if m.IsReal(s.Var) {
			return valueOf(given.Value[s.Var])
		}
		l, k := likelihoodOf(m, s.Var, given)
		if !entered[s.Var] {
			entered[s.Var] = true
			power += k
		}
		return l
	}
	run, err := ir.Enclose(p, entry.Blocks, input, entry.Answers(), func() bool { return ctx.Err() == nil })
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	x := &Answer{Root: run.Span(entry.Root)[0], Of: map[model.VarID][]ir.Enclosure{}}
	if entry.Exp != ir.NoSpan {
		power += int(run.Ints(entry.Exp)[0])
	}
	scale := ir.Ln2.Mul(ir.Exactly(math.Abs(float64(power))))
	if power < 0 {
		scale = scale.Neg()
	}
	x.LogP = x.Root.Log().Add(scale)
	for _, id := range entry.Logs {
		x.LogP = x.LogP.Add(run.Span(id)[0])
	}
	x.LogP = x.LogP.Add(densities(given))
	for _, id := range entry.Outs {
		x.Of[p.Spans[id].Var] = run.Span(id)
	}
	return x, nil
}

// valueOf returns the evidence on a real variable: whether it is observed, and its value.
func valueOf(x float64) []ir.Enclosure {
	if math.IsNaN(x) {
		return make([]ir.Enclosure, model.RealWidth)
	}
	return []ir.Enclosure{ir.Exactly(1), ir.Exactly(x)}
}

// densities encloses what programs leave out of ln P of observed values: each density has the term
// -½ ln 2π, in place of which they hold the nearest float64.
func densities(given Evidence) ir.Enclosure {
	n := 0.0
	for _, x := range given.Value {
		if !math.IsNaN(x) {
			n++
		}
	}
	return ir.Enclosure{Lo: -n * 0x1p-53, Hi: n * 0x1p-53}
}

// likelihoodOf returns the likelihood of v divided by a power of two, and the power.
func likelihoodOf(m *model.Model, v model.VarID, given Evidence) (l []ir.Enclosure, power int) {
	soft := given.Soft[v]
	top := 0.0
	for _, x := range soft {
		top = max(top, x)
	}
	if top > 0 {
		power = math.Ilogb(top)
	}
	l = make([]ir.Enclosure, m.Card(v))
	for i := range l {
		l[i] = ir.Exactly(1)
		switch {
		case given.State[v] >= 0 && given.State[v] != i:
			l[i] = ir.Exactly(0)
		case top > 0:
			l[i] = ir.Exactly(soft[i]).Power(-power)
		}
	}
	return l, power
}
