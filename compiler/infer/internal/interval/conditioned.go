package interval

import "github.com/pgmc-go/pgmc/ir/model"

// Conditioned returns what evidence leaves of a discrete model, as a product of potentials that are
// tables of at most maxTable numbers.
func Conditioned(of *model.Model, given Evidence, maxTable int) (*model.Model, error) {
	m, err := of.Condition(given.State, maxTable)
	if err != nil {
		return nil, err
	}
	for _, v := range of.Vars {
		l := given.Soft[v.ID]
		switch {
		case l == nil:
		case given.State[v.ID] >= 0:
			m.Factors = append(m.Factors, &model.Factor{Child: -1, Dist: &model.Table{Values: []float64{l[given.State[v.ID]]}}})
		default:
			m.Factors = append(m.Factors, &model.Factor{Scope: []model.VarID{v.ID}, Child: -1, Dist: &model.Table{Values: l}})
		}
	}
	return m, nil
}
