package spn

import (
	"flag"
	"fmt"
)

// Limit is the option of learners that choose between networks: how large the circuit may be.
type Limit struct{ Edges int } // 0 for any number

// BindLimit declares the flag of the option.
func BindLimit(fs *flag.FlagSet, edges *int) {
	fs.IntVar(edges, "max-edges", *edges, "most edges of the circuit; 0 for any number")
}

// Check says what is wrong with the option.
func (l *Limit) Check() error {
	if l.Edges < 0 {
		return fmt.Errorf("at most %d edges; want 0 or more", l.Edges)
	}
	return nil
}

// Over is an error where the circuit of a network is larger than it may be; less is what would make it smaller.
func (l *Limit) Over(n *Network, less string) error {
	if l.Edges == 0 {
		return nil
	}
	m, err := n.Model("")
	if err != nil {
		return err
	}
	if edges := m.Factors[0].Circuit().Edges(); edges > l.Edges {
		return fmt.Errorf("the circuit has %d edges, and it may have %d; give it more, or %s", edges, l.Edges, less)
	}
	return nil
}
