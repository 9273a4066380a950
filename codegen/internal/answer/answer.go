// Package answer writes the methods by which a package answers single queries, a file for each kind
// of answer or for kinds that are alike.
package answer

import (
	"errors"
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/codegen/internal/api"
	"github.com/pgmc-go/pgmc/codegen/internal/query"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Methods writes the methods of single queries.
type Methods struct {
	*query.Statements
	InLanes  func(*ir.Entry) bool // reports whether lanes answer, too
	Fields   []string             // the fields of Params, by span of parameters
	Joints   []jointNames         // by entry; empty if it is not a joint query
	policies []string             // the names of the functions of policies, by decision
	choices  []choiceNames        // by entry; empty if it is not about the options of a decision
	formulas []string             // by block: the statements that answer its signature; empty if a method does
}

// Name assigns the identifiers, as [api.API.Name] does, and those of joint posteriors,
// choices and parameters.
func (g *Methods) Name(types string, chosen map[string]string, reserved ...string) error {
	if err := g.API.Name(types, chosen, reserved...); err != nil {
		return err
	}
	g.nameJoints()
	g.nameChoices()
	g.nameParams()
	return nil
}

// Field is a field of Engine that one kind of query needs.
type Field struct {
	Name, Type string
	Comment    string
	Value      string // the expression that New sets it to; empty for the zero value
}

// CheckRoot refuses an entry without a root.
func CheckRoot(_ *model.Model, _ *ir.Program, e *ir.Entry) error {
	if e.Root == ir.NoSpan {
		return fmt.Errorf("query %q has no root", e.Query.Name)
	}
	return nil
}

// CheckState refuses an entry without a root, and a program without a span of states.
func CheckState(m *model.Model, p *ir.Program, e *ir.Entry) error {
	if err := CheckRoot(m, p, e); err != nil {
		return err
	}
	if p.State == ir.NoSpan && slices.ContainsFunc(e.Query.Evidence, func(v model.VarID) bool { return !m.IsReal(v) }) {
		return fmt.Errorf("query %q needs the program's state, which has no span", e.Query.Name)
	}
	return nil
}

// CheckMarginals refuses an entry without a root or without the posterior of some variable.
func CheckMarginals(m *model.Model, p *ir.Program, e *ir.Entry) error {
	if err := CheckRoot(m, p, e); err != nil {
		return err
	}
	for _, v := range m.Vars {
		if !v.Latent && api.Out(p, e, v.ID) == ir.NoSpan {
			return fmt.Errorf("query %q has no answer for %q", e.Query.Name, v.Name)
		}
	}
	return nil
}

// checkTarget refuses an entry without the posterior of its one target.
func checkTarget(_ *model.Model, p *ir.Program, e *ir.Entry) error {
	if q := e.Query; len(q.Targets) != 1 || api.Out(p, e, q.Targets[0]) == ir.NoSpan {
		return fmt.Errorf("query %q has no answer for its target", q.Name)
	}
	return nil
}

// CheckPosterior is checkTarget, and refuses a second entry for the same variable as well.
func CheckPosterior(m *model.Model, p *ir.Program, e *ir.Entry) error {
	if err := checkTarget(m, p, e); err != nil {
		return err
	}
	for i := range p.Entries {
		other := &p.Entries[i]
		if other == e {
			break
		}
		if q := other.Query; q.Kind == ir.Posterior && q.Targets[0] == e.Query.Targets[0] {
			return fmt.Errorf("query %q asks for the posterior of %q again", e.Query.Name, m.Vars[q.Targets[0]].Name)
		}
	}
	return nil
}

// CheckSignature refuses an entry without the posterior of its one target, and a program without a
// span of states.
func CheckSignature(m *model.Model, p *ir.Program, e *ir.Entry) error {
	if err := checkTarget(m, p, e); err != nil {
		return err
	}
	if p.State == ir.NoSpan && slices.ContainsFunc(e.Query.Evidence, func(v model.VarID) bool { return !m.IsReal(v) }) {
		return fmt.Errorf("query %q needs the program's state, which has no span", e.Query.Name)
	}
	return nil
}

// CheckJoint refuses an entry with an answer that is not a table over the targets.
func CheckJoint(m *model.Model, p *ir.Program, e *ir.Entry) error {
	if err := CheckRoot(m, p, e); err != nil {
		return err
	}
	if e.Query.Best {
		return errors.New("packages have max-marginals of single variables; want maxmarginals without a list of variables")
	}
	discrete, real := m.SplitReal(e.Query.Targets)
	n, ok := m.TableSize(discrete)
	if len(real) > 0 {
		n *= model.JointParts(len(real))
	}
	if !ok || len(e.Outs) != 1 || p.Spans[e.Outs[0]].Len != n {
		return fmt.Errorf("query %q has no answer for its targets", e.Query.Name)
	}
	return nil
}

// CheckJeffrey refuses an entry unless each variable that is not latent has exactly one input,
// which the fitting changes.
func CheckJeffrey(m *model.Model, p *ir.Program, e *ir.Entry) error {
	if err := CheckMarginals(m, p, e); err != nil {
		return err
	}
	inputs := api.InputsOf(m, p, e)
	for _, v := range m.Vars {
		if !v.Latent && len(inputs[v.ID]) != 1 {
			return fmt.Errorf("query %q has %d inputs for %q; want 1", e.Query.Name, len(inputs[v.ID]), v.Name)
		}
	}
	return nil
}
