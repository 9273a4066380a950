package rate

import (
	"fmt"

	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/internal/graph"
)

// Distance is the distance of the class of a learned structure from the class of the true one. It
// does not compare distributions.
type Distance struct {
	// SHD is the structural Hamming distance: the pairs of variables that differ in whether there
	// is an edge, or in its direction.
	SHD        int     `json:"shd"`
	Missing    int     `json:"missing"`
	Extra      int     `json:"extra"`
	Directions int     `json:"directions"`         // edges of both structures whose direction, or lack of one, differs
	Precision  float64 `json:"skeleton_precision"` // share of the learned edges that are true; 1 if there are none
	Recall     float64 `json:"skeleton_recall"`    // share of the true edges that were learned; 1 if there are none
}

// SameVariables returns an error unless a model has the variables of the data, by name, and no
// others.
func SameVariables(m *model.Model, vars []data.Var) error {
	known := map[string]bool{}
	for _, v := range m.Vars {
		known[v.Name] = true
	}
	for _, v := range vars {
		if !known[v.Name] {
			return fmt.Errorf("the model has no variable %q, which the data has", v.Name)
		}
		delete(known, v.Name)
	}
	for _, v := range m.Vars {
		if known[v.Name] {
			return fmt.Errorf("the data has no variable %q, which the model has", v.Name)
		}
	}
	return nil
}

// Compare compares the class of a learned network with the true one's. Both are models of the
// variables of the data; see [SameVariables]. ok is false if one of them is no Bayesian network.
func Compare(truth, learned *model.Model, vars []data.Var) (d Distance, ok bool) {
	if truth.Kind != model.Bayes || learned.Kind != model.Bayes {
		return Distance{}, false
	}
	return CompareStructures(data.Parents(truth, vars), data.Parents(learned, vars)), true
}

// CompareStructures compares the class of a learned structure with the true one's. Both structures
// are given by the parents of each variable, over the same variables.
func CompareStructures(truth, learned [][]int) Distance {
	p, q := graph.Of(truth), graph.Of(learned)
	var d Distance
	both := 0
	for b := range truth {
		for a := range b {
			switch is, found := p.Adjacent(a, b), q.Adjacent(a, b); {
			case is && !found:
				d.Missing++
			case found && !is:
				d.Extra++
			case is:
				both++
				if p.Directed(a, b) != q.Directed(a, b) || p.Directed(b, a) != q.Directed(b, a) {
					d.Directions++
				}
			}
		}
	}
	d.SHD = d.Missing + d.Extra + d.Directions
	d.Precision, d.Recall = part(both, both+d.Extra), part(both, both+d.Missing)
	return d
}

func part(n, of int) float64 {
	if of == 0 {
		return 1
	}
	return float64(n) / float64(of)
}
