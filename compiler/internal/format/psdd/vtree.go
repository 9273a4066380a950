package psdd

import (
	"bytes"
	"errors"
	"fmt"
)

// vtree is a binary tree with the variables as leaves.
type vtree struct {
	nodes  []vnode
	leaves []int          // by variable: the index of its leaf plus 1, or 0
	inner  map[[2]int]int // by left and right child
	order  []int          // nodes, children before their parent
}

// vnode is a node of a vtree.
type vnode struct {
	left, right int // of an inner node
	v           int // variable of a leaf; negative in others
	parent      bool
	id          int // in the file: its index from left to right
}

// leaf returns the leaf of a variable.
func (t *vtree) leaf(v int) int {
	if t.leaves[v] == 0 {
		t.nodes = append(t.nodes, vnode{v: v})
		t.leaves[v] = len(t.nodes)
	}
	return t.leaves[v] - 1
}

// join returns the parent of two nodes. It fails if one of them has another parent.
func (t *vtree) join(left, right int) (int, error) {
	key := [2]int{left, right}
	if n, ok := t.inner[key]; ok {
		return n, nil
	}
	if t.nodes[left].parent || t.nodes[right].parent || left == right {
		return 0, errors.New("no single tree of variables fits all its products")
	}
	t.nodes[left].parent, t.nodes[right].parent = true, true
	t.nodes = append(t.nodes, vnode{left: left, right: right, v: -1})
	t.inner[key] = len(t.nodes) - 1
	return len(t.nodes) - 1, nil
}

// number assigns ids to the nodes below root as the SDD package does: from left to right, an inner
// node between its children.
func (t *vtree) number(root int) {
	next := 0
	var visit func(i int)
	visit = func(i int) {
		n := &t.nodes[i]
		if n.v < 0 {
			visit(n.left)
		}
		n.id = next
		next++
		if n.v < 0 {
			visit(n.right)
		}
		t.order = append(t.order, i)
	}
	visit(root)
}

func (t *vtree) write(w *bytes.Buffer) {
	fmt.Fprintf(w, "vtree %d\n", len(t.order))
	for _, i := range t.order {
		n := &t.nodes[i]
		if n.v >= 0 {
			fmt.Fprintf(w, "L %d %d\n", n.id, n.v+1)
		} else {
			fmt.Fprintf(w, "I %d %d %d\n", n.id, t.nodes[n.left].id, t.nodes[n.right].id)
		}
	}
}
