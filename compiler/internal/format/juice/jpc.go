package juice

import (
	"fmt"
	"math"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/circuits"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/numbers"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/text"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

type jpc struct {
	*circuits.Reader
	announced int             // number of nodes in the head; negative if missing
	head      diag.Pos        // position of that number
	counts    *numbers.Budget // budget of states that short lines stand for
}

func readJPC(src *format.Source, opt format.ReadOptions) (*model.Model, diag.List) {
	p := jpc{Reader: circuits.NewReader(src, numbers.CLine), counts: numbers.NewBudget(len(src.Data))}
	return p.Read(p.first, p.node, p.whole)
}

func (p *jpc) first() (ok bool) {
	p.head = p.Pos()
	p.announced, ok = p.Head("jpc")
	return ok
}

// whole checks the number of nodes, so that a truncated file is not read as a smaller circuit.
func (p *jpc) whole() bool {
	if p.announced >= 0 && p.announced != p.Len() {
		p.Errorf(p.head, "the head declares %d nodes; the file has %d", p.announced, p.Len())
		return false
	}
	return true
}

// node reads a line.
func (p *jpc) node(kind numbers.Word) bool {
	pos := p.PosOf(kind)
	read := p.rest(kind.Text)
	if read == nil {
		p.Errorf(pos, "found %s; want a kind of node with states: L, I, C, B, P or S", text.Quote(kind.Text))
		return false
	}
	id, ok := p.ID()
	if !ok {
		return false
	}
	ref, ok := read(pos)
	return ok && p.Define(id, ref)
}

// rest returns the function that reads the rest of a line, or nil for other kinds, such as G, a
// normal distribution.
func (p *jpc) rest(kind string) func(diag.Pos) (circuits.Ref, bool) {
	switch kind {
	case "L":
		return p.Literal
	case "I":
		return p.indicator
	case "C":
		return p.categorical
	case "B":
		return p.binomial
	case "P":
		return p.product
	case "S":
		return p.sum
	}
	return nil
}

// indicator reads a variable and a state.
func (p *jpc) indicator(pos diag.Pos) (circuits.Ref, bool) {
	v, ok := p.Var()
	if !ok {
		return 0, false
	}
	s, ok := p.Int(0, model.MaxStates-1, "a state")
	return p.Indicator(pos, v, int32(s), s+1), ok
}

// categorical reads a variable and the weights of its states.
func (p *jpc) categorical(pos diag.Pos) (circuits.Ref, bool) {
	v, ok := p.Var()
	if !ok {
		return 0, false
	}
	var weights []float64
	for len(weights) == 0 || p.More() {
		log, ok := p.Log("the logarithm of a probability")
		if !ok {
			return 0, false
		}
		weights = append(weights, math.Exp(log))
	}
	return p.states(pos, v, weights), true
}

// binomial reads a variable, its largest state, and the logarithm of a probability.
func (p *jpc) binomial(pos diag.Pos) (circuits.Ref, bool) {
	v, ok := p.Var()
	if !ok {
		return 0, false
	}
	at := p.Word
	n, ok := p.Int(0, model.MaxStates-1, "the largest number of successes")
	if !ok || !p.Afford(p.counts, at, nodesPerState*(n+1)) {
		return 0, false
	}
	at = p.Word
	log, ok := p.Log("the logarithm of a probability")
	if !ok {
		return 0, false
	}
	if log > 0 {
		p.Errorf(p.PosOf(at), "found %s; want the logarithm of a probability, at most 0", text.Quote(at.Text))
		return 0, false
	}
	return p.states(pos, v, circuits.Binomial(n, log)), true
}

// nodesPerState is the cost of a state of B in a budget of states: an indicator, a weight, a
// product, and an operand of a sum.
const nodesPerState = 4

// states returns the weighted sum of the indicators of a variable.
func (p *jpc) states(pos diag.Pos, v int, weights []float64) circuits.Ref {
	args := make([]circuits.Ref, len(weights))
	for s, w := range weights {
		args[s] = p.Weighted(pos, w, p.Indicator(pos, v, int32(s), s+1))
	}
	return p.Sum(pos, args)
}

func (p *jpc) product(pos diag.Pos) (circuits.Ref, bool) {
	n, ok := p.Count(1)
	if !ok {
		return 0, false
	}
	args := make([]circuits.Ref, n)
	for i := range args {
		if args[i], ok = p.Arg(); !ok {
			return 0, false
		}
	}
	return p.Product(pos, args), true
}

func (p *jpc) sum(pos diag.Pos) (circuits.Ref, bool) {
	n, ok := p.Count(2)
	if !ok {
		return 0, false
	}
	args := make([]circuits.Ref, n)
	for i := range args {
		if args[i], ok = p.WeightedArg(pos); !ok {
			return 0, false
		}
	}
	return p.Sum(pos, args), true
}

func writeJPC(out *format.Sink, m *model.Model) error {
	const what = "a .jpc file"
	lines, err := circuits.Lines(m, what)
	if err != nil {
		return err
	}
	if err := circuits.CheckLeaves(m, lines, what); err != nil {
		return err
	}
	numbers.LoseNames(out, m, ".jpc", "x", func(v model.VarID) int { return int(v) })
	lines = categoricals(m, lines)
	w := out.Add(out.Name)
	fmt.Fprintf(w, "jpc %d\n", len(lines))
	for i, l := range lines {
		switch {
		case l.Op == model.CircuitSum && len(l.Args) == 0:
			fmt.Fprintf(w, "C %d 0 %d", i, l.Var+1)
			for _, x := range l.Weights {
				w.WriteByte(' ')
				numbers.WriteLogOf(w, x)
			}
		case l.Op == model.CircuitSum:
			fmt.Fprintf(w, "S %d 0 %d", i, len(l.Args))
			circuits.Args(w, &l)
		case l.Op == model.CircuitProduct:
			fmt.Fprintf(w, "P %d 0 %d", i, len(l.Args))
			circuits.Args(w, &l)
		case m.Card(model.VarID(l.Var)) != 2:
			fmt.Fprintf(w, "I %d 0 %d %d", i, l.Var+1, l.State)
		case l.State == 0:
			fmt.Fprintf(w, "L %d 0 -%d", i, l.Var+1)
		default:
			fmt.Fprintf(w, "L %d 0 %d", i, l.Var+1)
		}
		w.WriteByte('\n')
	}
	return nil
}

// categoricals replaces sums over all states of one variable, in order, by sums without operands
// that name the variable.
func categoricals(m *model.Model, lines []circuits.Line) []circuits.Line {
	for i := range lines {
		l := &lines[i]
		if l.Op != model.CircuitSum {
			continue
		}
		v, all := lines[l.Args[0]].Var, true
		for s, a := range l.Args {
			all = all && lines[a].Op == model.CircuitIndicator && lines[a].Var == v && lines[a].State == s
		}
		if all && len(l.Args) == m.Card(model.VarID(v)) {
			l.Var, l.Args = v, nil
		}
	}
	return circuits.Needed(lines)
}
