// Package method is the contract between the compiler and its inference methods: a method looks at
// a problem and plans what to compute.
//
// A method lives in a folder of its own and is listed in the compiler's suite. It reads the model
// and writes a plan: a schedule of table operations, a circuit, or both; it never sees memory
// layout or Go syntax. What a plan promises for the model at hand is its Claim, from which tests
// take their tolerance.
package method

import (
	"context"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/options"
)

// Method is one way to answer queries.
type Method struct {
	Name, Doc string
	Kinds     string // the kinds of model that it takes
	Guarantee string // how good its answers are
	Cost      string // what it grows with
	// Takes is the traits of models that it takes besides those of a plain discrete model. The
	// compiler refuses the others.
	Takes model.Traits
	New   func() Instance

	// Answers is what the method answers in place of the exact queries, and what generated packages
	// show of it; nil for an exact method.
	Answers *ir.Approximation
	// Prefers reports whether the compiler takes the method for m unless another one is asked for;
	// nil is never.
	Prefers func(m *model.Model) bool
	// Circuits is for a method that makes circuits, which the compiler weighs against tables; nil
	// for others.
	Circuits *Circuits
}

// Circuits is what the compiler knows of a method that makes circuits.
type Circuits struct {
	// Answers reports whether sums of a circuit and their derivatives answer queries of a kind.
	Answers func(kind ir.QueryKind) bool
	// Completes reports whether m, which is a circuit, is also one of maxima, so that best
	// completions can be read off it.
	Completes func(m *model.Model) bool
	// Within plans as the method does if P(evidence) takes at most ops operations, 0 being any
	// number. It tries fewer orders than the method, and asks more, unless that is nil, what else
	// to answer.
	Within func(c *Context, p *ir.Problem, ops int, more MoreFunc) (*ir.Plan, error)
}

// MoreFunc gives further queries for a circuit, by the size of what computes P(evidence): samples,
// and best completions.
type MoreFunc func(size ir.CircuitSize) (draws, maxima []*ir.Query)

// Approximates returns a query for all that an approximate method answers.
func (m *Method) Approximates() *ir.Query {
	return &ir.Query{Name: m.Answers.Word, Kind: m.Answers.Kind, Method: m.Name, By: m.Answers}
}

// Options choose a method and say how it goes: the struct Options of the method's package, as a
// value in which every zero field stands for its default, or as a pointer, which is taken exactly
// as it is; see [options.Of].
type Options interface {
	// MethodName names the method.
	MethodName() string
}

// Instance is a method with its options: a pointer to the struct Options of the method's package,
// as its NewOptions returns it.
type Instance interface {
	Options
	options.Options
	// Check says why the method cannot do the problem, and which other method can.
	Check(p *ir.Problem) diag.List
	// Plan says how to compute the answers. It returns early with the context's error when that is
	// done.
	Plan(c *Context, p *ir.Problem) (*ir.Plan, Claim, error)
}

// Claim is what a plan promises for its model.
type Claim uint8

// The claims.
const (
	Exact Claim = iota
	Bound
	Approximate
	Sampled
)

var claimNames = [...]string{"exact", "bound", "approximate", "sampled"}

// String names the claim.
func (c Claim) String() string { return claimNames[c] }

// Context is what the compiler lends to a method while it plans.
type Context struct {
	context.Context
	Order OrderFunc // finds an elimination order as the user asked for it
	// Orders finds up to n orders of all variables of m, which is the problem's model or a
	// decomposition of it, for methods that try several. The first is the one that Order would
	// find.
	Orders   func(m *model.Model, n int) [][]int
	MaxTable int // the most entries that one table may have

	// Use plans a problem by another method, by its name.
	Use    func(name string, p *ir.Problem) (*ir.Plan, Claim, error)
	MaxMem int64 // the most bytes that the memories of the program may have, and planning may take
	// Joint finds, by exact inference, the joint distribution of some variables of the problem
	// without evidence, row-major.
	Joint  func(vars []model.VarID) ([]float64, error)
	Search bool     // answer by a search what can be answered by one, whatever it costs otherwise
	Fits   FitsFunc // to be asked before anything is allocated that grows with tables
}

// OrderFunc finds an order in which to eliminate vars from the graph where two variables are
// adjacent when they share a scope. Lower groups, by variable, are eliminated first; nil is one
// group.
type OrderFunc func(scopes [][]model.VarID, vars []model.VarID, group []int) ([]int, error)

// FitsFunc decides whether a program is small enough to be made. A method calls it with its whole
// schedule, whose tables need not have numbers yet, and where there is an error gives up with that.
type FitsFunc func(*ir.Schedule) error
