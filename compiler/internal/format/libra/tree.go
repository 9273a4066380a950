package libra

import (
	"math"

	"github.com/pgmc-go/pgmc/compiler/format"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/numbers"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// maxDepth bounds the depth of trees. Learned trees stay far below it.
const maxDepth = 10000

// newCells returns the budget of the branches and numbers of trees. One word may stand for as many
// as a variable has states. Four million take 32 MB.
func newCells(src *format.Source) *numbers.Budget { return numbers.NewBudget(1<<22 + 8*len(src.Data)) }

// tree is a node of a tree in the file: a test of a variable against one state, or a number.
type tree struct {
	pos     diag.Pos
	v       model.VarID
	state   int32
	yes, no *tree // nil in a leaf
	value   float64
	below   bool // this node or one below tests a variable other than the child
}

// treeBlock reads the rest of `tree { (v1_0 -0.1 (v2_0 -0.3 -2)) }`.
func (p *parser) treeBlock(pos diag.Pos) (*model.Factor, bool) {
	t := p.tree(0)
	if t == nil {
		return nil, false
	}
	if p.tok.kind != '}' && p.tok.kind != end {
		return nil, p.fail(`"}"`)
	}
	p.closing()
	b := &treeBuilder{parser: p}
	d := &model.Tree{}
	if !b.add(d, t) {
		return nil, false
	}
	if p.child >= 0 {
		b.scope.of(p.child)
	}
	f := p.newFactor(&b.scope, d, pos)
	f.RowPos = b.leaves
	return f, true
}

// tree reads a number, or a test in brackets. It returns nil after an error.
func (p *parser) tree(depth int) *tree {
	t := &tree{pos: p.tok.pos}
	if p.tok.kind == word {
		x, ok := parseLog(p.tok.text)
		if !ok {
			p.fail(`a logarithm, or "("`)
			return nil
		}
		if x > maxLog {
			p.fail("a logarithm of at most %d, so that its exponential is a number", maxLog)
			return nil
		}
		t.value = math.Exp(x)
		p.advance()
		return t
	}
	if depth == maxDepth {
		p.Errorf(p.tok.pos, "tree is nested more than %d deep", maxDepth)
		return nil
	}
	if p.tok.kind != '(' {
		p.fail(`a logarithm, or "("`)
		return nil
	}
	p.advance()
	var ok bool
	if t.v, t.state, ok = p.assignment(p.tok.text); !ok || p.tok.kind != word {
		p.fail("a test, as in v0_1, of v0 to v%d and a state of it", len(p.m.Vars)-1)
		return nil
	}
	p.advance()
	if t.yes = p.tree(depth + 1); t.yes == nil {
		return nil
	}
	if t.no = p.tree(depth + 1); t.no == nil || !p.punct(')') {
		return nil
	}
	t.below = t.v != p.child || t.yes.below || t.no.below
	return t
}

// treeBuilder converts trees of the file, in which a CPD tests its child like any other variable,
// to those of the model.
type treeBuilder struct {
	*parser
	scope  scope
	leaves []diag.Pos
}

// add appends t and all nodes below it to d, the branch for "yes" first.
func (b *treeBuilder) add(d *model.Tree, t *tree) bool {
	if !t.below {
		return b.leaf(d, t)
	}
	card := b.m.Card(t.v)
	if t.v == b.child {
		b.Errorf(t.pos, "the test of the child v%d is above tests of other variables; want it below them, or a features block", t.v)
		return false
	}
	if card == 1 {
		return b.add(d, t.yes)
	}
	if !b.afford(t, card) {
		return false
	}
	here := len(d.Nodes)
	next := make([]int32, card)
	d.Nodes = append(d.Nodes, model.TreeNode{Axis: b.scope.of(t.v), Next: next})
	yes := len(d.Nodes)
	if !b.add(d, t.yes) {
		return false
	}
	no := len(d.Nodes)
	if !b.add(d, t.no) {
		return false
	}
	for s := range next {
		next[s] = int32(no)
	}
	d.Nodes[here].Next[t.state] = int32(yes)
	return true
}

// leaf appends a leaf: the values of t for each state of the child or, in a potential, its only
// value.
func (b *treeBuilder) leaf(d *model.Tree, t *tree) bool {
	card, pos := 1, t.pos
	if b.child >= 0 {
		card = b.m.Card(b.child)
	}
	if !b.afford(t, card) {
		return false
	}
	row := make([]float64, card)
	given := make([]bool, card)
	for ; t.yes != nil; t = t.no {
		if s := t.state; !given[s] {
			given[s] = true
			row[s] = t.yes.at(s)
		}
	}
	for s := range row {
		if !given[s] {
			row[s] = t.value
		}
	}
	d.Nodes = append(d.Nodes, model.TreeNode{Leaf: row})
	b.leaves = append(b.leaves, pos)
	return true
}

// at returns the value of t, which tests only the child, at a state of the child.
func (t *tree) at(s int32) float64 {
	for t.yes != nil {
		if t.state == s {
			t = t.yes
		} else {
			t = t.no
		}
	}
	return t.value
}

// afford reports whether the numbers of all trees so far are in proportion to the file.
func (b *treeBuilder) afford(t *tree, n int) bool {
	if b.cells.Take(n) {
		return true
	}
	b.Errorf(t.pos, "the trees so far have more numbers than a file of this size may declare")
	return false
}
