package beam

import (
	"math"
	"reflect"

	sdk "github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/pgmc-go/pgmc/learn/data"
)

// Score adds the log-probability of each row, as pgmc score computes it. Parts have the columns
// row, those to keep, and logp, which is -Inf for a row of probability 0.
func Score(s sdk.Scope, o Options) (Result, error) {
	return transform(s.Scope("Score"), question{Options: o, Kind: scoring})
}

// scorer scores rows.
type scorer struct {
	method reflect.Method
	logp   []float64
}

func newScorer(m *model) (asker, *block, error) {
	method, err := m.method("LogProbColumns", "logprob")
	if err != nil {
		return nil, nil, err
	}
	return &scorer{method: method}, newBlock(m, nil), nil
}

func (s *scorer) outputs() []data.Output { return []data.Output{{Name: "logp", Kind: data.Reals}} }

// ask scores the rows of a block. The error of the engine is about impossible rows if there are
// any.
func (s *scorer) ask(b *block, p *Part) error {
	s.logp = resized(s.logp, b.rows)
	err := b.ask(s.method, reflect.ValueOf(s.logp))
	for row, x := range s.logp {
		impossible := math.IsInf(x, -1)
		if impossible {
			err = nil
		}
		switch {
		case b.skip[row]:
		case impossible:
			p.Impossible++
		default:
			p.LogP.add(x, b.weight(row))
		}
	}
	return err
}

func (s *scorer) write(out data.Sink, row int) { out.Number(s.logp[row]) }

func (s *scorer) end(*Part) error { return nil }

// resized returns list with another length, or a new one if it is too short.
func resized(list []float64, n int) []float64 {
	if cap(list) < n {
		return make([]float64, n)
	}
	return list[:n]
}

// Mean is the mean of weighted numbers, with the sum of their squared differences from it.
type Mean struct{ Weight, Value, Squares float64 }

// add adds a number.
func (m *Mean) add(x, weight float64) { m.merge(Mean{weight, x, 0}) }

// merge adds the numbers of another mean (Chan, Golub and LeVeque 1983).
func (m *Mean) merge(x Mean) {
	if x.Weight == 0 {
		return
	}
	before := m.Weight
	m.Weight += x.Weight
	share, off := x.Weight/m.Weight, x.Value-m.Value
	m.Value += float64(off * share)
	m.Squares += x.Squares + float64(before*share)*float64(off*off)
}

// StdErr returns the standard error of the mean if weights are numbers of rows.
func (m *Mean) StdErr() float64 {
	if m.Weight <= 1 {
		return 0
	}
	return math.Sqrt(m.Squares / (m.Weight - 1) / m.Weight)
}
