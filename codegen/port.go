package codegen

import (
	"fmt"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// port is what a variable of one domain is in a generated package. Its values are discretePort and
// realPort. Types are returned as Go text, and so are statements, which end with a newline unless
// they are empty.
type port interface {
	field() string  // the type of its field in Evidence, with the text form of a value
	soft() string   // the type of its field in Soft; empty if it takes no likelihoods
	answer() string // the type of its posterior
	states() int    // how many states it has; 0 if its values are no states
	enum() int      // the place of its type of states in the table enums; -1 if it has none

	// named notes that the variable is called id.
	named(n *namer, id string)
	// posterior is the expression of the answer that a span holds in a memory of the given name.
	posterior(memory string, s *ir.Span) string
	// observe is the statements that check what the Evidence ev has of the variable, and enter it.
	observe(g *generator, inputs []*ir.Span) string
	// likelihood is the statements that multiply by what soft has of the variable, and check it
	// even if there are no inputs.
	likelihood(g *generator, inputs []*ir.Span) string
	// estimate is the statements that add the variable to an estimate of a joint probability by the
	// method of the given name, or refuse it.
	estimate(g *generator, method string) string
}

// domain is a row of domains: what the variables of a domain have in common.
type domain struct {
	takes    func(model.Domain) bool
	port     func(*namer, *identifiers, *varID) port // makes the port of a variable
	reserved []string                                // names of a package that has such variables, beside those of all
	types    func(*generator)                        // declares the types of such variables
	among    string                                  // what the comment of a package calls them; empty for the usual ones
	doc      string                                  // a line on them for the comment of a package; may be empty
}

// domains is the table of domains, in the order in which packages declare their types. A new domain
// is a file with a port, and a line here.
var domains = []domain{discreteDomain, realDomain}

// domainOf returns the row of a variable.
func domainOf(v *model.Var) *domain {
	for i := range domains {
		if domains[i].takes(v.Domain) {
			return &domains[i]
		}
	}
	panic(fmt.Sprintf("codegen: no port for the domain of variable %q, %T", v.Name, v.Domain))
}

// domainsOf returns the rows of the variables of m, in the order of the table.
func domainsOf(m *model.Model) (list []*domain) {
	for i := range domains {
		if d := &domains[i]; d.count(m) > 0 {
			list = append(list, d)
		}
	}
	return list
}

// count is the number of variables of m that have the domain.
func (d *domain) count(m *model.Model) (n int) {
	for _, v := range m.Vars {
		if domainOf(v) == d {
			n++
		}
	}
	return n
}
