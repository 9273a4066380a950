package sql

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
	"github.com/pgmc-go/pgmc/ir/symbolic"
)

// maxProducts is the largest number of products of a query: engines plan such queries in seconds.
// maxExpanded is the number up to which products of a refused query are counted.
const (
	maxProducts = 5000
	maxExpanded = 1 << 20
)

// Eliminable returns an error if Eliminate has no query for m.
func Eliminable(m *model.Model) error {
	return model.Refuse("", "a query in SQL that eliminates variables", model.Givens, m.Needs(), others)
}

// Observation says how the cells of a variable enter a query that eliminates others.
type Observation uint8

// The observations.
const (
	Unobserved Observation = iota // its column is not read
	Required                      // the answers of a row without its state are NULL
	Optional                      // a missing cell is summed out
)

// Eliminate returns the query of an entry of a program that was compiled for the model: ln P of the
// evidence for an entry with a root and no target, and the posterior of its target otherwise.
// observed says, by variable, what the evidence is. A cell that is not missing and no state makes
// the answers of its row NULL.
func (q *Query) Eliminate(p *ir.Program, e *ir.Entry, observed []Observation) (string, error) {
	w, err := q.newWriter()
	if err != nil {
		return "", err
	}
	if err := Eliminable(q.Model); err != nil {
		return "", err
	}
	if q.Params != "" {
		return "", diag.Errorf("a query that eliminates variables multiplies parameters beforehand, and reads no table of them; leave %v out", diag.Option{Name: "params"})
	}
	t := &trace{Refuse: refuseStep, writer: w, p: p, c: circuit.NewSigned(), observed: observed, scale: map[ir.SpanID]circuit.Node{}}
	if err := t.run(e); err != nil {
		return "", err
	}
	var roots []circuit.Node
	score := e.Query.Kind == ir.LogProb
	if score {
		logs := t.scale[e.Exp]
		for _, id := range e.Logs {
			logs = t.c.Sum(logs, t.x.Element(id, 0))
		}
		roots = []circuit.Node{t.x.Element(e.Root, 0), logs}
	} else {
		for i := range p.Spans[e.Outs[0]].Len {
			roots = append(roots, t.x.Element(e.Outs[0], i))
		}
	}
	if n := t.products(roots); n > maxProducts {
		return "", tooMany(fmt.Sprint(n))
	}
	columns, from := t.chain(roots)
	if !score {
		return w.shares(e.Query.Targets[0], columns, from)
	}
	root, terms := columns[0], []string{"ln(" + columns[0] + ")"}
	if roots[1] != circuit.Zero {
		terms = append(terms, columns[1])
	}
	if logZ := p.LogZ + e.LogZ; logZ != 0 {
		terms = append(terms, q.Dialect.Number(-logZ))
	}
	answer := fmt.Sprintf("CASE WHEN %[1]s > %[2]s THEN %[3]s WHEN %[1]s = %[2]s THEN %[4]s END",
		root, q.Dialect.Number(0), strings.Join(terms, " + "), q.Dialect.Number(math.Inf(-1)))
	return w.finish([]string{answer}, []string{LogP}, from)
}

// refuseStep returns the error for a step that SQL cannot have.
func refuseStep(found string) error {
	return fmt.Errorf("the program has %s, which SQL cannot represent; use pgmc score or pgmc predict", found)
}

// tooMany returns the error for a query of so many products.
func tooMany(n string) error {
	return fmt.Errorf("the query would take %s products; want %d at most; use pgmc score or pgmc predict on a Parquet file of the rows, or Beam", n, maxProducts)
}

// trace is the symbolic execution of an entry. It neither normalises nor inverts, since the last
// step of the query divides posteriors by their sum.
type trace struct {
	symbolic.Refuse // refuses steps that are neither sums of products nor scale them
	*writer
	x        *symbolic.Executor
	p        *ir.Program
	c        *circuit.Circuit
	observed []Observation
	leaves   []leaf                     // of the inputs of the circuit
	scale    map[ir.SpanID]circuit.Node // by exponent: the logarithm that rescaling took out
	level    []int                      // by node: the steps from its own to the last one; 0 for a node without a column
	last     []int                      // by node: the level of the last step that reads its column
	cells    []int                      // by variable: the level of the last step that reads its cell
	reads    []bool                     // by variable: whether a step reads its cell
}

