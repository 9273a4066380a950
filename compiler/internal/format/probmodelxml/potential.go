package probmodelxml

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/text"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/xmltext"
	"github.com/pgmc-go/pgmc/ir/diag"
)

// potential is a potential as the file gives it. The first of vars is the child.
type potential struct {
	pos        diag.Pos
	kind, role string
	vars       []ref
	own        []ref // the utility that it is about, in version 0.2.0, and utilities on which that depends
	values     []float64
	offsets    []int
	state      string  // of a Delta
	number     float64 // of a Delta
	hasNumber  bool
	top        ref // of a tree
	branches   []*branch
	function   string       // of a Function
	model      string       // of an ICIModel
	parts      []*potential // of an ICIModel

	coefficients []float64 // of a regression, one for each covariate
	covariates   []covariate
	time         *ref // of a hazard: the variable that holds the time
	plain        bool // of a hazard: the regression is not of the logarithm

	strides []int // of a table that was checked, by parent of the whole potential
	terms   []term
	partial bool // a tree of which a warning says that it lacks a branch
}

// covariate is an expression of the parents that a regression multiplies by a number.
type covariate struct {
	text string
	pos  diag.Pos
}

// branch is a branch of a tree.
type branch struct {
	pos              diag.Pos
	states           []string
	low, high        cut // if interval
	interval         bool
	potential        *potential
	label, reference string
}

// topPotential reads a potential of the network.
func (p *parser) topPotential(e xmltext.Element) {
	if e.Name != "Potential" {
		p.Errorf(e.Pos, `found the element %s; want "Potential"`, text.Quote(e.Name))
		return
	}
	labels := map[string]*potential{}
	q := p.potential(e, labels)
	p.resolve(q, labels)
	p.potentials = append(p.potentials, q)
}

// potential reads a potential. Labels has the potentials of the branches with a label.
func (p *parser) potential(e xmltext.Element, labels map[string]*potential) *potential {
	q := &potential{pos: e.Pos}
	q.kind, _ = e.Attr("type")
	q.role, _ = e.Attr("role")
	if q.kind = strings.ReplaceAll(strings.TrimSpace(q.kind), " ", ""); q.kind == "Sameasprevious" { // in version 1.0.0
		q.kind = "SameAsPrevious"
	}
	p.children(e, func(child xmltext.Element) {
		switch child.Name {
		case "Variables":
			q.vars = nil // an ICIModel may list them twice
			p.children(child, func(v xmltext.Element) { q.vars = append(q.vars, p.ref(v)) })
		case "UtilityVariable":
			q.own = append(q.own, p.ref(child))
		case "Values":
			q.values, q.offsets = p.values(child)
		case "Coefficients":
			q.coefficients, _ = p.values(child)
		case "Covariates":
			p.children(child, func(c xmltext.Element) {
				s, pos, _ := p.dec.Text(c)
				q.covariates = append(q.covariates, covariate{s, pos})
			})
		case "TimeVariable":
			r := p.ref(child)
			q.time = &r
		case "Log":
			s, _, _ := p.dec.Text(child)
			q.plain = s != "true"
		case "State":
			q.state, _, _ = p.dec.Text(child)
		case "NumericValue":
			s, pos, _ := p.dec.Text(child)
			x, err := text.Number(s)
			if err != nil {
				p.Errorf(pos, "found %s; want %v", text.Quote(s), err)
			}
			q.number, q.hasNumber = x, true
		case "TopVariable":
			q.top = p.ref(child)
		case "Branches":
			p.children(child, func(b xmltext.Element) { q.branches = append(q.branches, p.branch(b, labels)) })
		case "Function":
			q.function, _, _ = p.dec.Text(child)
		case "Model":
			s, _, _ := p.dec.Text(child)
			q.model = strings.ReplaceAll(s, " ", "")
		case "Subpotentials":
			p.children(child, func(s xmltext.Element) { q.parts = append(q.parts, p.potential(s, labels)) })
		}
	})
	return q
}

// values reads a list of numbers, and where they are.
func (p *parser) values(e xmltext.Element) (values []float64, offsets []int) {
	p.dec.Words(e, func(s string, off int) bool {
		x, err := text.Entry(s)
		switch {
		case err != nil:
			p.Errorf(p.dec.Pos(off), "found %s; want %v", text.Quote(s), err)
			return false
		case len(values) == p.most:
			p.Errorf(p.dec.Pos(off), "found %s; want a list of at most %d", text.Quote(s), p.most)
			return false
		}
		values, offsets = append(values, x), append(offsets, off)
		return true
	})
	return values, offsets
}

// branch reads a branch of a tree.
func (p *parser) branch(e xmltext.Element, labels map[string]*potential) *branch {
	b := &branch{pos: e.Pos}
	p.children(e, func(child xmltext.Element) {
		switch child.Name {
		case "States":
			b.states = p.stateNames(child)
		case "Thresholds", "Interval":
			list := p.thresholds(child)
			if len(list) != 2 {
				p.Errorf(child.Pos, "found %d thresholds of a branch; want 2", len(list))
				return
			}
			b.low, b.high, b.interval = list[0], list[1], true
		case "Potential":
			b.potential = p.potential(child, labels)
		case "Label":
			b.label, _, _ = p.dec.Text(child)
		case "Reference":
			b.reference, _, _ = p.dec.Text(child)
		}
	})
	if b.label != "" {
		labels[b.label] = b.potential
	}
	return b
}

// resolve replaces references to labels by potentials. A potential of a label that holds a
// reference to itself is an error.
func (p *parser) resolve(q *potential, labels map[string]*potential) {
	for _, b := range q.branches {
		switch target := labels[b.reference]; {
		case b.reference != "" && (target == nil || hasReferences(target)):
			p.Errorf(b.pos, "found a reference to %s; want the label of a branch without references", text.Quote(b.reference))
		case b.reference != "":
			b.potential = target
		case b.potential == nil:
			p.Errorf(b.pos, "found a branch without a potential; want one, or a reference")
		default:
			p.resolve(b.potential, labels)
		}
	}
}

// hasReferences reports whether a branch in q is a reference.
func hasReferences(q *potential) bool {
	for _, b := range q.branches {
		if b.reference != "" || b.potential != nil && hasReferences(b.potential) {
			return true
		}
	}
	return false
}

// text returns all that a potential says, without positions.
func (q *potential) text() string {
	var out strings.Builder
	fmt.Fprintln(&out, q.kind, q.role, q.values, q.state, q.number, q.hasNumber, q.function, q.model, q.top.id, q.coefficients, q.plain)
	for _, r := range slices.Concat(q.vars, q.own) {
		fmt.Fprintln(&out, r.id)
	}
	if q.time != nil {
		fmt.Fprintln(&out, q.time.id)
	}
	for _, c := range q.covariates {
		fmt.Fprintln(&out, c.text)
	}
	for _, x := range q.branches {
		fmt.Fprintln(&out, x.states, x.low, x.high, x.potential.text())
	}
	for _, x := range q.parts {
		out.WriteString(x.text())
	}
	return out.String()
}
