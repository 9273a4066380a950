package importance

import (
	"fmt"
	"slices"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/internal/blanket"
	"github.com/pgmc-go/pgmc/compiler/method/internal/forward"
	"github.com/pgmc-go/pgmc/compiler/method/internal/gauss"
	"github.com/pgmc-go/pgmc/ir"
)

// mixed plans likelihood weighting of a network with real variables.
type mixed struct {
	*forward.Sampler
	spreads ir.TableID // if collapsed: variances, where values are means given the states; else NoTable
	scale   []float64
	first   ir.TableID // values of the first sample
}

// planHybrid returns the schedule of a network with real variables.
func (x *LWOptions) planHybrid(c *method.Context, p *ir.Problem) (*ir.Plan, method.Claim, error) {
	reals := p.Model.Reals()
	h := &mixed{Sampler: forward.New(blanket.NewTrials(p), reals, ir.RolePersistent), spreads: ir.NoTable}
	_, h.scale = gauss.Units(p.Model)
	h.BeginSample()
	if x.Collapsed {
		h.spreads = h.kept("variances", len(reals))
		h.drawStates()
	} else {
		h.DrawAll(h.Model.Topological())
	}
	ops, end := h.weigh(reals)
	h.Block("weigh", ops)
	plan := h.build(p.Queries[0], x, end)
	if err := c.Fits(h.Schedule); err != nil {
		return nil, method.Sampled, err
	}
	if err := h.Fill(c); err != nil {
		return nil, method.Sampled, fmt.Errorf("lw: %w", err)
	}
	return plan, method.Sampled, nil
}

// kept adds a table of several numbers that keeps them.
func (h *mixed) kept(name string, parts int) ir.TableID {
	return h.Add(ir.Table{Name: name, Role: ir.RolePersistent, Var: -1, Parts: parts})
}

// build returns the plan: the blocks of the step take the place of one.
func (h *mixed) build(q *ir.Query, x *LWOptions, end []ir.Op) *ir.Plan {
	h.End = end
	plan := h.Build(q, x.chain(), blanket.NoTrial(ir.ModeSample))
	s := plan.Schedule
	e := &s.Entries[0]
	at := e.Chain.Cut[ir.SectionStart]
	blocks := h.Blocks()
	e.Blocks = slices.Insert(e.Blocks, at, blocks...)
	for i := int(ir.SectionSweep); i < len(e.Chain.Cut); i++ {
		e.Chain.Cut[i] += len(blocks)
	}
	return plan
}
