package infer

import (
	"math"

	"github.com/pgmc-go/pgmc/ir/model"
)

// logScorer scores rows of a circuit in log space if their probability underflows float64, as for
// rows of hundreds of variables.
type logScorer struct {
	scope   []model.VarID
	circuit *model.Circuit
	buf     []float64
	whole   float64 // the logarithm of the sum over all joint states
}

// newLogScorer returns the scorer of a model; nil unless the model is one circuit without latent
// variables.
func newLogScorer(m *model.Model) *logScorer {
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
	s := &logScorer{scope: m.Factors[0].Scope, circuit: c, buf: make([]float64, len(c.Nodes))}
	s.whole = c.EvalLog(func(int, int32) float64 { return 1 }, s.buf)
	return s
}

// clone returns a scorer with its own buffer.
func (s *logScorer) clone() *logScorer {
	if s == nil {
		return nil
	}
	c := *s
	c.buf = make([]float64, len(s.buf))
	return &c
}

// score returns log, or if that is -Inf the log-probability of the row, computed in log space.
func (s *logScorer) score(log float64, row []int) float64 {
	if s == nil || !math.IsInf(log, -1) {
		return log
	}
	return s.circuit.EvalLog(func(axis int, state int32) float64 {
		if x := row[s.scope[axis]]; x != Missing && x != int(state) {
			return 0
		}
		return 1
	}, s.buf) - s.whole
}
