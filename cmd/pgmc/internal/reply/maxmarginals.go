package reply

import (
	"math"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/rows"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
)

// maxText returns a table of the wanted max-marginals, and one for each set of variables.
func (r *Reply) maxText() (parts []string) {
	if r.want.MaxMarginals != nil {
		t := &table.Table{}
		for i, v := range r.vars {
			for k, s := range v.States {
				if r.want.MaxMarginals[i] {
					t.Add(table.Once(k, v.Name), s, decimalLog(r.MaxMarginals[i][k]))
				}
			}
		}
		parts = append(parts, r.want.MaxText()+":\n"+t.String())
	}
	for i, j := range r.want.MaxJoint {
		t, heads := &table.Table{}, []string{}
		for _, v := range j.Vars {
			heads = append(heads, r.vars[v].Name)
		}
		t.Add(append(heads, r.logName())...)
		for at, x := range r.MaxJoint[i] {
			t.Add(append(jointStates(r.vars, j.Vars, at), decimalLog(x))...)
		}
		parts = append(parts, t.String())
	}
	return parts
}

// decimalLog returns a log-probability as answers show it.
func decimalLog(x float64) string {
	if math.IsInf(x, -1) {
		return "impossible"
	}
	return decimals(x)
}

// jointStates returns the names of the states of variables in their joint state at.
func jointStates(vars []rows.Variable, of []int, at int) []string {
	row := make([]string, len(of))
	for i := len(of) - 1; i >= 0; i-- {
		states := vars[of[i]].States
		row[i] = states[at%len(states)]
		at /= len(states)
	}
	return row
}
