package codegen

import (
	"fmt"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// port describes how a variable of one domain appears in a generated package. discretePort and
// realPort implement it. Types and statements are returned as Go text. Statements end with a
// newline unless they are empty.
type port interface {
	field() string  // the type of its field in Evidence, which has a text form
	soft() string   // the type of its field in Soft; empty if it takes no likelihoods
	answer() string // the type of its posterior
	states() int    // the number of states; 0 if the domain is not discrete
	enum() int      // the index of its type of states in the table enums; -1 if it has none

	set(field, text string) string // the statements that set a field of Evidence to a text and return an error
	value(field string) string     // the statements that return the text of a field of Evidence, empty if it is unset
	none() string                  // the value of a field of Evidence that is not set
	observed(field string) string  // the condition under which a field of Evidence is set
	numbers(field string) string   // the expression of the numbers of a field of Marginals, as a slice
	example() example
	// drawn returns the statements that set a field of Marginals to the posterior by a cloud of
	// particles in which the variable is number k of its domain.
	drawn(field, cloud string, k int) string

	// named records that the variable has the identifier id.
	named(n *namer, id string)
	// posterior returns the expression of the posterior in span s of a memory with the given name.
	posterior(memory string, s *ir.Span) string
	// observe returns the statements that check the variable's field of the Evidence ev and enter
	// it into the inputs.
	observe(g *generator, inputs []*ir.Span) string
	// observeLane returns the statements that check the variable's field of the Evidence ev and
	// enter it in lane lane of the slot of its observation, or of its evidence if that is no state.
	// Without a slot, which is -1, they only check.
	observeLane(g *generator, slot int) string
	// likelihood returns the statements that check the variable's field of soft and multiply the
	// inputs by it. Without inputs they only check.
	likelihood(g *generator, inputs []*ir.Span) string
	// argument describes the variable as evidence of a signature: the type of the argument, the
	// statements that check it and return fail and an error, and those that enter it into the
	// inputs, or into the state.
	argument(g *generator, inputs []*ir.Span, fail string) (kind, check, enter string)
	// check returns the statements that check the variable's field of the Evidence ev, and
	// checkSoft those that check its field of soft and return an error.
	check(g *generator) string
	checkSoft(g *generator) string
	// estimate returns the statements that add the variable to an estimate of a joint probability
	// by the given method of Engine, or refuse it.
	estimate(g *generator, method string) string
}

// domain describes the variables of one domain. It is a row of domains.
type domain struct {
	takes    func(model.Domain) bool
	port     func(*namer, *identifiers, *varID) port // returns the port of a variable
	reserved []string                                // names that such variables reserve in a package, besides the common ones
	types    func(*generator)                        // declares the types of such variables
	among    string                                  // the adjective for such variables in the package comment; empty for the common domain
	doc      string                                  // a sentence on them in the package comment; may be empty
}

// domains is the table of domains, in the order in which packages declare their types. A new domain
// is a file with a port, and an element here.
var domains = []domain{discreteDomain, realDomain}

// domainOf returns the row for the domain of v.
func domainOf(v *model.Var) *domain {
	for i := range domains {
		if domains[i].takes(v.Domain) {
			return &domains[i]
		}
	}
	panic(fmt.Sprintf("codegen: no port for the domain of variable %q, %T", v.Name, v.Domain))
}

// domainsOf returns the rows for the domains of m's variables, in the order of the table.
func domainsOf(m *model.Model) (list []*domain) {
	for i := range domains {
		if d := &domains[i]; d.count(m) > 0 {
			list = append(list, d)
		}
	}
	return list
}

// count returns the number of variables of m that have the domain.
func (d *domain) count(m *model.Model) (n int) {
	for _, v := range m.Vars {
		if domainOf(v) == d {
			n++
		}
	}
	return n
}
