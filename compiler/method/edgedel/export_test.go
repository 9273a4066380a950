package edgedel

import (
	"context"

	"github.com/pgmc-go/pgmc/ir/model"
)

// Ranked is a deleted edge with its messages and the mutual information that ranks it.
type Ranked struct {
	Edge
	InPlace, Likelihood []float64
	Information         float64
}

// Rank deletes the edges that close loops, and ranks them.
func Rank(m *model.Model, evidence map[model.VarID]int) (list []Ranked, err error) {
	edges := crossing(m, nil, Price(m, true, 1<<20))
	s, err := calibrate(context.Background(), m, evidence, 1<<20)
	if err != nil {
		return nil, err
	}
	k := newKeptTree(m, edges)
	for _, e := range edges {
		i := 0
		for m.Factors[e.Factor].Scope[i] != e.Parent {
			i++
		}
		list = append(list, Ranked{e, s.toFactor[e.Factor][i], s.toVar[e.Factor][i], s.information(k, e)})
	}
	return list, nil
}
