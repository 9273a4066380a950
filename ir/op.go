package ir

import "github.com/pgmc-go/pgmc/ir/model"

// Op is one operation of a schedule. As a [Step], it says all that passes and checks have to know
// of it, and it lowers itself to a step. The interface is sealed; each operation stands in the
// file of its step.
type Op interface {
	// Tables calls visit with each table that the operation refers to, absent ones aside, and
	// with how the operation uses it.
	Tables(visit TableVisitor)

	// States calls visit with each variable of whose state the operation makes use, in the order
	// in which it does so. Variables that are fixed throughout the block are left out.
	States(s *Schedule, visit StateVisitor)

	// Products is how many products the operation of block b forms when it runs once; see [Step].
	Products(joint JointStates, b *OpBlock) float64

	// Text writes the operation for people, with the names that s has for variables and tables.
	Text(s *Schedule) string

	// Lower makes the step that does the operation, which is one of the block that l is at.
	Lower(l *Lowering) Step

	// verify checks the operation by itself, apart from those around it.
	verify(v *scheduleVerifier, b *OpBlock)
}

// TableVisitor takes a table and how it is used.
type TableVisitor func(t TableID, use Use)

// one visits a table unless it is absent.
func (visit TableVisitor) one(t TableID, use Use) {
	if t != NoTable {
		visit(t, use)
	}
}

// all visits the tables of a list that are not absent.
func (visit TableVisitor) all(ids []TableID, use Use) {
	for _, t := range ids {
		visit.one(t, use)
	}
}

// NestOp is an operation whose step is a [Nest].
type NestOp interface {
	Op
	// Entries is the number of joint states over which the step loops.
	Entries(joint JointStates, b *OpBlock) float64
}

// Multiplier is an operation that multiplies tables, so that constants among them may be replaced
// by their product.
type Multiplier interface {
	Op
	// Operands are the tables that are multiplied.
	Operands() *[]TableID
}

// WriteTables gives the tables that op writes.
func WriteTables(op Op) (tables []TableID) {
	op.Tables(func(t TableID, use Use) {
		if use.Writes() {
			tables = append(tables, t)
		}
	})
	return tables
}

// presentTables are those of ids that are tables.
func presentTables(ids ...TableID) (tables []TableID) {
	for _, t := range ids {
		if t != NoTable {
			tables = append(tables, t)
		}
	}
	return tables
}

// visitScope visits the variables of a table, whose states are read.
func (s *Schedule) visitScope(t TableID, visit StateVisitor) {
	for _, v := range s.Tables[t].Scope {
		visit(v, Read)
	}
}

// visitOthers visits the variables of tables but v, whose states are read.
func (s *Schedule) visitOthers(tables []TableID, v model.VarID, visit StateVisitor) {
	for _, t := range tables {
		for _, id := range s.Tables[t].Scope {
			if id != v {
				visit(id, Read)
			}
		}
	}
}
