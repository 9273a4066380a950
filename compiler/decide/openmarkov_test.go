package decide_test

import (
	"fmt"
	"math"
	"path/filepath"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/decide"
	"github.com/pgmc-go/pgmc/ir/irtest"
)

func TestMarkovTry(t *testing.T) {
	for _, name := range []string{"MID-Chancellor.pgmx", "MID-dmhee-2.5.pgmx", "MID-dmhee-2.5-sv.pgmx", "MID-Cochlear.pgmx.gz"} {
		m := load(t, filepath.Join(irtest.Shared(t), "data", "decision", name))
		for _, v := range m.Vars {
			fmt.Println("  ", v.Name, len(m.States(v.ID)), v.Given)
		}
		if name == "chap.pgmx.gz" {
			for _, c := range m.Diagram.Criteria { c.Discount = 1/1.03 }
			m.Diagram.Horizon = 4
		}
		fmt.Println(name, m.Diagram.Horizon, len(m.Diagram.Utilities), len(m.Transition.Utilities), m.Check())
		u := m.Unroll(m.Diagram.Horizon)
		d := m.Diagram.Decisions
		if len(d) == 0 {
			s, err := decide.Solve(t.Context(), u, make([][]float64, len(u.Vars)), decide.Options{})
			fmt.Println(s, err)
			continue
		}
		for i, option := range m.States(d[0].Var) {
			like := make([][]float64, len(u.Vars))
			like[d[0].Var] = make([]float64, m.Card(d[0].Var))
			like[d[0].Var][i] = 1
			list, err := decide.Frontier(t.Context(), u, like, 0, 1, decide.Options{})
			if err != nil {
				fmt.Println(err)
				continue
			}
			fmt.Println(option, list[0].Cost, list[0].Effect, math.Pi)
		}
	}
}
