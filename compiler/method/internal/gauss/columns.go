package gauss

import (
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Columns is a table of constants of a plan: several numbers for each joint state of some discrete
// variables.
type Columns struct {
	Name  string
	Scope []model.VarID
	Table ir.TableID // ir.NoTable until a column needs it

	schedule *ir.Schedule
}

// NewColumns returns columns that become a table of s.
func NewColumns(s *ir.Schedule, name string, scope []model.VarID) *Columns {
	return &Columns{name, scope, ir.NoTable, s}
}

// Read adds a column and returns it. A column of equal numbers is a constant.
func (k *Columns) Read(c *Code, x []float64) circuit.Node {
	same := true
	for _, y := range x {
		same = same && y == x[0]
	}
	if same {
		return c.Const(x[0])
	}
	if k.Table == ir.NoTable {
		k.schedule.Tables = append(k.schedule.Tables, ir.Table{Name: k.Name, Scope: k.Scope, Role: ir.RoleLogs, Var: -1})
		k.Table = ir.TableID(len(k.schedule.Tables) - 1)
	}
	t := &k.schedule.Tables[k.Table]
	t.Parts++
	t.Data = append(t.Data, x...)
	return c.Read(Part(k.Table, t.Parts-1))
}
