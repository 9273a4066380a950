package blanket

import (
	"slices"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// supportTable is the largest table of a factor that takes part in the search for contradictions.
const supportTable = 1 << 12

// supportPower is a power that turns positive numbers into numbers near 1, so that products of many
// of them do not underflow.
const supportPower = 1. / 256

// Impossible returns operations that detect evidence which leaves a variable no state. Each
// variable keeps the states for which every factor with zeros has a joint state that the other
// variables still allow. The operations visit the variables once in the order of the search for a
// start and once in reverse. The search itself would have to try all states of the variables
// between two observations to find as much. As in belief propagation, a zero proves that a state is
// impossible.
func (b *Plan) Impossible() []ir.Op {
	order, zeros := searchOrder(b.Model)
	table := map[int]ir.TableID{}
	for n, f := range b.Model.Factors {
		size, ok := b.Model.TableSize(f.Scope)
		if b.Model.Kind != model.Dependency && zeros[n] && len(f.Scope) > 0 && ok && size <= supportTable {
			table[n] = b.Factor(f)
		}
	}
	if len(table) == 0 {
		return nil
	}
	kept := make([]ir.TableID, len(b.Model.Vars)) // by variable
	for _, v := range order {
		if kept[v] = b.Lambda[v]; kept[v] == ir.NoTable {
			kept[v] = b.Ones(v)
		}
	}
	ops := []ir.Op{b.Copy(b.LogP, b.Number("nothing counted", 0))}
	for _, v := range slices.Concat(order, reversed(order)) {
		next := &ir.PowersOp{Out: b.Temp("states left of "+b.Model.Vars[v].Name, v), In: []ir.TableID{kept[v]}, Power: []float64{supportPower}}
		for _, n := range b.factorsOf[v] {
			t, ok := table[n]
			if !ok {
				continue
			}
			in := []ir.TableID{t}
			for _, u := range b.Model.Factors[n].Scope {
				if u != v {
					in = append(in, kept[u])
				}
			}
			message := b.Temp(b.Arrow(b.Model.FactorName(b.Model.Factors[n]), b.Model.Vars[v].Name), v)
			ops = append(ops, b.Sum(message, in...))
			next.In, next.Power = append(next.In, message), append(next.Power, supportPower)
		}
		if len(next.In) > 1 {
			ops = append(ops, next, b.Log(0, next.Out))
			kept[v] = next.Out
		}
	}
	return ops
}

func reversed(order []model.VarID) []model.VarID {
	back := slices.Clone(order)
	slices.Reverse(back)
	return back
}
