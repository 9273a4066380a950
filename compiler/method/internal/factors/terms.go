package factors

import (
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// Terms decomposes a CPD of features in a dependency network if that makes it smaller. Each part
// holds the features about the same variables, and the child. The product of the parts equals f up
// to a factor that is the same for all states of the child, which suffices for methods that use
// rows of a CPD up to a constant. For other factors Terms returns only f.
func Terms(m *model.Model, f *model.Factor) []*model.Factor {
	d, ok := f.Dist.(*model.Features)
	if !ok || m.Kind != model.Dependency {
		return []*model.Factor{f}
	}
	var terms []*model.Factor
	byAxes := map[string]*model.Factor{}
	numbers := 0
	for _, x := range d.List {
		axes := []int{f.Child}
		key := make([]byte, len(f.Scope))
		key[f.Child] = 1
		for _, l := range x.Literals {
			if key[l.Axis] == 0 {
				key[l.Axis] = 1
				axes = append(axes, l.Axis)
			}
		}
		slices.Sort(axes)
		t := byAxes[string(key)]
		if t == nil {
			t = &model.Factor{Child: slices.Index(axes, f.Child), Dist: &model.Features{}, Pos: f.Pos}
			for _, a := range axes {
				t.Scope = append(t.Scope, f.Scope[a])
			}
			byAxes[string(key)] = t
			terms = append(terms, t)
			n, _ := m.TableSize(t.Scope)
			numbers += n
		}
		y := model.Feature{Weight: x.Weight, Literals: slices.Clone(x.Literals)}
		for i := range y.Literals {
			y.Literals[i].Axis, _ = slices.BinarySearch(axes, y.Literals[i].Axis)
		}
		list := t.Dist.(*model.Features)
		list.List = append(list.List, y)
	}
	if n, fits := m.TableSize(f.Scope); fits && n <= localGain*numbers || len(terms) == 0 {
		return []*model.Factor{f}
	}
	return terms
}
