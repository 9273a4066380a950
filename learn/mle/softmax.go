package mle

import (
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
)

// DefaultSoftmax is the default penalty of softmax CPDs: standard normal priors of the weights of
// standardised parents.
const DefaultSoftmax = 1

// FitSoftmax fits the softmax CPDs of m to the rows of a set by penalised maximum likelihood, since
// no counts suffice for them. column holds the column of each variable. It returns their
// log-likelihoods by factor, and adds the weight of rows that miss a value of a family to missed.
func (e *Estimator) FitSoftmax(m *model.Model, s *data.Set, column []int, missed []float64) (logP []float64, err error) {
	logP = make([]float64, len(m.Factors))
	penalty := e.opt.Softmax
	if penalty == 0 {
		penalty = DefaultSoftmax
	}
	for i, f := range m.Factors {
		if !e.soft[i] {
			continue
		}
		discrete, real := m.SplitParents(f)
		columns := func(vars []model.VarID) (list []int) {
			for _, v := range vars {
				list = append(list, column[v])
			}
			return list
		}
		child, of, on := column[f.ChildVar()], columns(discrete), columns(real)
		if slices.Contains(slices.Concat([]int{child}, of, on), -1) {
			return nil, fmt.Errorf("the data have no column for a variable of the %s", m.FactorName(f))
		}
		fit, err := s.FitSoftmax(child, of, on, penalty)
		if err != nil {
			return nil, err
		}
		f.Dist, logP[i] = &fit.Softmax, fit.LogLikelihood
		missed[i] += fit.Missed
	}
	return logP, nil
}

// softParameters returns the number of free parameters of a softmax CPD: the weights of a state
// count from the weights of another one.
func (e *Estimator) softParameters(i int) int {
	f := e.m.Factors[i]
	card := e.m.Card(f.ChildVar())
	return f.Dist.Size() / card * (card - 1)
}
