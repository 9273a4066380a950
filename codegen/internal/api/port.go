package api

import (
	"fmt"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Port describes how a variable of one domain appears in a generated package. discretePort and
// RealPort implement it. Types and statements are returned as Go text. Statements end with a
// newline unless they are empty.
type Port interface {
	Field() string  // the type of its field in Evidence, which has a text form
	Soft() string   // the type of its field in Soft; empty if it takes no likelihoods
	Answer() string // the type of its posterior
	States() int    // the number of states; 0 if the domain is not discrete
	Enum() int      // the index of its type of states in the table enums; -1 if it has none

	Set(field, text string) string // the statements that set a field of Evidence to a text and return an error
	Value(field string) string     // the statements that return the text of a field of Evidence, empty if it is unset
	None() string                  // the value of a field of Evidence that is not set
	Observed(field string) string  // the condition under which a field of Evidence is set
	Numbers(field string) string   // the expression of the numbers of a field of Marginals, as a slice
	Example() Example
	// Drawn returns the statements that set a field of Marginals to the posterior by a cloud of
	// particles in which the variable is number k of its domain.
	Drawn(field, cloud string, k int) string

	Column() string // the type of its column in Columns
	// FromColumn returns the statements that set a field of Evidence, which is not set, to element
	// r of a column, unless it is missing.
	FromColumn(field, column string) string

	// named records that the variable has the identifier id.
	named(n *namer, id string)
	// Posterior returns the expression of the posterior in span s of a memory with the given name.
	Posterior(memory string, s *ir.Span) string
	// Observe returns the statements that check the variable's field of the Evidence ev and enter
	// it into the inputs.
	Observe(g *API, inputs []*ir.Span) string
	// ObserveLane returns the statements that check the variable's field of the Evidence ev and
	// enter it in lane lane of the slot of its observation, or of its evidence if that is no state.
	// Without a slot, which is -1, they only check.
	ObserveLane(g *API, slot int) string
	// Likelihood returns the statements that check the variable's field of soft and multiply the
	// inputs by it. Without inputs they only check.
	Likelihood(g *API, inputs []*ir.Span) string
	// Argument describes the variable as evidence of a signature: the type of the argument, the
	// statements that check it and return fail and an error, and those that enter it into the
	// inputs, or into the state.
	Argument(g *API, inputs []*ir.Span, fail string) (kind, check, enter string)
	// Check returns the statements that check the variable's field of the Evidence ev, and
	// CheckSoft those that check its field of soft and return an error.
	Check(g *API) string
	CheckSoft(g *API) string
	// Estimate returns the statements that add the variable to an estimate of a joint probability
	// by the given method of Engine, or refuse it.
	Estimate(g *API, method string) string
}

// Example is an observation of a variable, and what to read in its posterior.
type Example struct {
	Text  string // the value, as Evidence.Set reads it
	Value string // the value of a field of Evidence, a name of the package
	Read  string // what follows a field of Marginals, with the package's name as %s
}

// Domain describes the variables of one domain. It is a row of domains.
type Domain struct {
	takes    func(model.Domain) bool
	port     func(*namer, *Identifiers, *Variable) Port // returns the port of a variable
	Reserved []string                                   // names that such variables reserve in a package, besides the common ones
	Types    func(*API)                                 // declares the types of such variables
	Among    string                                     // the adjective for such variables in the package comment; empty for the common domain
	Doc      string                                     // a sentence on them in the package comment; may be empty
}

// domains is the table of domains, in the order in which packages declare their types. A new domain
// is a file with a port, and an element here.
var domains = []Domain{discreteDomain, realDomain}

// domainOf returns the row for the domain of v.
func domainOf(v *model.Var) *Domain {
	for i := range domains {
		if domains[i].takes(v.Domain) {
			return &domains[i]
		}
	}
	panic(fmt.Sprintf("codegen: no port for the domain of variable %q, %T", v.Name, v.Domain))
}

// DomainsOf returns the rows for the domains of m's variables, in the order of the table.
func DomainsOf(m *model.Model) (list []*Domain) {
	for i := range domains {
		if d := &domains[i]; d.Count(m) > 0 {
			list = append(list, d)
		}
	}
	return list
}

// Count returns the number of variables of m that have the domain.
func (d *Domain) Count(m *model.Model) (n int) {
	for _, v := range m.Vars {
		if domainOf(v) == d {
			n++
		}
	}
	return n
}
