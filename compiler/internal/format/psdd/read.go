package psdd

import (
	"math"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/circuits"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/numbers"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/text"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

type parser struct{ *circuits.Reader }

func read(src *format.Source, opt format.ReadOptions) (*model.Model, diag.List) {
	p := parser{circuits.NewReader(src, numbers.CLine)}
	head := func() bool {
		_, ok := p.Head("psdd") // the number of nodes, which is often wrong
		return ok
	}
	return p.Read(head, p.node, func() bool { return true })
}

// node reads a line.
func (p parser) node(kind numbers.Word) bool {
	pos := p.PosOf(kind)
	switch kind.Text {
	case "L", "T", "D":
	default:
		p.Errorf(pos, "found %s; want a kind of node: L, T or D", text.Quote(kind.Text))
		return false
	}
	id, ok := p.ID()
	if !ok {
		return false
	}
	var ref circuits.Ref
	switch kind.Text {
	case "L":
		ref, ok = p.Literal(pos)
	case "T":
		ref, ok = p.either(pos)
	case "D":
		ref, ok = p.decision(pos)
	}
	return ok && p.Define(id, ref)
}

// either reads a distribution of one variable.
func (p parser) either(pos diag.Pos) (ref circuits.Ref, ok bool) {
	v, ok := p.Var()
	if !ok {
		return 0, false
	}
	no, yes, ok := p.weights()
	if !ok {
		return 0, false
	}
	return p.Sum(pos, []circuits.Ref{
		p.Weighted(pos, no, p.Indicator(pos, v, 0, 2)),
		p.Weighted(pos, yes, p.Indicator(pos, v, 1, 2)),
	}), true
}

// weights reads the weights of 0 and 1, or that of 1, from which the other follows.
func (p parser) weights() (no, yes float64, ok bool) {
	at := p.Word
	first, ok := p.Log("the logarithm of a probability")
	switch {
	case !ok:
		return 0, 0, false
	case p.More():
		second, ok := p.Log("the logarithm of a probability")
		return math.Exp(first), math.Exp(second), ok
	case first > 0:
		p.Errorf(p.PosOf(at), "found %s; want the logarithm of a probability, at most 0", text.Quote(at.Text))
		return 0, 0, false
	}
	return 0 - math.Expm1(first), math.Exp(first), true // avoids -0
}

// decision reads elements, which are products of a weight, a prime and a sub.
func (p parser) decision(pos diag.Pos) (ref circuits.Ref, ok bool) {
	n, ok := p.Count(3)
	if !ok {
		return 0, false
	}
	elements := make([]circuits.Ref, n)
	for i := range elements {
		prime, ok := p.Arg()
		if !ok {
			return 0, false
		}
		sub, ok := p.Arg()
		if !ok {
			return 0, false
		}
		weight, ok := p.Log("the logarithm of a weight")
		if !ok {
			return 0, false
		}
		elements[i] = p.Weighted(pos, math.Exp(weight), prime, sub)
	}
	return p.Sum(pos, elements), true
}
