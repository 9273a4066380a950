package pass

import "github.com/pgmc-go/pgmc/ir"

// ProgramKeep makes the numbers of sessions that pass between blocks persistent, so that they have
// places of their own and stay from one run to the next. The numbers that only one block uses still
// share places.
func ProgramKeep(p *ir.Program) {
	e := p.Session()
	if e == nil {
		return
	}
	for _, id := range p.Incremental(e).Keep {
		if s := &p.Spans[id]; s.Role == ir.RoleTemp {
			s.Role = ir.RolePersistent
		}
	}
}
