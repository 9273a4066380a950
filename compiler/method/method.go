// Package method defines the interface between the compiler and its inference methods. A method
// reads a problem, a model and queries, and returns a plan: a schedule of table operations, a
// circuit, or both. It also returns a [Claim], which says how good the answers are; tests take
// their tolerance from it.
//
// Each method is a package of its own below this folder, and is listed in the compiler's suite. A
// method knows neither memory layout nor Go syntax.
package method

import (
	"context"
	"iter"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Method describes an inference method.
type Method struct {
	Name      string // the name that selects it
	Role      Role   // the task that other methods know it by; most have none
	Doc       string // what it computes, for help texts
	Kinds     string // the kinds of model that it accepts, for help texts
	Guarantee string // what holds for its answers
	Cost      string // what its running time grows with
	// Takes holds the traits that models may have in addition to those of a plain discrete model.
	// The compiler refuses models with other traits.
	Takes model.Traits
	New   func() Instance // returns the method with default options
	// Measures is true for a method that takes measurements of real variables; see
	// [ir.Problem.Measurements].
	Measures bool
	// Forward is true for a method that draws every variable given its parents. It needs the whole
	// network with evidence, not a network that was conditioned on the evidence.
	Forward bool

	// Answers describes the query of an approximate method, which replaces the exact queries, and
	// what generated packages show of it. It is nil for an exact method, and for a filter.
	Answers *ir.Approximation
	// Inexact is true for a method without Answers whose answers are approximate: a filter of
	// sequences, whose queries have no other form.
	Inexact bool
	// Prefers reports whether the compiler chooses the method for m if the user names none. A nil
	// Prefers means never.
	Prefers func(m *model.Model) bool
	// Proves reports whether the states that an approximate method chooses for m are always proven
	// most probable, at a cost that does not grow with the width of m. A nil Proves means never.
	Proves func(m *model.Model) bool
	// Certifies returns what holds of every answer of an approximate method about m, in words that
	// follow "proven:"; "" if nothing does. A nil Certifies means nothing.
	Certifies func(m *model.Model) string
	// Sparing returns the method with options that take time instead of memory, for interpreters;
	// nil if it has none. The compiler tries them if the user names no method and nothing else
	// fits.
	Sparing func() Instance
	// Defaults holds the queries that the compiler answers for a model that prefers the method if
	// the user names none; nil for those of a discrete network.
	Defaults []string
	// Bounded describes the bounded belief of a filter about states and real variables, which
	// stands in for an exact belief that grows. It is nil for other methods.
	Bounded *Bounded
	// Circuits is set for a method that compiles circuits, whose size the compiler compares with
	// that of tables. It is nil for other methods.
	Circuits *Circuits
}

// Real reports whether the method is for networks with Gaussian CPDs. Others answer more queries of
// discrete networks.
func (m *Method) Real() bool { return m.Takes&model.Gaussians != 0 }

// Circuits holds the facts that the compiler needs to know of a method that compiles circuits.
type Circuits struct {
	// Answers reports whether values of a circuit and their derivatives answer queries of a kind.
	Answers func(kind ir.QueryKind) bool
	// Suits reports whether the method may make a smaller circuit of m than those listed before it,
	// so that trying it is worth the time. A nil Suits means always.
	Suits func(m *model.Model) bool
	// Completes reports whether the model m, which is a circuit, stays correct if sums become
	// maxima, so that most probable completions can be read off it.
	Completes func(m *model.Model) bool
	// Within plans as the method does, but fails if the circuit of P(evidence) takes more than ops
	// operations; 0 means any number. It tries fewer elimination orders than the method. Unless
	// more is nil, it calls more for queries to answer in addition.
	Within func(c *Context, p *ir.Problem, ops int, more MoreFunc) (*ir.Plan, error)
}

// Bounded describes a belief about states and real variables that keeps a fixed number of
// Gaussians.
type Bounded struct {
	What   string      // the Gaussians that it keeps, as in "one Gaussian"
	Option diag.Option // the setting of the method that bounds it; empty if it is always bounded
	Runs   float64     // how often a slice's part of the program runs
}

// TooManyNodes is the error of a circuit that outgrows the limits of a [Context].
type TooManyNodes struct{ *diag.Message }

// TooWide is the error of a network of real variables whose elimination would exceed the limits of
// a [Context]. It names what would work instead.
type TooWide struct{ *diag.Message }

// MoreFunc returns further queries for a circuit, given the size of the circuit of P(evidence):
// samples, and most probable completions.
type MoreFunc func(size ir.CircuitSize) (draws, maxima []*ir.Query)

// Approximates returns the query that an approximate method answers.
func (m *Method) Approximates() *ir.Query {
	return &ir.Query{Name: m.Answers.Word, Kind: m.Answers.Kind, Method: m.Name, By: m.Answers}
}

// Options select a method and hold its options. They are the struct Options of the method's
// package. In a value every zero field means its default; a pointer is taken as it is. See
// [options.Of].
type Options interface {
	// MethodName returns the name of the method.
	MethodName() string
}

// Instance is a method with its options: a pointer to the struct Options of the method's package,
// as NewOptions returns it.
type Instance interface {
	Options
	// Check returns an error for each reason why the method cannot answer the problem, with a
	// method that can, by peers, and warnings.
	Check(p *ir.Problem, by Peers) diag.List
	// Plan returns a plan that computes the answers. It returns early with c.Err() if c is done.
	Plan(c *Context, p *ir.Problem) (*ir.Plan, Claim, error)
}

// SeedOption is the name of the option that seeds a method that draws random numbers. The compiler
// sets it to its own seed, so that commands need no flag of a method for it.
const SeedOption = "seed"

// Observer is an instance whose plan can make use of evidence that is known in advance.
type Observer interface {
	Instance
	// Observe sets, by variable, the state that every question observes; -1 is no state.
	Observe(states []int)
}

// Claim says how good the answers of a plan are.
type Claim uint8

// The claims: exact answers, a bound that holds, numbers near the answer, and estimates from random
// samples.
const (
	Exact Claim = iota
	Bound
	Approximate
	Sampled
)

var claimNames = [...]string{"exact", "bound", "approximate", "sampled"}

// String returns the name of the claim.
func (c Claim) String() string { return claimNames[c] }

// Context holds the parts of the compiler that a method needs while it plans.
type Context struct {
	context.Context
	// Order returns an order in which to eliminate vars, by the user's options, from the graph in
	// which two variables are adjacent if they share a scope. Variables of a lower group are
	// eliminated first; group is indexed by variable, and nil means one group.
	Order func(scopes [][]model.VarID, vars []model.VarID, group []int) ([]int, error)
	// Orders yields up to n elimination orders of all variables of m, for methods that try several;
	// it searches for one after the other. The model m is the problem's model or a decomposition of
	// it. The first order is the one that Order would return.
	Orders   func(m *model.Model, n int) iter.Seq[[]int]
	MaxTable int // the largest number of entries of one table

	// Use plans a problem by the method with a role. The query of an approximate method need not
	// name it.
	Use     func(r Role, p *ir.Problem) (*ir.Plan, Claim, error)
	By      Peers
	MaxMem  int64 // the largest number of bytes that the program's memory may take, and also planning
	Memo    *Memo // holds results of searches
	Quick   bool  // search for little: the caller tries many plans
	Lasting bool  // the program runs often, so that a search that takes longer than a run pays
	Search  bool  // use branch and bound for every query that it can answer, whatever the alternative costs
	// Fits returns an error if the program of a schedule would be too large. A method calls it with
	// its whole schedule, whose tables need no numbers yet, before it allocates anything whose size
	// grows with tables, and returns the error.
	Fits func(*ir.Schedule) error
}
