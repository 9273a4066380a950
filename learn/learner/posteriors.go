package learner

import (
	"cmp"
	"slices"

	"github.com/pgmc-go/pgmc/learn/data"
)

// Posterior is the probability of an edge given the data.
type Posterior struct {
	From        string  `json:"from"`
	To          string  `json:"to"`
	Probability float64 `json:"probability"`
}

// LeastPosterior is the least probability of an edge that a report lists.
const LeastPosterior = 0.005

// PosteriorsOf lists edges by their probabilities, which are given by child and parent. Equally
// probable ones are in the order of parent and child.
func PosteriorsOf(vars []data.Var, edges [][]float64) []Posterior {
	list := []Posterior{}
	for u := range vars {
		for x := range vars {
			if p := edges[x][u]; p >= LeastPosterior {
				list = append(list, Posterior{From: vars[u].Name, To: vars[x].Name, Probability: min(1, p)})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b Posterior) int { return cmp.Compare(b.Probability, a.Probability) })
	return list
}
