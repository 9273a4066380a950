package trees

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/internal/forest"
	"github.com/pgmc-go/pgmc/learn/internal/spn"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Tree is a Bayesian network of an index's variables in which each has at most one parent.
type Tree struct {
	Vars   []int       `json:"-"`      // numbers in the set
	Parent []int       `json:"parent"` // by index in Vars; -1 at a root
	Tables [][]float64 `json:"tables"`
	logs   [][]float64
}

// ChowLiu returns the tree of the highest likelihood of the counts and of prior rows of
// pseudo-counts, spread evenly over all joint states.
func (c *Counts) ChowLiu(prior float64) *Tree {
	n := len(c.Vars)
	t := &Tree{Vars: c.Vars, Parent: forest.Dense(n, func(i, j int) float64 { return c.Mutual(i, j, prior) })}
	for i, p := range t.Parent {
		t.Tables = append(t.Tables, c.Table(i, p, prior))
	}
	t.log()
	return t
}

// log computes the logarithms of the tables.
func (t *Tree) log() {
	for _, table := range t.Tables {
		logs := make([]float64, len(table))
		for k, x := range table {
			logs[k] = pgmrt.Ln(x)
		}
		t.logs = append(t.logs, logs)
	}
}

// Table returns the distribution of variable i for each state of p, with prior rows of
// pseudo-counts; p is negative if i has no parent.
func (c *Counts) Table(i, p int, prior float64) []float64 {
	card := c.States(i)
	var out []float64
	switch {
	case p < 0:
		out = make([]float64, card)
		c.Single(i, out)
	case p < i:
		out = make([]float64, c.States(p)*card)
		c.Pair(p, i, out)
	default:
		rows := c.States(p)
		turned := make([]float64, rows*card)
		c.Pair(i, p, turned)
		out = make([]float64, rows*card)
		for k, x := range turned {
			out[k%rows*card+k/rows] = x
		}
	}
	each := prior / float64(len(out))
	for at := 0; at < len(out); at += card {
		normalise(out[at:at+card], each)
	}
	return out
}

// normalise adds a pseudo-count to each number and divides by the sum. If that is 0, all become
// equal.
func normalise(row []float64, each float64) {
	sum := 0.0
	for k := range row {
		row[k] += each
		sum += row[k]
	}
	for k := range row {
		if sum > 0 {
			row[k] /= sum
		} else {
			row[k] = 1 / float64(len(row))
		}
	}
}

// Fit returns the log-likelihood of the counts and pseudo-counts under their Chow-Liu tree: minus
// the entropies of the variables, plus the mutual information of the edges.
func (c *Counts) Fit(prior float64) float64 {
	n := len(c.Vars)
	rows, total := c.Total+prior, 0.0
	weights := make([]float64, n)
	parent := forest.Dense(n, func(i, j int) float64 { return c.Mutual(i, j, prior) })
	for i, p := range parent {
		if p >= 0 {
			weights[i] = c.Mutual(min(i, p), max(i, p), prior)
		}
	}
	for i := range n {
		single := make([]float64, c.States(i))
		c.Single(i, single)
		each, sum := prior/float64(len(single)), 0.0
		for _, x := range single {
			total += xlogx(x + each)
			sum += x + each
		}
		total += rows*weights[i] - xlogx(sum)
	}
	return total
}

// Parameters returns the number of free parameters of a tree.
func (t *Tree) Parameters(vars []data.Var) int {
	count := 0
	for i, table := range t.Tables {
		card := len(vars[t.Vars[i]].States)
		count += len(table) / card * (card - 1)
	}
	return count
}

// Nodes returns the tree for a sum-product network.
func (t *Tree) Nodes(vars []data.Var) []spn.TreeNode {
	nodes := make([]spn.TreeNode, len(t.Vars))
	for i, v := range t.Vars {
		nodes[i] = spn.TreeNode{Parent: t.Parent[i], Var: v, Card: len(vars[v].States), Table: t.Tables[i]}
	}
	return nodes
}

// Rows writes the log-probability of each of some rows of a set to out; nil is all rows.
func (t *Tree) Rows(set *data.Set, rows []int32, out []float64) {
	columns := make([]data.States, len(t.Vars))
	for i, v := range t.Vars {
		columns[i] = set.Column(v)
	}
	state := make([]int, len(t.Vars))
	for k := range out {
		row, missing := k, false
		if rows != nil {
			row = int(rows[k])
		}
		for i := range columns {
			state[i] = columns[i].At(row)
			missing = missing || state[i] == data.Missing
		}
		if missing {
			out[k] = t.incomplete(set.Vars, state)
			continue
		}
		sum := 0.0
		for i, p := range t.Parent {
			at := state[i]
			if p >= 0 {
				at += state[p] * len(set.Vars[t.Vars[i]].States)
			}
			sum += t.logs[i][at]
		}
		out[k] = sum
	}
}

// incomplete sums out the variables that a row misses, by messages from each variable to its
// parent.
func (t *Tree) incomplete(vars []data.Var, state []int) float64 {
	n := len(t.Vars)
	children := make([][]int, n)
	for i, p := range t.Parent {
		if p >= 0 {
			children[p] = append(children[p], i)
		}
	}
	var message func(i int) []float64
	message = func(i int) []float64 { // returns logarithms
		card := len(vars[t.Vars[i]].States)
		own := make([]float64, card)
		for s := range own {
			if state[i] != data.Missing && state[i] != s {
				own[s] = math.Inf(-1)
			}
		}
		for _, c := range children[i] {
			for s, x := range message(c) {
				own[s] += x
			}
		}
		out := make([]float64, len(t.logs[i])/card)
		for r := range out {
			terms := make([]float64, card)
			for s := range terms {
				terms[s] = t.logs[i][r*card+s] + own[s]
			}
			out[r] = floats.LogSumExp(terms)
		}
		return out
	}
	total := 0.0
	for i, p := range t.Parent {
		if p < 0 {
			total += message(i)[0]
		}
	}
	return total
}
