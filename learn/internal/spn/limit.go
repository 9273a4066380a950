package spn

import "fmt"

// Limit bounds the size of the circuit, for learners that choose between networks.
type Limit struct{ Edges int } // most edges of the circuit; 0 for any number

// Over returns an error if the circuit of a network exceeds the bound; less says what would make it
// smaller.
func (l *Limit) Over(n *Network, less string) error {
	if l.Edges == 0 {
		return nil
	}
	m, err := n.Model("")
	if err != nil {
		return err
	}
	if edges := m.Factors[0].Circuit().Edges(); edges > l.Edges {
		return fmt.Errorf("the circuit has %d edges; want at most %d; allow more edges, or %s", edges, l.Edges, less)
	}
	return nil
}
