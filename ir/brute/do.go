package brute

import "github.com/pgmc-go/pgmc/ir/model"

// NewDo enumerates the Bayesian network m after an intervention that sets the variables of set to
// the given states, for all states of their parents. Their CPDs count as 1 in these states and as 0
// elsewhere.
//
// Source: Pearl 2009, Causality, section 3.2.1, the truncated factorisation.
func NewDo(m *model.Model, set map[model.VarID]int) (*Joint, error) {
	cut := *m
	cut.Factors = nil
	for _, f := range m.Factors {
		if _, isSet := set[f.ChildVar()]; !isSet {
			cut.Factors = append(cut.Factors, f)
		}
	}
	j, err := New(&cut)
	if err != nil {
		return nil, err
	}
	j.Model = m
	for i := range j.product {
		state := j.State(i)
		for v, s := range set {
			if state[v] != s {
				j.product[i] = number{}
			}
		}
	}
	return j, nil
}
