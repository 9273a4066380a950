package idspn

import (
	"gonum.org/v1/gonum/floats"

	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// node is a sum, a product, or a circuit.
type node struct {
	vars    []int   // of the data
	rows    []int32 // the training rows from which it was learned
	args    []*node
	weights []float64 // of a sum

	circuit      *model.Circuit // over its variables in order; nil for a sum or product
	train, valid []float64      // of a circuit: its log-probabilities of all rows
	done         bool           // splitting it did not help
}

// size returns rows times variables.
func (n *node) size() int { return len(n.vars) * len(n.rows) }

// circuits lists the circuits below n.
func (n *node) circuits() (list []*node) {
	if n.circuit != nil {
		return []*node{n}
	}
	for _, a := range n.args {
		list = append(list, a.circuits()...)
	}
	return list
}

// logs returns the log-probabilities of rows; leaf returns the log-probabilities of a circuit.
func (n *node) logs(leaf func(*node) []float64) []float64 {
	if n.circuit != nil {
		return leaf(n)
	}
	parts := make([][]float64, len(n.args))
	for i, a := range n.args {
		parts[i] = a.logs(leaf)
	}
	out, terms := make([]float64, len(parts[0])), make([]float64, len(parts))
	for row := range out {
		for i := range parts {
			terms[i] = parts[i][row]
			if n.weights != nil {
				terms[i] += pgmrt.Ln(n.weights[i])
			}
		}
		if n.weights != nil {
			out[row] = floats.LogSumExp(terms)
			continue
		}
		for _, x := range terms {
			out[row] += x
		}
	}
	return out
}

// replace replaces a node below n by another and returns n, or the other if old is n.
func (n *node) replace(old, with *node) *node {
	if n == old {
		return with
	}
	for i, a := range n.args {
		n.args[i] = a.replace(old, with)
	}
	return n
}

func trainLogs(n *node) []float64 { return n.train }
func validLogs(n *node) []float64 { return n.valid }
