package pass

import "github.com/pgmc-go/pgmc/ir"

// ProgramKeep gives what sessions keep from one run to the next places of its own: the numbers
// that pass between blocks. What a block uses by itself shares places as ever.
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
