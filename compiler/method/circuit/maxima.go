package circuit

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// maxima makes the circuit of best completions: the same elimination, with maxima for sums. It
// takes the order of the circuit of sums, where there is one. It gives nil for what is left to
// method jointree: where both circuits would be too large, and where the model is a circuit whose
// maxima say nothing about completions, as long as that can be tabulated.
func (b *planner) maxima(queries []*ir.Query) (*ir.Circuit, error) {
	if f, _ := circuitOf(b.p); f != nil {
		if node, why := f.Circuit().Determinism(); node >= 0 {
			return nil, b.needsTable(f, node, why)
		}
	}
	m := &planner{ctx: b.ctx, p: b.p, m: b.p.Model, within: b.within, nodes: b.nodes, max: true, walks: true}
	root, err := m.maximaRoot(b)
	if errors.Is(err, errTooLarge) && b.out != nil {
		return nil, nil
	}
	if err != nil {
		return nil, m.refusal(err)
	}
	m.out.Entries = nil
	for _, q := range queries {
		m.out.Entries = append(m.out.Entries, ir.CircuitEntry{Query: q, Root: root})
	}
	return m.out, nil
}

// maximaRoot builds the circuit beside that of sums, if there is one.
func (m *planner) maximaRoot(sums *planner) (circuit.Node, error) {
	if sums.order == nil {
		return m.best()
	}
	order := slices.DeleteFunc(slices.Clone(sums.order), func(v int) bool { return v >= len(m.m.Vars) }) // without auxiliary variables
	limit := m.maxNodes() - sums.out.Nodes.Len()
	if m.within > 0 {
		limit = min(limit, max(smallNodes, 2*m.within))
	}
	return m.build(order, limit)
}

// needsTable refuses best completions of a circuit by its table where that is too large. Node
// number node is the reason, and why says what is wrong with it.
func (b *planner) needsTable(f *model.Factor, node int, why string) error {
	m := b.p.Model
	size := m.LogTableSize(f.Scope)
	if size <= math.Log(float64(b.ctx.MaxTable)) {
		return nil
	}
	pos := f.Pos
	if node < len(f.RowPos) {
		pos = f.RowPos[node]
	}
	var list diag.List
	list.Errorf(pos, "node %d of the circuit %s; a best completion wants a circuit of which at most one operand of each sum is positive at a joint state, "+
		"or a table of all, with 10^%.0f entries: ask for other queries, such as marginals and sample", node, why, size/math.Ln10)
	return fmt.Errorf("query mpe: %w", list.Err())
}

// TakenOver is the factor of m that is a circuit and is taken over as it is; nil where there is
// none.
func TakenOver(m *model.Model) *model.Factor {
	f, _ := circuitOf(&ir.Problem{Model: m})
	return f
}

// completes reports whether the method has best completions of m without a table of a circuit that
// m holds: where that is taken over, it wants determinism.
func completes(m *model.Model) bool {
	f := TakenOver(m)
	if f == nil {
		return true
	}
	node, _ := f.Circuit().Determinism()
	return node < 0
}
