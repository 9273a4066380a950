package codegen

import (
	"github.com/pgmc-go/pgmc/codegen/internal/choose"
	"github.com/pgmc-go/pgmc/codegen/internal/vector"
	"github.com/pgmc-go/pgmc/ir"
)

// BlockPlan says which back-end runs a block, and how.
type BlockPlan struct {
	Name    string
	Backend string
	Costs   []BackendCost       // of the back-ends that can emit the block, each as if it ran alone
	Vectors *vector.Description // nil unless the back-end is for vectors
}

// Instructions counts the instructions of a message on vectors.
type Instructions = vector.Counts

// BackendCost is the predicted time of a block by a back-end.
type BackendCost struct {
	Backend string
	NS      float64
}

// Plans returns the plan of each block of p, given the back-end's name as in Options.Backend.
func Plans(p *ir.Program, name string) ([]BlockPlan, error) {
	chosen, err := choose.Plan(p, Backends, name)
	if err != nil {
		return nil, err
	}
	var list []BlockPlan
	backends := choose.ForProgram(p, Backends)
	for i, c := range chosen {
		b := &p.Blocks[i]
		plan := BlockPlan{Name: b.Name, Backend: c.Backend.Name}
		for _, x := range backends {
			if cost := x.Cost(p, b); cost.OK {
				plan.Costs = append(plan.Costs, BackendCost{x.Name, cost.NS})
			}
		}
		if plan.Backend == vector.Backend.Name {
			plan.Vectors = vector.Describe(p, b)
		}
		list = append(list, plan)
	}
	return list, nil
}
