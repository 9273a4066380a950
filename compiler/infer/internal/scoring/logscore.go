package scoring

import (
	"math"

	"github.com/pgmc-go/pgmc/ir/model"
)

// LogScorer scores rows of a circuit in log space if their probability underflows float64, as for
// rows of hundreds of variables.
type LogScorer struct {
	scope   []model.VarID
	circuit *model.Circuit
	buf     []float64
	whole   float64 // the logarithm of the sum over all joint states
}

// NewLogScorer returns the scorer of a model; nil unless the model is one circuit without latent
// variables.
func NewLogScorer(m *model.Model) *LogScorer {
	if len(m.Factors) != 1 {
		return nil
	}
	for _, v := range m.Vars {
		if v.Latent {
			return nil
		}
	}
	c, ok := m.Factors[0].Dist.(*model.Circuit)
	if !ok {
		return nil
	}
	s := &LogScorer{scope: m.Factors[0].Scope, circuit: c, buf: make([]float64, len(c.Nodes))}
	s.whole = c.EvalLog(func(int, int32) float64 { return 1 }, s.buf)
	return s
}

// Clone returns a scorer with its own buffer.
func (s *LogScorer) Clone() *LogScorer {
	if s == nil {
		return nil
	}
	c := *s
	c.buf = make([]float64, len(s.buf))
	return &c
}

// Score returns log, or if that is -Inf the log-probability of the row, computed in log space.
func (s *LogScorer) Score(log float64, row []int) float64 {
	if s == nil || !math.IsInf(log, -1) {
		return log
	}
	return s.circuit.EvalLog(func(axis int, state int32) float64 {
		if x := row[s.scope[axis]]; x >= 0 && x != int(state) {
			return 0
		}
		return 1
	}, s.buf) - s.whole
}
