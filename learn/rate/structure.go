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
	// ArrowPrecision and ArrowRecall are the same of the edges that a class directs, which agree in
	// both if they have the same direction.
	ArrowPrecision float64 `json:"arrow_precision"`
	ArrowRecall    float64 `json:"arrow_recall"`
	// F1 is the harmonic mean of precision and recall of the edges of the classes. An edge agrees
	// if both have it, with the same direction or both without one.
	F1 float64 `json:"f1"`
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
	var edges, arrows, same tally // same is the edges that agree in their direction, or lack of one
	for b := range truth {
		for a := range b {
			is, found := markOf(p, a, b), markOf(q, a, b)
			edges.add(is != absent, found != absent, true)
			arrows.add(is.arrow(), found.arrow(), is == found)
			same.add(is != absent, found != absent, is == found)
		}
	}
	d.Missing, d.Extra, d.Directions = edges.truth-edges.both, edges.found-edges.both, edges.both-same.both
	d.SHD = d.Missing + d.Extra + d.Directions
	d.Precision, d.Recall = edges.rates()
	d.ArrowPrecision, d.ArrowRecall = arrows.rates()
	if x, y := same.rates(); x+y > 0 {
		d.F1 = 2 * x * y / (x + y)
	}
	return d
}

// mark is what joins two variables a and b in a class.
type mark int

const (
	absent     mark = iota
	undirected      // a - b
	forward         // a -> b
	back            // b -> a
)

func markOf(p *graph.Partial, a, b int) mark {
	switch {
	case !p.Adjacent(a, b):
		return absent
	case p.Directed(a, b):
		return forward
	case p.Directed(b, a):
		return back
	}
	return undirected
}

func (m mark) arrow() bool { return m == forward || m == back }

// tally counts edges of two classes.
type tally struct{ truth, found, both int }

// add counts a pair of variables with an edge in the true class, in the learned one, and in both
// if they agree.
func (t *tally) add(truth, found, agree bool) {
	if truth {
		t.truth++
	}
	if found {
		t.found++
	}
	if truth && found && agree {
		t.both++
	}
}

// rates returns the precision and the recall.
func (t tally) rates() (precision, recall float64) {
	return part(t.both, t.found), part(t.both, t.truth)
}

func part(n, of int) float64 {
	if of == 0 {
		return 1
	}
	return float64(n) / float64(of)
}