// leaf is the likelihood of one state: 1 if the cell allows the state, and 0 otherwise.
type leaf struct {
	v     model.VarID
	state int
}

// run executes the steps of an entry.
func (t *trace) run(e *ir.Entry) error {
	t.x = symbolic.New(t.p, t.c, maxExpanded, t)
	for _, b := range e.Blocks {
		for _, step := range t.p.Blocks[b].Steps {
			err := t.x.Step(step)
			if errors.Is(err, symbolic.ErrLimit) {
				return tooMany(fmt.Sprintf("more than %d", maxExpanded))
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// Input implements symbolic.Client.
func (t *trace) Input(id ir.SpanID, i int) circuit.Node {
	span := &t.p.Spans[id]
	switch {
	case span.ReadOnly():
		return t.c.Const(span.Data[i])
	case span.Role != ir.RoleIn:
		return circuit.Zero
	case t.observed[span.Var] == Unobserved:
		return circuit.One
	}
	t.leaves = append(t.leaves, leaf{span.Var, i})
	return t.c.Input(int32(len(t.leaves) - 1))
}

// Normalize implements symbolic.Client.
func (*trace) Normalize(*ir.Normalize) error { return nil }

// Invert implements symbolic.Client.
func (t *trace) Invert(s *ir.Invert) error {
	t.x.Set(s.Out, 0, circuit.One)
	return nil
}

// Rescale implements symbolic.Client. It divides by the largest element.
func (t *trace) Rescale(s *ir.Rescale) error {
	most := circuit.Zero
	for i := range t.p.Spans[s.Span].Len {
		if n := t.x.Element(s.Span, i); most == circuit.Zero {
			most = n
		} else if n != circuit.Zero {
			most = t.c.Max(most, n)
		}
	}
	for i, n := range t.x.Elements(s.Span) {
		t.x.Set(s.Span, i, t.c.Ratio(n, most))
	}
	if s.Exp != ir.NoSpan {
		t.scale[s.Exp] = t.c.Sum(t.scale[s.Exp], t.c.Apply(circuit.Log, most, 0))
	}
	return nil
}

// products returns the number of products that roots depend on.
func (t *trace) products(roots []circuit.Node) (n int) {
	for i, uses := range t.c.Uses(roots) {
		if uses > 0 && t.c.Op(circuit.Node(i)) == circuit.Prod {
			n++
		}
	}
	return n
}

// maxExpression is the largest number of operations of one expression.
const maxExpression = 64

// arrange decides which nodes get a column: roots, nodes that are read more than once, and nodes
// with long expressions. Each is computed as late as its readers allow, so that few columns pass
// from step to step.
func (t *trace) arrange(roots []circuit.Node) {
	n := t.c.Len()
	t.level, t.last = make([]int, n), make([]int, n)
	t.cells, t.reads = make([]int, len(t.Model.Vars)), make([]bool, len(t.Model.Vars))
	uses, size := t.c.Uses(roots), make([]int, n)
	for i := range circuit.Node(n) {
		if uses[i] == 0 || t.c.Op(i) == circuit.Const {
			continue
		}
		if t.c.Op(i) != circuit.Input {
			size[i] = 1
			for _, a := range t.args(i) {
				size[i] += size[a]
			}
		}
		if uses[i] > 1 || size[i] >= maxExpression || t.c.Op(i) > circuit.Prod {
			t.level[i], size[i] = 1, 0
		}
		for _, a := range t.args(i) {
			if t.c.Op(i) > circuit.Prod && t.c.Op(a) != circuit.Const { // its text has the operands more than once
				t.level[a], size[a] = 1, 0
			}
		}
	}
	for _, r := range roots {
		if t.c.Op(r) != circuit.Const {
			t.level[r] = 1
		}
	}
	for i := range t.last {
		t.last[i] = n
	}
	for _, r := range roots {
		t.last[r] = 0
	}
	for i := circuit.Node(n) - 1; i >= 0; i-- {
		if t.level[i] > 0 && uses[i] > 0 {
			t.visit(i, i)
		}
	}
}

// args returns the operands of a node.
func (t *trace) args(n circuit.Node) []circuit.Node {
	if t.c.Op(n) < circuit.Sum {
		return nil
	}
	a, b := t.c.Args(n)
	if t.c.Op(n).Unary() {
		return []circuit.Node{a}
	}
	return []circuit.Node{a, b}
}

// visit notes the columns and cells that the expression of node of reads in its part n.
func (t *trace) visit(n, of circuit.Node) {
	at := t.level[of]
	if t.c.Op(n) == circuit.Input {
		v := t.leaves[t.c.Leaf(n)].v
		if !t.reads[v] || at < t.cells[v] {
			t.reads[v], t.cells[v] = true, at
		}
	}
	for _, a := range t.args(n) {
		if t.level[a] == 0 {
			t.visit(a, of)
			continue
		}
		t.level[a] = max(t.level[a], at+1)
		t.last[a] = min(t.last[a], at)
	}
}

// chain writes the steps and returns the columns or numbers of the roots, and the last step.
func (t *trace) chain(roots []circuit.Node) (columns []string, from string) {
	t.arrange(roots)
	top := 0
	uses := t.c.Uses(roots)
	var vars []model.VarID
	for i, l := range t.level {
		if uses[i] > 0 {
			top = max(top, l)
		}
	}
	for v, read := range t.reads {
		if read {
			vars = append(vars, model.VarID(v))
		}
	}
	from = t.writer.cells(vars)
	for l := top; l > 0; l-- {
		var list []string
		for _, v := range vars {
			if t.cells[v] < l {
				list = append(list, t.column(v))
			}
		}
		for i := range circuit.Node(t.c.Len()) {
			switch {
			case uses[i] == 0 || t.level[i] < l || t.last[i] >= l:
			case t.level[i] == l:
				list = append(list, as(t.operation(i), t.temp(int(i))))
			default:
				list = append(list, t.temp(int(i)))
			}
		}
		from = t.step(list, from)
	}
	for _, r := range roots {
		columns = append(columns, t.operand(r))
	}
	return columns, from
}

// operand returns the column of a node, its number, or its expression.
func (t *trace) operand(n circuit.Node) string {
	switch {
	case t.c.Op(n) == circuit.Const:
		return t.Dialect.Number(t.c.Value(n))
	case t.level[n] > 0:
		return t.temp(int(n))
	case t.c.Op(n) == circuit.Input:
		return t.operation(n)
	}
	return "(" + t.operation(n) + ")"
}

// operation returns the expression that computes a node.
func (t *trace) operation(n circuit.Node) string {
	if t.c.Op(n) == circuit.Input {
		return t.likelihood(t.leaves[t.c.Leaf(n)])
	}
	var list []string
	for _, a := range t.args(n) {
		list = append(list, t.operand(a))
	}
	switch t.c.Op(n) {
	case circuit.Prod:
		return strings.Join(list, " * ")
	case circuit.Max:
		return t.Dialect.Most(list)
	case circuit.Ratio: // the numerator is 0 or NULL if the denominator, the largest of a group, is
		return fmt.Sprintf("CASE WHEN %[1]s > %[2]s THEN %[3]s / %[1]s ELSE %[3]s END", list[1], t.Dialect.Number(0), list[0])
	case circuit.Log: // of 0 it is 0, since the root is 0 then
		return fmt.Sprintf("CASE WHEN %[1]s > %[2]s THEN ln(%[1]s) WHEN %[1]s = %[2]s THEN %[2]s END", list[0], t.Dialect.Number(0))
	}
	return strings.Join(list, " + ")
}

// likelihood returns the expression of a leaf.
func (t *trace) likelihood(x leaf) string {
	b := &strings.Builder{}
	fmt.Fprintf(b, "CASE %s", t.column(x.v))
	for s, state := range t.states(x.v) {
		one := map[bool]float64{true: 1}[s == x.state]
		fmt.Fprintf(b, " WHEN %s THEN %s", state, t.Dialect.Number(one))
	}
	if t.observed[x.v] == Optional {
		fmt.Fprintf(b, " ELSE CASE WHEN %s IS NULL THEN %s END", t.column(x.v), t.Dialect.Number(1))
	}
	return b.String() + " END"
}
