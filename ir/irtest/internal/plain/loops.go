package plain

import (
	"math"

	"github.com/pgmc-go/pgmc/ir"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

func (m *Memory) damp(s *ir.Damp) {
	rate, old, next, residual := *m.number(s.Rate), m.Numbers[s.Span], m.Numbers[s.New], m.number(s.Residual)
	for i := range old {
		*residual = math.Max(*residual, math.Abs(old[i]-next[i]))
		old[i] = float64(rate*old[i]) + float64((1-rate)*next[i])
	}
}

func (m *Memory) boltzmann(s *ir.Boltzmann) {
	energies := make([]float64, len(m.Numbers[s.Out]))
	weight := func(i int) float64 {
		if s.Weight == ir.NoSpan {
			return 1
		}
		return m.Numbers[s.Weight][i]
	}
	low := math.Inf(1)
	for i := range energies {
		for _, id := range s.In {
			energies[i] += m.Numbers[id][i]
		}
		if weight(i) > 0 {
			low = math.Min(low, energies[i])
		}
	}
	out := m.Numbers[s.Out]
	for i, e := range energies {
		out[i] = 0
		if w := weight(i); w > 0 {
			out[i] = w * math.Exp(low-e)
		}
	}
	normalize(out)
}

func (m *Memory) powers(s *ir.Powers) {
	logs, top := make([]float64, len(m.Numbers[s.Out])), math.Inf(-1)
	for i := range logs {
		for k, id := range s.In {
			if x := m.Numbers[id][i]; x > 0 {
				logs[i] += s.Power[k] * pgmrt.Ln(x)
			} else {
				logs[i] = math.Inf(-1)
			}
		}
		top = math.Max(top, logs[i])
	}
	out := m.Numbers[s.Out]
	for i, x := range logs {
		out[i] = 0
		if !math.IsInf(x, -1) {
			out[i] = math.Max(math.Exp(x-top), 0x1p-200)
		}
	}
	normalize(out)
}

func (m *Memory) tally(s *ir.Tally) {
	x, added := m.Numbers[s.In], 0.0
	switch s.Kind {
	case ir.TallySum:
		added = sum(x)
	case ir.TallyLog:
		if sum(x) == 0 {
			*m.number(s.Alive) = 0
			return
		}
		added = pgmrt.Ln(sum(x))
	case ir.TallyEntropy:
		for i, v := range x {
			ref := 1.0
			if s.Ref != ir.NoSpan {
				ref = m.Numbers[s.Ref][i]
			}
			if v > 0 {
				added += v * pgmrt.Ln(ref/v)
			}
		}
	}
	*m.number(s.Total) += s.Factor * added
}
