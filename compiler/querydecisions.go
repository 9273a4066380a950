package compiler

import (
	"fmt"
	"strconv"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// kindOfDecision returns the kind of query about one decision that a word names, or nil.
func kindOfDecision(word string) *ir.QueryKind {
	for _, k := range []ir.QueryKind{ir.Best, ir.Information} {
		if word == k.String() {
			return &k
		}
	}
	return nil
}

// ofDecision adds a query about the decision that names hold.
func (p *queryParser) ofDecision(kind ir.QueryKind, names []word) error {
	v, err := p.variable(names[0])
	switch {
	case err != nil:
		return err
	case len(names) > 1 || p.m.Decides(v.ID) == nil:
		return fmt.Errorf("%s(...) is of one decision of an influence diagram", kind)
	}
	p.decision(kind, v.ID)
	return nil
}

// decision adds a query about a decision.
func (p *queryParser) decision(kind ir.QueryKind, decision model.VarID) {
	p.add(&ir.Query{Name: kind.String() + " " + strconv.Quote(p.m.Vars[decision].Name), Kind: kind, Targets: []model.VarID{decision}})
}
