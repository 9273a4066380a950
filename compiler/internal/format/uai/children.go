package uai

import (
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// children finds the child of each factor, so that there is one CPD for each variable and no cycle.
// If there is no such assignment, it returns the reason.
//
// There is at most one. In such a network the scope of some factor is only a root. Without the
// roots, the scope of some factor is only one of the next variables, and so on. Therefore a factor
// whose scope has one variable left that is nobody's child takes that variable, until every factor
// has its child.
func children(m *model.Model) (why string) {
	if len(m.Factors) != len(m.Vars) {
		return fmt.Sprintf("BAYES with %d variables and %d functions, which cannot be one CPD a variable", len(m.Vars), len(m.Factors))
	}
	with := make([][]*model.Factor, len(m.Vars))
	left := make(map[*model.Factor]int, len(m.Factors)) // number of variables in the scope that are nobody's child
	var ready []*model.Factor
	for _, f := range m.Factors {
		for _, v := range f.Scope {
			with[v] = append(with[v], f)
		}
		left[f] = len(f.Scope)
		if len(f.Scope) == 1 {
			ready = append(ready, f)
		}
	}
	taken := make([]bool, len(m.Vars))
	done := 0
	for ; done < len(ready); done++ {
		f := ready[done]
		if left[f] == 0 {
			return fmt.Sprintf("function %d of BAYES has no child: every variable of its scope has a CPD in another function", slices.Index(m.Factors, f))
		}
		for i, v := range f.Scope {
			if taken[v] {
				continue
			}
			f.Child, taken[v] = i, true
			for _, g := range with[v] {
				left[g]--
				if left[g] == 1 {
					ready = append(ready, g)
				}
			}
			break
		}
	}
	if done == len(m.Factors) {
		return ""
	}
	for i, f := range m.Factors {
		if f.Child < 0 {
			return fmt.Sprintf("function %d of BAYES has no child: there is no network without cycles over these scopes", i)
		}
	}
	return ""
}
