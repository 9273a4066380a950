package view

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/draw"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/model"
)

// gate is a node of a circuit as show prints it: a sum, product or maximum of any number of
// operands. A node that only one node of the same operation uses is part of that gate.
type gate struct {
	Op    string   `json:"op"`              // sum, product, max, indicator or number
	Args  []int    `json:"args,omitempty"`  // operands, by their indices in the list; they come before the gate
	Value *float64 `json:"value,omitempty"` // of a number
	Var   string   `json:"variable,omitempty"`
	State string   `json:"state,omitempty"`
}

// circuitInfo is a circuit as JSON; the last gate is the root.
type circuitInfo struct {
	Name  string `json:"name"`
	Of    string `json:"of"` // the quantity at the root, as P(evidence)
	Depth int    `json:"depth"`
	Edges int    `json:"edges"`
	Gates []gate `json:"gates"`
}

var gateOps = [...]string{circuit.Const: "number", circuit.Input: "indicator", circuit.Sum: "sum", circuit.Prod: "product", circuit.Max: "max"}

// showCircuit shows the arithmetic circuit of a compiled program, with all tables expanded.
func showCircuit(ctx context.Context, a *cli.App, path string, f *Options) error {
	query := ir.LogProb.String()
	if len(f.Queries) > 0 {
		query = f.Queries[0]
	}
	if len(f.Queries) > 1 || query != ir.LogProb.String() && query != ir.MPE.String() {
		return cli.Usagef("--query is %s; the circuit is that of one query: want %s or %s", strings.Join(f.Queries, ", "), ir.LogProb, ir.MPE)
	}
	m, err := loadNamed(ctx, a, path, f)
	if err != nil {
		return err
	}
	opt, err := a.Options(m, &f.ModelFlags)
	if err != nil {
		return err
	}
	opt.Queries = []string{query}
	defer a.Progress("compiling "+filepath.Base(path), nil).Stop()
	r, err := a.Compile(ctx, path, m, opt, nil)
	if err != nil {
		return err
	}
	x, err := cli.Await(ctx, func() (*expansion, error) { return expandProgram(ctx, r.Program, query) })
	if err != nil {
		return a.CompileError(path, err)
	}
	info := x.info(r.Model)
	info.Of = rootName(r.Model, query)
	if err := f.fits(path, "circuit", len(info.Gates), info.Edges); err != nil {
		return err
	}
	if f.DOT || f.SVG {
		return drawGraph(ctx, a, path, f, info.drawing())
	}
	return a.Print(info, info.text)
}

// rootName returns the name of the quantity at the root of a circuit.
func rootName(m *model.Model, query string) string {
	name := "P(evidence)"
	if query == ir.MPE.String() {
		name = "max P(completion, evidence)"
	}
	if m.Kind == model.Markov {
		name = "Z " + name
	}
	return name
}

// info returns the gates that the root depends on.
func (x *expansion) info(m *model.Model) *circuitInfo {
	uses := x.c.Uses([]circuit.Node{x.root})
	within := x.absorbed(uses)
	out := &circuitInfo{Name: m.Name}
	number, depth := make([]int, x.c.Len()), make([]int, x.c.Len())
	for n := range circuit.Node(x.c.Len()) {
		if uses[n] == 0 || within[n] {
			continue
		}
		g := gate{Op: gateOps[x.c.Op(n)]}
		switch x.c.Op(n) {
		case circuit.Const:
			value := x.c.Value(n)
			g.Value = &value
		case circuit.Input:
			l := x.leaves[x.c.Leaf(n)]
			g.Var, g.State = m.Vars[l.v].Name, m.States(l.v)[l.state]
		default:
			for _, arg := range x.operands(n, within) {
				g.Args = append(g.Args, number[arg])
				depth[n] = max(depth[n], depth[arg]+1)
			}
		}
		number[n] = len(out.Gates)
		out.Gates = append(out.Gates, g)
		out.Depth, out.Edges = max(out.Depth, depth[n]), out.Edges+len(g.Args)
	}
	return out
}

