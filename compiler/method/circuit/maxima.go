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
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// maxima returns the circuit of most probable completions: the same elimination, with maxima
// instead of sums, and in the order of the circuit of sums if there is one. It returns nil to leave
// the queries to method jointree: if the two circuits together would be too large, or if the model
// is a circuit that is not deterministic and has a table that is small enough.
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

// maximaRoot builds the circuit. Together with the circuit of sums, if there is one, it stays
// within the limit.
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

// needsTable returns an error if the table of f, a circuit that is not deterministic, is too large.
// The reason is node number node; why describes its fault.
func (b *planner) needsTable(f *model.Factor, node int, why string) error {
	m := b.p.Model
	size := m.LogTableSize(f.Scope)
	if size <= pgmrt.Ln(float64(b.ctx.MaxTable)) {
		return nil
	}
	pos := f.Pos
	if node < len(f.RowPos) {
		pos = f.RowPos[node]
	}
	var list diag.List
	list.Errorf(pos, "node %d of the circuit %s; a most probable completion needs a circuit in which at most one operand of each sum is positive at a joint state, "+
		"or a table of 10^%.0f entries; ask for other queries, such as marginals and sample", node, why, size/math.Ln10)
	return fmt.Errorf("query mpe: %w", list.Err())
}

// TakenOver returns the factor of m that is a circuit and becomes part of the compiled circuit as
// it is, or nil if there is none.
func TakenOver(m *model.Model) *model.Factor {
	f, _ := circuitOf(&ir.Problem{Model: m})
	return f
}

// completes reports whether the method computes most probable completions of m without the table of
// a circuit. A circuit that is taken over must be deterministic.
func completes(m *model.Model) bool {
	f := TakenOver(m)
	if f == nil {
		return true
	}
	node, _ := f.Circuit().Determinism()
	return node < 0
}
