// Package metrics says how far a learned structure is from the true one, up to what data can tell: by the class graphs of both.
//
// It says nothing of distributions, for which there are scores on test data. Sources: Koller and Friedman, section 16.2.3; Tsamardinos, Brown and
// Aliferis 2006, The max-min hill-climbing Bayesian network structure learning algorithm, for the distance.
package metrics

import "github.com/pgmc-go/pgmc/learn/graph"

// Distance is how far a class is from another one.
type Distance struct {
	SHD        int     `json:"shd"` // structural Hamming distance: the pairs of variables that differ in whether there is an edge, or in its direction
	Missing    int     `json:"missing"`
	Extra      int     `json:"extra"`
	Directions int     `json:"directions"`         // edges of both whose direction, or lack of one, differs
	Precision  float64 `json:"skeleton_precision"` // of the learned edges, the part that is true; 1 where there are none
	Recall     float64 `json:"skeleton_recall"`    // of the true edges, the part that was learned; 1 where there are none
}

// Compare compares the class of a learned structure with that of the true one, over the same variables.
func Compare(truth, learned [][]int) Distance {
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
