package plain

import (
	"math"

	"github.com/pgmc-go/pgmc/ir"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// impossible is the energy from which on a state counts as impossible. Steps write +Inf.
const impossible = 1e300

func energyOf(x float64) float64 {
	if x >= impossible {
		return math.Inf(1)
	}
	return x
}

func (m *Memory) minSum(s *ir.MinSum) {
	n := 1
	if s.To >= 0 {
		n = s.Axes[s.To].Size
	}
	out := m.Numbers[s.Out][:n]
	for i := range out {
		out[i] = math.Inf(1)
	}
	for _, at := range m.joint(s.Axes) {
		row, x := 0, 0.0
		for i, a := range s.Axes {
			row = row*a.Size + at[i]
			if s.In[i] != ir.NoSpan {
				x += m.Numbers[s.In[i]][at[i]]
			}
		}
		to := 0
		if s.To >= 0 {
			to = at[s.To]
		}
		if s.Form != ir.FormTable {
			row = s.Axes[0].Size - 1 + at[0] - at[1]
		}
		out[to] = math.Min(out[to], energyOf(x+m.Numbers[s.Table][row]))
	}
}

// relative returns exp of the least energy less each energy, or nil if all are impossible.
func relative(energies []float64) []float64 {
	low := least(energies)
	if low >= impossible {
		return nil
	}
	out := make([]float64, len(energies))
	for i, x := range energies {
		out[i] = math.Exp(low - x)
	}
	return out
}

func (m *Memory) sendMessages(s *ir.SendMessages) {
	total := append([]float64(nil), m.Numbers[s.Base]...)
	for _, id := range s.In {
		for i := range total {
			total[i] += m.Numbers[id][i]
		}
	}
	if s.Residual != ir.NoSpan && s.Rate == ir.NoSpan {
		now, before := relative(total), relative(m.Numbers[s.Belief])
		for i := range total {
			if now != nil && before != nil {
				*m.number(s.Residual) = math.Max(*m.number(s.Residual), math.Abs(now[i]-before[i]))
			}
		}
	}
	copy(m.Numbers[s.Belief], total)
	if least(total) >= impossible {
		*m.number(s.Alive) = 0
	}
	if s.Bound != ir.NoSpan && s.Share[0] > 0 {
		*m.number(s.Bound) += least(total) * float64(s.Share[0]) / float64(s.Share[1])
	}
	for k, id := range s.Out {
		m.send(s, m.Numbers[id], m.outgoing(total, m.Numbers[s.In[k]], float64(s.Divide[k])))
	}
}

// outgoing returns the message to a factor, given its incoming message in.
func (m *Memory) outgoing(total, in []float64, divide float64) []float64 {
	next := make([]float64, len(total))
	for i, x := range total {
		switch {
		case x >= impossible:
			next[i] = math.Inf(1)
		case divide == 0:
			next[i] = -in[i]
		default:
			next[i] = x/divide - in[i]
		}
	}
	return next
}

// send replaces the message old, or moves it towards next.
func (m *Memory) send(s *ir.SendMessages, old, next []float64) {
	if s.Rate == ir.NoSpan {
		copy(old, next)
		return
	}
	rate, low := *m.number(s.Rate), least(next)
	for i, x := range next {
		if low < impossible {
			x -= low
		}
		*m.number(s.Residual) = math.Max(*m.number(s.Residual), math.Abs(math.Exp(-x)-math.Exp(-old[i])))
		if old[i] < impossible && x < impossible {
			x = float64(rate*old[i]) + float64((1-rate)*x)
		}
		old[i] = x
	}
}

func (m *Memory) energy(s *ir.Energy) {
	out := make([]float64, len(m.Numbers[s.Out]))
	for i := range out {
		if s.Weight != ir.NoSpan {
			out[i] = -pgmrt.Ln(m.Numbers[s.Weight][i])
		}
		for _, id := range s.In {
			out[i] += m.Numbers[id][i]
		}
		out[i] = energyOf(out[i])
	}
	copy(m.Numbers[s.Out], out)
}

func (m *Memory) choose(s *ir.Choose) {
	total := func(ids []ir.SpanID, i int) (x float64) {
		for _, id := range ids {
			x += m.Numbers[id][i]
		}
		return x
	}
	sums := make([]float64, s.Axis.Size)
	for i := range sums {
		sums[i] = total(s.In, i)
	}
	low := least(sums)
	for i, x := range sums {
		if x <= low+float64(0x1p-40*math.Max(1, math.Abs(low))) {
			*m.state(s.Axis.Var) = int32(i)
			*m.number(s.Value) += total(s.In[:s.Final], i)
			break
		}
	}
	near, belief := 0, m.Numbers[s.Belief]
	for _, x := range belief {
		if x <= least(belief)+1e-7 {
			near++
		}
	}
	if near > 1 {
		*m.number(s.Ties) = 1
	}
}

// proven is the gap between the least energy and the bound at which the least energy counts as
// proven.
const proven = 1e-7

func (m *Memory) updateIncumbent(s *ir.UpdateIncumbent) {
	var n ir.IncumbentNumbers[*float64]
	for i, x := range n.All() {
		*x = m.number(*s.Run.All()[i])
	}
	states, best := m.Ints[m.Program.State], m.Ints[s.Best]
	if *n.Value < *n.Least || *n.Least >= impossible {
		*n.Least = *n.Value
		copy(best, states)
	}
	copy(states, best)
	*n.GainBefore, *n.Gain, *n.BoundBefore = *n.Gain, *n.Bound-*n.BoundBefore, *n.Bound
	*n.Rounds++
	switch {
	case *n.Bound >= impossible, *n.Least < impossible && *n.Least-*n.Bound <= proven:
		*n.Residual = 0
	case *n.Rounds < 3:
		*n.Residual = math.Min(*n.Least-*n.Bound, math.MaxFloat64)
	default:
		*n.Residual = math.Max(*n.Residual, math.Max(*n.Gain, *n.GainBefore))
	}
}
