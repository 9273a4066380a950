package method

import (
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Constant is a table of constants over scope, whose numbers the caller sets.
func (l *LoopPlan) Constant(name string, scope []model.VarID) ir.TableID {
	return l.add(ir.Table{Name: name, Scope: scope, Role: ir.RoleConst, Var: -1})
}

// Leaves is numbers that trees lead to.
func (l *LoopPlan) Leaves(name string, values []float64) ir.TableID {
	return l.add(ir.Table{Name: name, Role: ir.RoleConst, Var: -1, Data: values})
}
