package irtest

import (
	"fmt"

	"github.com/pgmc-go/pgmc/ir/model"
)

// CrossedMixture returns a model that is a circuit: a mixture of two products over halves of n
// variables, of the first and the last ones, and of the even and the odd ones. The variables of a
// half are independent given a coin, which decides whether the probability of their first states is
// 1/500 or 1/1000. Third states are impossible.
func CrossedMixture(n int) *model.Model {
	m := &model.Model{Name: "crossed", Kind: model.Markov}
	c := &model.Circuit{}
	add := func(x model.CircuitNode) int32 {
		c.Nodes = append(c.Nodes, x)
		return int32(len(c.Nodes) - 1)
	}
	product := func(args ...int32) int32 { return add(model.CircuitNode{Op: model.CircuitProduct, Args: args}) }
	mixture := func(args ...int32) int32 {
		for i, x := range args {
			args[i] = product(add(model.CircuitNode{Op: model.CircuitNumber, Value: 0.5}), x)
		}
		return add(model.CircuitNode{Op: model.CircuitSum, Args: args})
	}
	f := &model.Factor{Child: -1, Dist: c}
	half := func(in func(v int) bool) int32 {
		var parts []int32
		for _, p := range []float64{0.001, 0.002} {
			var all []int32
			for v := range n {
				if !in(v) {
					continue
				}
				var terms []int32
				for s, x := range []float64{p, 1 - p, 0} {
					terms = append(terms, product(add(model.CircuitNode{Op: model.CircuitIndicator, Axis: v, State: int32(s)}), add(model.CircuitNode{Op: model.CircuitNumber, Value: x})))
				}
				all = append(all, add(model.CircuitNode{Op: model.CircuitSum, Args: terms}))
			}
			parts = append(parts, product(all...))
		}
		return mixture(parts...)
	}
	for v := range n {
		m.NewVar(fmt.Sprint("v", v), "0", "1", "2")
		f.Scope = append(f.Scope, model.VarID(v))
	}
	mixture(product(half(func(v int) bool { return v < n/2 }), half(func(v int) bool { return v >= n/2 })),
		product(half(func(v int) bool { return v%2 == 0 }), half(func(v int) bool { return v%2 == 1 })))
	m.Factors = []*model.Factor{f}
	return m
}
