package batch

import (
	"github.com/dave/jennifer/jen"

	"github.com/pgmc-go/pgmc/codegen/internal/choose"
)

// Report describes how a method answers several rows: by assembly, by the lane kernels, or row
// by row.
type Report struct {
	Method string
	By     string // choose.Assembly, Lanes or Rows
	Ops    int    // operations for a row; 0 if By is Rows, since the reports of blocks have them
	Slots  int    // slots of 64 bytes each that the first call allocates
}

// The values of Report.By besides choose.Assembly.
const (
	Lanes = "lanes"
	Rows  = "rows"
)

// Reports returns the reports of the batches that the package has.
func (g *Methods) Reports() (list []Report) {
	for _, a := range g.batches {
		list = append(list, a.lanes.Report(a.method))
	}
	return list
}

// Report returns the report of a method, which answers row by row if q is nil.
func (q *Query) Report(method string) Report {
	switch {
	case q == nil:
		return Report{Method: method, By: Rows}
	case q.asm != nil:
		return Report{method, choose.Assembly, q.prog.Ops, q.slots}
	}
	return Report{method, Lanes, q.prog.Ops, q.slots}
}

// Fields declares the fields of Engine for rows that are answered at once, and those for steps.
func (g *Methods) Fields(s *jen.Group) {
	for _, a := range g.batches {
		if q := a.lanes; q != nil && !q.prog.Nests {
			s.Id(a.field).Index().Float64().Comment("// rows in lanes, allocated by the first call of " + a.method)
		}
	}
	if g.byColumn() {
		s.Id("columns").Op("*").Id("columnMemory").Comment("// for evidence by variable, allocated by the first call")
	}
	if g.Steps != nil && !g.Steps.prog.Nests {
		s.Id("stepLanes").Index().Float64().Comment("// streams in lanes, allocated by the first call of " + StepsMethod)
	}
}

// NestFields declares the field of Engine for batches of loop nests.
func (g *Methods) NestFields(s *jen.Group) {
	if g.nestSize() > 0 {
		s.Id("nestLanes").Index().Float64().Comment("// rows in lanes, allocated by the first batch")
	}
}
