package data

import "github.com/pgmc-go/pgmc/ir/model"

// Missing is the state number of an unobserved variable.
const Missing = -1

// Var is a variable of data: a discrete one with its states, or a real one, which has none.
type Var struct {
	Name   string
	States []string
	Real   bool
	Before bool // it is of the slice before the row's own, and nothing is its parent
}

// card returns the number of states, which is 1 for a real variable.
func (x *Var) card() int {
	if x.Real {
		return 1
	}
	return len(x.States)
}

// VarsOf returns the variables of m that data can hold: those that are not latent, in order.
func VarsOf(m *model.Model) []Var {
	var list []Var
	for _, v := range m.Vars {
		if !v.Latent {
			list = append(list, Var{Name: v.Name, States: m.States(v.ID), Real: m.IsReal(v.ID)})
		}
	}
	return list
}
