package spn

import (
	"slices"

	"github.com/pgmc-go/pgmc/learn/data"
)

// Network is a sum-product network over the variables of a data set. Its root is the last block,
// which has one node.
type Network struct {
	Vars   []data.Var
	blocks []block
	nodes  int
}

// Block identifies a block of a network.
type Block int32

type kind uint8

const (
	leaf kind = iota
	product
	sum
)

// block is a group of nodes of the same kind with the same operands.
type block struct {
	kind    kind
	fixed   bool // the weights are not learned
	size    int
	start   int // number of its first node
	v       int // the variable of a leaf
	args    []Block
	weights []float64 // of a leaf: by node, a row of states; of a sum: by node, a row of the operands' nodes
}

// learned reports whether EM changes the weights of a block.
func (b *block) learned() bool { return b.kind != product && !b.fixed }

// New returns a network without blocks.
func New(vars []data.Var) *Network { return &Network{Vars: vars} }

func (n *Network) add(b block) Block {
	b.start = n.nodes
	n.nodes += b.size
	n.blocks = append(n.blocks, b)
	return Block(len(n.blocks) - 1)
}

// Size returns the number of nodes of a block.
func (n *Network) Size(b Block) int { return n.blocks[b].size }

func (n *Network) card(v int) int { return len(n.Vars[v].States) }

// Leaf adds distributions of a variable, one for each row of weights.
func (n *Network) Leaf(v int, weights []float64) Block {
	return n.add(block{kind: leaf, v: v, size: len(weights) / n.card(v), weights: weights})
}

// States adds the indicators of all states of a variable.
func (n *Network) States(v int) Block {
	card := n.card(v)
	w := make([]float64, card*card)
	for i := range card {
		w[i*card+i] = 1
	}
	return n.add(block{kind: leaf, fixed: true, v: v, size: card, weights: w})
}

// Product adds products: node i multiplies the nodes i of some blocks of one size.
func (n *Network) Product(args ...Block) Block {
	if len(args) == 1 {
		return args[0]
	}
	return n.add(block{kind: product, size: n.Size(args[0]), args: slices.Clone(args)})
}

// Sum adds sums over all nodes of some blocks, one for each row of weights.
func (n *Network) Sum(weights []float64, args ...Block) Block {
	width := 0
	for _, a := range args {
		width += n.Size(a)
	}
	return n.add(block{kind: sum, size: len(weights) / width, args: slices.Clone(args), weights: weights})
}

// Branch adds a sum over the states of a variable, each with a block of one node for the other
// variables: a node of a decision tree as a circuit. A state of weight 0 may have a negative block
// number instead.
func (n *Network) Branch(v int, weights []float64, below []Block) Block {
	var args []Block
	var w []float64
	for s, x := range weights {
		if x == 0 {
			continue
		}
		one := make([]float64, n.card(v))
		one[s] = 1
		is := n.add(block{kind: leaf, fixed: true, v: v, size: 1, weights: one})
		args, w = append(args, n.Product(is, below[s])), append(w, x)
	}
	return n.Sum(w, args...)
}

// Parameters returns the number of free weights: the nonzero ones less one a row.
func (n *Network) Parameters() int {
	count := 0
	for i := range n.blocks {
		b := &n.blocks[i]
		if !b.learned() {
			continue
		}
		width := len(b.weights) / b.size
		for row := range slices.Chunk(b.weights, width) {
			count--
			for _, w := range row {
				if w != 0 {
					count++
				}
			}
		}
	}
	return count
}

// TreeNode is a node of a Bayesian network in which each variable has at most one parent.
type TreeNode struct {
	Parent int       // -1 at a root
	Var    int       // -1 if it is latent
	Card   int       // number of states
	Table  []float64 // its distribution for each state of the parent
}

// Tree adds a tree or forest as blocks: messages from each node to its parent, and the product of
// the roots' messages.
func (n *Network) Tree(nodes []TreeNode) Block {
	below := make([][]Block, len(nodes)) // by node: the messages of its children
	children := make([][]int, len(nodes))
	var roots []Block
	var order []int
	for i, x := range nodes {
		if x.Parent < 0 {
			order = append(order, i)
		} else {
			children[x.Parent] = append(children[x.Parent], i)
		}
	}
	for k := 0; k < len(order); k++ {
		order = append(order, children[order[k]]...)
	}
	for _, i := range slices.Backward(order) {
		x := &nodes[i]
		var message Block
		switch {
		case len(below[i]) == 0 && x.Var >= 0:
			message = n.Leaf(x.Var, x.Table)
		case x.Var >= 0:
			message = n.Sum(x.Table, n.Product(append([]Block{n.States(x.Var)}, below[i]...)...))
		default:
			message = n.Sum(x.Table, n.Product(below[i]...))
		}
		if x.Parent < 0 {
			roots = append(roots, message)
		} else {
			below[x.Parent] = append(below[x.Parent], message)
		}
	}
	return n.Product(roots...)
}
