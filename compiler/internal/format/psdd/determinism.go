package psdd

import "errors"

// maxPairs bounds the pairs of elements that are compared. The largest available file of the
// Circuit Model Zoo, plants, needs 9.1 million.
const maxPairs = 1 << 24

// deterministic returns an error if two elements of a decision are positive in one state. Only
// primes may overlap: some files split an element whose sub has two states into two elements. Every
// node is positive in some state, because its weights sum to one.
func (d *diagram) deterministic() error {
	o := overlaps{d: d, known: map[uint64]bool{}}
	for i := range d.nodes {
		elements := d.nodes[i].elements
		for k, e := range elements {
			for _, f := range elements[:k] {
				if o.meet(e, f) {
					return errors.New("two operands of a sum are positive in one state")
				}
				if o.pairs > maxPairs {
					return errors.New("it has too many pairs of operands to check that no two are positive in one state")
				}
			}
		}
	}
	return nil
}

// overlaps determines whether two nodes of one vtree node are positive in one state.
type overlaps struct {
	d     *diagram
	known map[uint64]bool // by the pair of nodes
	pairs int
}

func (o *overlaps) both(a, b int) bool {
	if a == b {
		return true
	}
	x, y := &o.d.nodes[a], &o.d.nodes[b]
	if x.kind != 'D' {
		return x.weights[0] > 0 && y.weights[0] > 0 || x.weights[1] > 0 && y.weights[1] > 0
	}
	key := uint64(min(a, b))<<32 | uint64(max(a, b))
	found, ok := o.known[key]
	if ok || o.pairs > maxPairs { // the result is unused beyond the limit
		return found
	}
	for _, e := range x.elements {
		for _, f := range y.elements {
			found = found || o.meet(e, f)
		}
	}
	o.known[key] = found
	return found
}

// meet reports whether two elements are positive in one state.
func (o *overlaps) meet(e, f element) bool {
	o.pairs++
	return e.weight > 0 && f.weight > 0 && o.both(e.prime, f.prime) && o.both(e.sub, f.sub)
}