// absorbed reports, by node, whether its only use is as one operand of a node of the same
// operation.
func (x *expansion) absorbed(uses []int32) []bool {
	within := make([]bool, x.c.Len())
	for n := range circuit.Node(x.c.Len()) {
		if uses[n] == 0 || x.c.Op(n) < circuit.Sum {
			continue
		}
		a, b := x.c.Args(n)
		for _, arg := range []circuit.Node{a, b} {
			within[arg] = within[arg] || uses[arg] == 1 && x.c.Op(arg) == x.c.Op(n)
		}
	}
	return within
}

// operands returns the operands of n with the operands of absorbed nodes in place of the nodes, in
// order.
func (x *expansion) operands(n circuit.Node, within []bool) []circuit.Node {
	var out []circuit.Node
	a, b := x.c.Args(n)
	for stack := []circuit.Node{b, a}; len(stack) > 0; {
		top := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if !within[top] {
			out = append(out, top)
			continue
		}
		a, b := x.c.Args(top)
		stack = append(stack, b, a)
	}
	return out
}

// label returns the text of a gate. Numbers have the given precision; -1 is the shortest exact one.
func (g *gate) label(precision int) string {
	switch g.Op {
	case "number":
		return strconv.FormatFloat(*g.Value, 'g', precision, 64)
	case "indicator":
		return cli.QuoteName(g.Var) + "=" + cli.QuoteName(g.State)
	}
	return g.Op
}

// text returns the circuit as text: a summary, and a line for each gate.
func (c *circuitInfo) text() string {
	count := map[string]int{}
	for _, g := range c.Gates {
		count[g.Op]++
	}
	var b strings.Builder
	fmt.Fprintf(&b, "circuit of %s in %q: %s %s", c.Of, c.Name, table.Thousands(len(c.Gates)), table.Plural("node", len(c.Gates)))
	sign := ": "
	for _, op := range []string{"sum", "product", "max", "indicator", "number"} {
		if count[op] > 0 {
			b.WriteString(sign + table.Thousands(count[op]) + " " + table.Plural(op, count[op]))
			sign = ", "
		}
	}
	fmt.Fprintf(&b, "; %s %s, depth %d\n", table.Thousands(c.Edges), table.Plural("edge", c.Edges), c.Depth)
	for i, g := range c.Gates {
		fmt.Fprintf(&b, "n%d\t%s", i, g.Op)
		if len(g.Args) == 0 {
			fmt.Fprintf(&b, "\t%s", g.label(-1))
		}
		for k, arg := range g.Args {
			fmt.Fprintf(&b, "%cn%d", "\t "[min(k, 1)], arg)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// signs holds the operators as a drawing shows them.
var signs = map[string]string{"sum": "+", "product": "×", "max": "max"}

// drawing returns the circuit as a graph with its root at the top. A shared leaf is drawn once.
func (c *circuitInfo) drawing() *draw.Graph {
	out := &draw.Graph{Name: "circuit of " + c.Of + " in " + c.Name, Kind: draw.Rooted}
	last := len(c.Gates) - 1
	for i := last; i >= 0; i-- { // the root first
		g := &c.Gates[i]
		n := draw.Node{Note: fmt.Sprintf("n%d %s", i, g.label(-1)), Bold: i == last}
		switch g.Op {
		case "number":
			n.Lines, n.Shape, n.Tone = []string{g.label(4)}, draw.Box, draw.Grey
		case "indicator":
			n.Lines, n.Shape, n.Tone = []string{g.label(-1)}, draw.Box, draw.Green
		case "product":
			n.Lines, n.Shape, n.Tone = []string{signs[g.Op]}, draw.Circle, draw.Amber
		default:
			n.Lines, n.Shape, n.Tone = []string{signs[g.Op]}, draw.Circle, draw.Blue
		}
		out.Nodes = append(out.Nodes, n)
		for _, arg := range g.Args {
			out.Edges = append(out.Edges, draw.Edge{From: last - i, To: last - arg})
		}
	}
	return out
}
