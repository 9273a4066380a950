// Package contraction finds trees of pairwise contractions: in which order the factors of a network
// are multiplied two by two, each variable being summed out as soon as no other factor has it.
//
// A bucket of an elimination order multiplies all of its operands over all of its joint states. A
// contraction tree multiplies small operands first, only at the joint states of those, so that only
// the last product of a bucket is over all of them. It also sums out several variables at a time.
// The package knows scopes and numbers of states, not numbers or code.
//
//	buckets:  (a·b·c·d) over {x,y,z,w}, Σx        tree:  ((a·b) over {x,y})·((c·d) over {y,z,w}) ...
//
// A tree comes from an elimination order ([New]) and is improved by annealing ([Tree.Anneal]). If
// it takes too much memory, some variables are fixed at each of their states in turn
// ([Tree.Slice]), which is cutset conditioning on them.
//
// Sources: Kalachev, Panteleev and Yung, "Multi-tensor contraction for XEB verification of quantum
// circuits", 2021 (annealing by local rotations, and slicing); Gray and Kourtis,
// "Hyper-optimized tensor network contraction", 2021; Roa-Villescas, Gao, Stuijk, Corporaal and
// Liu, "Probabilistic inference in the era of tensor networks and differential programming", 2024;
// Pearl 1986 and Dechter 2003, section 10.2 (conditioning on a cutset).
package contraction

import (
	"fmt"
	"math/bits"
)

// Network describes the factors that a tree multiplies.
type Network struct {
	States []float64 // by variable: its number of states; 0 if its state is known
	Leaves []Leaf
	// Derivatives counts, beside the product of all, the derivatives of the result by each factor
	// that is not constant: all posteriors.
	Derivatives bool
}

// Key returns a text that is the same only for equal networks and orders.
func (n *Network) Key(order []int) string { return fmt.Sprint("contraction", *n, order) }

// Leaf is a factor.
type Leaf struct {
	Scope    []int // its variables, each once
	Constant bool  // no derivative by it is wanted
}

// set is a set of variables, as bits.
type set []uint64

func (s set) has(v int) bool { return s[v>>6]>>(v&63)&1 != 0 }

func (s set) add(v int) { s[v>>6] |= 1 << (v & 63) }

// union sets s to the union of a and b.
func (s set) union(a, b set) {
	for i := range s {
		s[i] = a[i] | b[i]
	}
}

// each calls visit for each variable in increasing order.
func (s set) each(visit func(v int)) {
	for i, w := range s {
		for ; w != 0; w &= w - 1 {
			visit(i<<6 + bits.TrailingZeros64(w))
		}
	}
}

// size returns the number of joint states of s.
func (n *Network) size(s set) float64 {
	size := 1.0
	for i, w := range s {
		for ; w != 0; w &= w - 1 {
			size *= n.States[i<<6+bits.TrailingZeros64(w)]
		}
	}
	return size
}

// terms returns the operations for each of u joint states of a product of two numbers, whose result
// has out entries: one if it is stored, two if it is added.
func terms(u, out float64) float64 {
	if u > out {
		return 2
	}
	return 1
}
