package growing

import (
	"github.com/pgmc-go/pgmc/ir/circuit"
)

// term drafts the term of a state in the sum that a pair becomes.
func (p *Planner) term(x *pair, state int) {
	rest := p.condition(x.v, state)
	if rest == zero {
		return
	}
	start := len(p.scratch)
	p.scratch = append(p.scratch, p.c.inds[p.split.Var][state])
	if rest != one {
		p.scratch = append(p.scratch, rest)
	}
	d := p.copy(x.d, state == p.split.State)
	p.scratch = append(p.scratch, d)
	x.terms = append(x.terms, p.draft(prod, p.scratch[start:]))
	p.scratch = p.scratch[:start]
}

// copy drafts the copy of a node with the parameters, with the new ones for yes or no.
func (p *Planner) copy(n int32, yes bool) int32 {
	m := &p.no[n]
	if yes {
		m = &p.yes[n]
	}
	if m.pass == p.plan || p.failed {
		return m.node
	}
	start := len(p.scratch)
	for _, arg := range p.c.nodes[n].args {
		if p.marks[arg] == p.plan {
			arg = p.copy(arg, yes)
		}
		p.scratch = append(p.scratch, arg)
	}
	if x := &p.c.nodes[n]; x.op == param {
		*m = memo{p.plan, p.newParam(n, yes)}
	} else {
		*m = memo{p.plan, p.draft(x.op, p.scratch[start:])}
	}
	p.scratch = p.scratch[:start]
	return m.node
}

// newParam drafts the replacement of a parameter.
func (p *Planner) newParam(n int32, yes bool) int32 {
	number := len(p.c.params)
	if !yes {
		number += len(p.split.Params)
	}
	for i, x := range p.split.Params {
		if x == p.c.nodes[n].a {
			number += i
		}
	}
	p.drafts = append(p.drafts, draft{op: param, a: int32(number)})
	id := p.base + int32(len(p.drafts)) - 1
	if !p.split.Keep {
		return id
	}
	return p.draft(prod, []int32{id, n})
}

// condition drafts a node of the variable's scope conditioned on a state, without the variable's
// indicators.
func (p *Planner) condition(n int32, state int) int32 {
	if m := p.cond[n]; m.pass == p.pass || p.failed {
		return m.node
	}
	var to int32
	switch x := &p.c.nodes[n]; x.op {
	case indicator:
		if to = zero; int(x.b) == state {
			to = one
		}
	case sum:
		start := len(p.scratch)
		for _, arg := range x.args {
			if r := p.condition(arg, state); r != zero {
				p.scratch = append(p.scratch, r)
			}
		}
		to = p.fold(sum, start, zero)
	case prod:
		to = p.conditionProduct(x, state)
	}
	p.cond[n] = memo{p.pass, to}
	return to
}

func (p *Planner) conditionProduct(x *node, state int) int32 {
	rest := one
	for _, arg := range x.args { // exactly one of them has the variable
		if p.c.over(arg, p.split.Var) {
			rest = p.condition(arg, state)
		}
	}
	if rest == zero {
		return zero
	}
	start := len(p.scratch)
	for _, arg := range x.args {
		if !p.c.over(arg, p.split.Var) {
			p.scratch = append(p.scratch, arg)
		} else if rest != one {
			p.scratch = append(p.scratch, rest)
		}
	}
	return p.fold(prod, start, one)
}

// fold drafts a node with operands on scratch. Without operands it returns empty; with one, that
// operand.
func (p *Planner) fold(op circuit.Op, start int, empty int32) int32 {
	args := p.scratch[start:]
	p.scratch = p.scratch[:start]
	switch len(args) {
	case 0:
		return empty
	case 1:
		return args[0]
	}
	return p.draft(op, args)
}
