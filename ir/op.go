package ir

import "github.com/pgmc-go/pgmc/ir/model"

// Op is one operation of a schedule. Like a [Step], it provides all that passes and checks need,
// and it lowers itself to a step. The interface is sealed. Each operation is in the file of its
// step.
type Op interface {
	// Tables calls visit with each table that the operation refers to, except absent ones, and with
	// how the operation uses it.
	Tables(visit TableVisitor)

	// States calls visit with each variable if the operation uses its state, in the order of use.
	// It leaves out variables that are fixed throughout the block.
	States(s *Schedule, visit StateVisitor)

	// Products returns the number of products that the operation of block b forms in one run; see
	// [Step].
	Products(joint JointStates, b *OpBlock) float64

	// Text returns the operation as text for people, with the names of variables and tables in s.
	Text(s *Schedule) string

	// Lower returns the step of the operation, which belongs to the block that l is lowering.
	Lower(l *Lowering) Step

	// verify checks the operation on its own, regardless of those around it.
	verify(v *scheduleVerifier, b *OpBlock)
}

// TableVisitor is called with a table and how it is used.
type TableVisitor func(t TableID, use Use)

// one visits a table unless it is absent.
func (visit TableVisitor) one(t TableID, use Use) {
	if t != NoTable {
		visit(t, use)
	}
}

// all visits the tables of a list, except absent ones.
func (visit TableVisitor) all(ids []TableID, use Use) {
	for _, t := range ids {
		visit.one(t, use)
	}
}

// NestOp is an operation with a [Nest] as step.
type NestOp interface {
	Op
	// Entries returns the number of joint states over which the step loops.
	Entries(joint JointStates, b *OpBlock) float64
}

// Multiplier is an operation that multiplies tables, so that a pass may replace constants among
// them by their product.
type Multiplier interface {
	Op
	// Operands returns the list of tables that are multiplied.
	Operands() *[]TableID
}

// WriteTables returns the tables that op writes.
func WriteTables(op Op) (tables []TableID) {
	op.Tables(func(t TableID, use Use) {
		if use.Writes() {
			tables = append(tables, t)
		}
	})
	return tables
}

// presentTables returns the ids that are not NoTable.
func presentTables(ids ...TableID) (tables []TableID) {
	for _, t := range ids {
		if t != NoTable {
			tables = append(tables, t)
		}
	}
	return tables
}

// visitScope visits the variables of a table as states that are read.
func (s *Schedule) visitScope(t TableID, visit StateVisitor) {
	for _, v := range s.Tables[t].Scope {
		visit(v, Read)
	}
}

// visitOthers visits the variables of tables, except v, as states that are read.
func (s *Schedule) visitOthers(tables []TableID, v model.VarID, visit StateVisitor) {
	for _, t := range tables {
		for _, id := range s.Tables[t].Scope {
			if id != v {
				visit(id, Read)
			}
		}
	}
}
