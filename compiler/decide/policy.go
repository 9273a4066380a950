package decide

import (
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// choice returns the choice in a joint state, by variable.
func (p *Policy) choice(m *model.Model, state []int) int {
	return p.Choice[m.Index(p.Known, state)]
}

// simplify leaves out known variables on which the choice does not depend.
func (p *Policy) simplify(m *model.Model) {
	for i := 0; i < len(p.Known); {
		if choice, ok := p.without(m, i); ok {
			p.Known, p.Choice = slices.Delete(slices.Clone(p.Known), i, i+1), choice
		} else {
			i++
		}
	}
}

// without returns the choices without the known variable i, if they do not depend on it.
func (p *Policy) without(m *model.Model, i int) (choice []int, ok bool) {
	inner, _ := m.TableSize(p.Known[i+1:])
	card := m.Card(p.Known[i])
	choice = make([]int, len(p.Choice)/card)
	for k := range choice {
		choice[k] = -1
		for s := range card {
			c := p.Choice[(k/inner*card+s)*inner+k%inner]
			if c >= 0 && choice[k] >= 0 && c != choice[k] {
				return nil, false
			}
			choice[k] = max(choice[k], c)
		}
	}
	return choice, true
}
