package circuits

import (
	"bytes"
	"fmt"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/numbers"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Line is a node in the form of the files, where numbers occur only as weights of the operands of
// sums.
type Line struct {
	Op      model.CircuitOp // not CircuitNumber
	Var     int             // of an indicator
	State   int             // of an indicator
	Args    []int           // of a sum or product: earlier lines
	Weights []float64       // of a sum
}

// Lines returns the circuit of m, which must consist of one. The last line is the root, which
// reaches all others. Errors call the file what, as in "a .jpc file".
func Lines(m *model.Model, what string) ([]Line, error) {
	if m.Kind != model.Markov || len(m.Factors) != 1 {
		return nil, fmt.Errorf("%s holds one circuit; the model is a %v of %d factors", what, m.Kind, len(m.Factors))
	}
	f := m.Factors[0]
	d := f.Circuit()
	if d == nil || len(f.Scope) != len(m.Vars) {
		return nil, fmt.Errorf("%s: %s holds one circuit over all variables", m.FactorName(f), what)
	}
	s := splitter{edges: make([]edge, len(d.Nodes))}
	for i := range d.Nodes {
		if why := s.node(i, &d.Nodes[i], f); why != "" {
			s.edges[i] = edge{why: fmt.Sprintf("node %d %s", i, why)}
		}
	}
	root := s.edges[len(s.edges)-1]
	switch {
	case root.why != "":
		return nil, fmt.Errorf("%s: %s; %s cannot hold it", m.FactorName(f), root.why, what)
	case root.line < 0:
		return nil, fmt.Errorf("%s is a number; %s holds a circuit", m.FactorName(f), what)
	case root.weight != 1:
		root = s.add(Line{Op: model.CircuitSum, Args: []int{root.line}, Weights: []float64{root.weight}})
	}
	return Needed(s.lines[:root.line+1]), nil
}

// splitter factors the numbers out of products.
type splitter struct {
	lines []Line
	edges []edge // for each node
}

// edge is a line and a weight that multiplies it.
type edge struct {
	line   int // negative for a number without a line
	weight float64
	why    string // why no line can represent the node; empty if one can
}

func (s *splitter) add(l Line) edge {
	s.lines = append(s.lines, l)
	return edge{line: len(s.lines) - 1, weight: 1}
}

// node computes the edge of node i. If no line can represent the node, it returns the reason.
func (s *splitter) node(i int, n *model.CircuitNode, f *model.Factor) string {
	for _, a := range n.Args {
		if s.edges[a].why != "" {
			s.edges[i] = s.edges[a]
			return ""
		}
	}
	switch n.Op {
	case model.CircuitNumber:
		s.edges[i] = edge{line: -1, weight: n.Value}
	case model.CircuitIndicator:
		s.edges[i] = s.add(Line{Op: n.Op, Var: int(f.Scope[n.Axis]), State: int(n.State)})
	case model.CircuitSum:
		return s.sum(i, n)
	case model.CircuitProduct:
		return s.product(i, n)
	}
	return ""
}

func (s *splitter) sum(i int, n *model.CircuitNode) string {
	l := Line{Op: n.Op, Args: make([]int, len(n.Args)), Weights: make([]float64, len(n.Args))}
	for k, a := range n.Args {
		e := s.edges[a]
		if e.line < 0 {
			return "is a sum with a number"
		}
		l.Args[k], l.Weights[k] = e.line, e.weight
	}
	if len(l.Args) == 0 {
		return "is an empty sum"
	}
	s.edges[i] = s.add(l)
	return ""
}

func (s *splitter) product(i int, n *model.CircuitNode) string {
	l, weight := Line{Op: n.Op}, 1.0
	for _, a := range n.Args {
		e := s.edges[a]
		weight *= e.weight
		if e.line >= 0 {
			l.Args = append(l.Args, e.line)
		}
	}
	if !(weight <= maxWeight) { // or 0 times infinity
		return fmt.Sprintf("has a weight of %v", weight)
	}
	switch len(l.Args) {
	case 0:
		s.edges[i] = edge{line: -1}
	case 1:
		s.edges[i] = edge{line: l.Args[0]}
	default:
		s.edges[i] = s.add(l)
	}
	s.edges[i].weight = weight
	return ""
}

// maxWeight is less than e to [numbers.MaxLog].
const maxWeight = 8e307

// Needed returns the last line and the lines that it reaches.
func Needed(lines []Line) []Line {
	needed := make([]bool, len(lines))
	needed[len(lines)-1] = true
	for i, l := range slices.Backward(lines) {
		if needed[i] {
			for _, a := range l.Args {
				needed[a] = true
			}
		}
	}
	out := lines[:0]
	place := make([]int, len(lines))
	for i, l := range lines {
		if !needed[i] {
			continue
		}
		for k, a := range l.Args {
			l.Args[k] = place[a]
		}
		place[i] = len(out)
		out = append(out, l)
	}
	return out
}

// CheckLeaves returns an error if the indicators in lines do not determine the variables of m and
// their numbers of states. A format without a list of variables needs them. An indicator of either
// state determines a variable with two states.
func CheckLeaves(m *model.Model, lines []Line, what string) error {
	states := make([]int, len(m.Vars))
	for _, l := range lines {
		if l.Op == model.CircuitIndicator {
			states[l.Var] = max(states[l.Var], l.State+1)
			if m.Card(model.VarID(l.Var)) == 2 {
				states[l.Var] = 2
			}
		}
	}
	for v, n := range states {
		if card := m.Card(model.VarID(v)); n != card {
			return fmt.Errorf("no node has state %d of %q, and %s has no list of variables", card-1, m.Vars[v].Name, what)
		}
	}
	return nil
}

// Args writes the operands of a line, each followed by its weight if it has one.
func Args(w *bytes.Buffer, l *Line) {
	for i, a := range l.Args {
		w.WriteByte(' ')
		numbers.Int(w, a)
		if l.Op == model.CircuitSum {
			w.WriteByte(' ')
			numbers.WriteLogOf(w, l.Weights[i])
		}
	}
}

// Binomial returns the probabilities of 0 to n successes in n trials. The logarithm of the
// probability of a success is log.
func Binomial(n int, log float64) []float64 {
	out := make([]float64, n+1)
	all, _ := math.Lgamma(float64(n + 1))
	other := pgmrt.Ln(-math.Expm1(log))
	for k := range out {
		ways, _ := math.Lgamma(float64(k + 1))
		rest, _ := math.Lgamma(float64(n - k + 1))
		sum := all - ways - rest
		if k > 0 {
			sum += float64(k) * log
		}
		if k < n {
			sum += float64(n-k) * other
		}
		out[k] = math.Exp(sum)
	}
	return out
}
