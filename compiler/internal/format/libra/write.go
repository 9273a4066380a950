package libra

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/numbers"
	"github.com/pgmc-go/pgmc/ir/model"
)

// maxTable bounds the numbers that one factor may have in a file: about 100 MB of text.
const maxTable = 1 << 22

// write writes a file of the language. It can write a Bayesian network as a Markov network, because
// the product is the same.
func (g language) write(out *format.Sink, m *model.Model) error {
	if m.Kind != g.kind && !(m.Kind == model.Bayes && g.kind == model.Markov) {
		return fmt.Errorf("a file of Libra's %s format cannot hold a %v; want a %v", g.ext, m.Kind, g.kind)
	}
	if m.Kind != g.kind {
		out.Warn("which factor is the CPD of which variable: %s has potentials only", g.ext)
	}
	loseNames(out, m, g.ext)
	w := &writer{m: m, buf: out.Add(out.Name), cpds: g.kind != model.Markov}
	for i := range m.Vars {
		if i > 0 {
			w.buf.WriteByte(',')
		}
		w.int(m.Card(model.VarID(i)))
	}
	fmt.Fprintf(w.buf, "\n%s {\n", g.keyword)
	for _, f := range m.Factors {
		if err := w.factor(f); err != nil {
			return fmt.Errorf("%s: %w", m.FactorName(f), err)
		}
	}
	w.buf.WriteString("}\n")
	return nil
}

// loseNames records the names that m loses in a format with numbers instead of names.
func loseNames(out *format.Sink, m *model.Model, ext string) {
	numbers.LoseNames(out, m, ext, "v", func(v model.VarID) int { return int(v) })
}

type writer struct {
	m     *model.Model
	buf   *bytes.Buffer
	cpds  bool // factors are CPDs, each in a block of its child
	nodes int  // of the trees of one factor so far
}

func (w *writer) int(n int) { numbers.Int(w.buf, n) }

// literal writes ` +v0_1` or, without a sign, the test `v0_1` of a tree.
func (w *writer) literal(sign string, v model.VarID, state int) {
	w.buf.WriteString(sign)
	w.buf.WriteByte('v')
	w.int(int(v))
	w.buf.WriteByte('_')
	w.int(state)
}

// factor writes one factor, a CPD in a block of its child.
func (w *writer) factor(f *model.Factor) error {
	if w.cpds {
		fmt.Fprintf(w.buf, "v%d {\n", f.ChildVar())
	}
	var err error
	w.nodes = 0
	tree, isTree := f.Dist.(*model.Tree)
	features, isFeatures := f.Dist.(*model.Features)
	deep := f.Child >= 0 && w.m.Card(f.ChildVar()) > maxDepth/2 // a leaf is as deep as the child has states
	switch {
	case isTree && !deep:
		w.buf.WriteString("tree {\n")
		err = w.tree(f, tree, 0, 0)
		w.buf.WriteString("\n}\n")
	case isFeatures && (f.Child < 0 || w.cpds): // otherwise each row has a factor that no weight can state
		w.features(f, features)
	default:
		err = w.table(f)
	}
	if w.cpds {
		w.buf.WriteString("}\n")
	}
	return err
}

// features writes a block, or a single line for one feature.
func (w *writer) features(f *model.Factor, d *model.Features) {
	bare := len(d.List) == 1 && !w.cpds
	if !bare {
		w.buf.WriteString("features {\n")
	}
	for _, x := range d.List {
		writeLog(w.buf, x.Weight)
		for _, l := range x.Literals {
			sign := " +"
			if l.Not {
				sign = " -"
			}
			w.literal(sign, f.Scope[l.Axis], int(l.State))
		}
		w.buf.WriteByte('\n')
	}
	if !bare {
		w.buf.WriteString("}\n")
	}
}

// table writes a line for each joint state; a CPD has its child first.
func (w *writer) table(f *model.Factor) error {
	values, err := w.m.Tabulate(f, maxTable)
	if err != nil {
		return err
	}
	order := f.Scope
	if w.cpds {
		order = append([]model.VarID{f.ChildVar()}, f.Parents()...)
	}
	w.buf.WriteString("table {\n")
	state := make([]int, len(w.m.Vars))
	for _, x := range values {
		if x > maxValue {
			return tooLarge(x)
		}
		writeLogOf(w.buf, x)
		for _, v := range order {
			w.literal(" +", v, state[v])
		}
		w.buf.WriteByte('\n')
		w.m.Next(f.Scope, state)
	}
	w.buf.WriteString("}\n")
	return nil
}

// tree writes node i of a tree and all nodes below it.
func (w *writer) tree(f *model.Factor, d *model.Tree, i int32, depth int) error {
	n := &d.Nodes[i]
	if n.Leaf != nil {
		return w.leaf(f, n.Leaf, depth)
	}
	v := f.Scope[n.Axis]
	rest, tests := binary(n.Next)
	for k, s := range tests {
		if err := w.grow(depth+k, 1); err != nil {
			return err
		}
		w.buf.WriteByte('(')
		w.literal("", v, s)
		w.newline(depth + k + 1)
		if err := w.tree(f, d, n.Next[s], depth+k+1); err != nil {
			return err
		}
		w.newline(depth + k + 1)
	}
	if err := w.tree(f, d, rest, depth+len(tests)); err != nil {
		return err
	}
	w.brackets(len(tests))
	return nil
}

// binary returns the states of a test that need tests of their own, and the node that all others
// lead to: the most common node, or the last one of those that tie.
func binary(next []int32) (rest int32, tests []int) {
	count := map[int32]int{}
	for _, n := range next {
		count[n]++
	}
	for _, n := range next {
		if count[n] > count[rest] || count[n] == count[rest] && n > rest {
			rest = n
		}
	}
	for s, n := range next {
		if n != rest {
			tests = append(tests, s)
		}
	}
	return rest, tests
}

// leaf writes the numbers of a leaf, as tests of the child if there are several.
func (w *writer) leaf(f *model.Factor, row []float64, depth int) error {
	if err := w.grow(depth+len(row)-1, len(row)); err != nil {
		return err
	}
	for s, x := range row {
		if x > maxValue {
			return tooLarge(x)
		}
		if s < len(row)-1 {
			w.buf.WriteByte('(')
			w.literal("", f.ChildVar(), s)
			w.buf.WriteByte(' ')
		}
		writeLogOf(w.buf, x)
		if s < len(row)-1 {
			w.buf.WriteByte(' ')
		}
	}
	w.brackets(len(row) - 1)
	return nil
}

func tooLarge(x float64) error {
	return fmt.Errorf("the value %v is too large for Libra, which has logarithms; want at most e^%d", x, maxLog)
}

// grow counts the written nodes. A shared node is written once for each path to it.
func (w *writer) grow(depth, nodes int) error {
	w.nodes += nodes
	if depth > maxDepth || w.nodes > maxTable {
		return fmt.Errorf("the tree would have more than %d levels or %d nodes", maxDepth, maxTable)
	}
	return nil
}

func (w *writer) brackets(n int) {
	for range n {
		w.buf.WriteByte(')')
	}
}

// newline starts a line of a tree.
func (w *writer) newline(depth int) {
	const most = 25 // deepest indentation
	w.buf.WriteByte('\n')
	w.buf.WriteString(strings.Repeat("    ", min(depth, most)))
}
