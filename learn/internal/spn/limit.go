package spn

import (
	"flag"
	"fmt"
)

// Limit is the option of learners that choose between networks: how large the circuit may be.
type Limit struct{ edges int }

// Options binds the option.
func (l *Limit) Options(fs *flag.FlagSet) {
	fs.IntVar(&l.edges, "max-edges", 0, "most edges of the circuit; 0 for any number")
}

// Check says what is wrong with the option.
func (l *Limit) Check() error {
	if l.edges < 0 {
		return fmt.Errorf("at most %d edges; want 0 or more", l.edges)
	}
	return nil
}

// Over is an error where the circuit of a network is larger than it may be; less is what would make it smaller.
func (l *Limit) Over(n *Network, less string) error {
	if l.edges == 0 {
		return nil
	}
	m, err := n.Model("")
	if err != nil {
		return err
	}
	if edges := m.Factors[0].Circuit().Edges(); edges > l.edges {
		return fmt.Errorf("the circuit has %d edges, and it may have %d; give it more, or %s", edges, l.edges, less)
	}
	return nil
}
