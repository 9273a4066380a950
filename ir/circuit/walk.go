package circuit

// Uses counts the uses of each node: by nodes that the roots need, and once for each time it is a
// root. A node without uses is dead.
func (c *Circuit) Uses(roots []Node) []int32 {
	uses := make([]int32, len(c.nodes))
	for _, r := range roots {
		uses[r]++
	}
	for n := Node(len(c.nodes) - 1); n >= 0; n-- {
		if uses[n] > 0 && c.Op(n) >= Sum {
			a, b := c.Args(n)
			uses[a]++
			uses[b]++
		}
	}
	return uses
}

// Size returns the number of operations that the roots need.
func (c *Circuit) Size(roots []Node) int {
	size := 0
	for n, u := range c.Uses(roots) {
		if u > 0 && c.Op(Node(n)) >= Sum {
			size++
		}
	}
	return size
}

// Eval returns the value of every node for the given values of the inputs.
func (c *Circuit) Eval(input func(leaf int32) float64) []float64 {
	v := make([]float64, len(c.nodes))
	for i, n := range c.nodes {
		switch n.op {
		case Const:
			v[i] = c.values[n.a]
		case Input:
			v[i] = input(n.a)
		default:
			v[i] = n.op.Of(v[n.a], v[n.b])
		}
	}
	return v
}
