package assemble

import (
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir/price"
)

// The largest contraction that tiles can hold.
const (
	nestMaxOperands = 16
	nestMaxOuter    = 32
)

// The kernels of a tile.
const (
	nestFold1 = iota
	nestFold2
	nestFoldN
	nestSpread1
	nestSpread2
	nestSpreadN
	nestGather1
	nestGather2
	nestGather3
	nestGatherN
)

// nestPlan divides the loops of a nest into the tile, which one kernel runs at a time, and the
// outer loops, which the odometer steps through. The tile is the loops over rows and along a row;
// if gather is set it is any loops with few positions, which are listed one by one.
type nestPlan struct {
	outer, tile []nestLoop
	gather      bool
	cost        float64 // nanoseconds a product
}

// gatherMax is the largest number of positions in a tile that lists them; each takes a word a view.
const gatherMax = 32

// planNest chooses the cheapest tile.
func planNest(loops []nestLoop, views int) nestPlan {
	for len(loops) < 2 {
		loops = slices.Insert(loops, 0, nestLoop{size: 1, stride: make([]int, views)})
	}
	rows, gather := planRows(loops), planGather(loops, views)
	if gather.cost < rows.cost {
		return gather
	}
	return rows
}

// planRows tries all pairs of loops for the tile.
func planRows(loops []nestLoop) nestPlan {
	best := nestPlan{}
	row, inner := -1, -1
	for i := range loops {
		for j := range loops {
			if i == j {
				continue
			}
			if c := rowsCost(loops[i], loops[j]); row < 0 || c < best.cost {
				row, inner, best.cost = i, j, c
			}
		}
	}
	best.tile = []nestLoop{loops[row], loops[inner]}
	best.outer = withoutLoops(loops, []int{row, inner})
	return best
}

// rowsCost returns the price of a product in tiles of the given loops.
func rowsCost(row, inner nestLoop) float64 {
	product, line, varying := price.Tile.Product, price.Tile.Row, 0
	for v, step := range inner.stride {
		if step > 0 {
			product += price.Tile.Varying
		}
		if step > 8 {
			product += price.Tile.Far
		}
		switch {
		case v == 0:
		case step != 0:
			varying++
		case row.stride[v] != 0:
			line += price.Tile.Still
		}
	}
	if varying == 0 || varying > 2 {
		product += float64(price.Tile.General * float64(varying))
	}
	return product + line/float64(inner.size) + tilePrice(len(inner.stride))/float64(row.size*inner.size)
}

// planGather adds loops to a tile one by one. It always adds the loop that makes products cheapest,
// as long as the price falls.
func planGather(loops []nestLoop, views int) nestPlan {
	var tile []int
	size, cost := 1, math.Inf(1)
	for {
		next := -1
		for i := len(loops) - 1; i >= 0; i-- {
			if slices.Contains(tile, i) || size*loops[i].size > gatherMax {
				continue
			}
			if c := gatherCost(loops, append(slices.Clone(tile), i), views); c < cost {
				next, cost = i, c
			}
		}
		if next < 0 {
			break
		}
		size *= loops[next].size
		tile = append(tile, next)
	}
	if tile == nil { // all loops are too long to be listed
		return nestPlan{cost: cost}
	}
	plan := nestPlan{outer: withoutLoops(loops, tile), gather: true, cost: cost}
	for _, i := range tile {
		plan.tile = append(plan.tile, loops[i])
	}
	// Reduced loops come first. Products that fall on one place wait for each other, and are then
	// far apart.
	slices.SortStableFunc(plan.tile, func(a, b nestLoop) int {
		switch {
		case a.stride[0] == 0 && b.stride[0] != 0:
			return -1
		case a.stride[0] != 0 && b.stride[0] == 0:
			return 1
		}
		return b.stride[0] - a.stride[0]
	})
	return plan
}

// gatherCost returns the price of a product in a tile that lists the positions of the chosen loops.
func gatherCost(loops []nestLoop, tile []int, views int) float64 {
	size, varying := 1, 0
	for _, i := range tile {
		size *= loops[i].size
	}
	spread := false
	for v := range views {
		for _, i := range tile {
			if loops[i].stride[v] != 0 {
				if v == 0 {
					spread = true
				} else {
					varying++
				}
				break
			}
		}
	}
	cost := price.Tile.Product + price.Tile.Listed + float64(price.Tile.Varying*float64(1+varying))
	if varying == 0 || varying > 3 {
		cost += float64(price.Tile.General * float64(varying))
	}
	if !spread {
		cost += price.Tile.Wait
	}
	return cost + tilePrice(views)/float64(size)
}

func tilePrice(views int) float64 { return price.Tile.SetUp + float64(price.Tile.View*float64(views)) }

// withoutLoops returns the loops with an index that is not in drop, in order.
func withoutLoops(loops []nestLoop, drop []int) []nestLoop {
	var out []nestLoop
	for i, l := range loops {
		if !slices.Contains(drop, i) {
			out = append(out, l)
		}
	}
	return out
}

// nanoseconds estimates the time of the instruction of n.
func (n *nest) nanoseconds() float64 {
	loops := n.loops()
	products := 1.0
	for _, l := range loops {
		products *= float64(l.size)
	}
	if !nestFits(loops, len(n.In)) {
		return price.Tile.Nest + float64(price.Tile.Plain*products*float64((1+len(n.In))*len(loops)))
	}
	cost := planNest(loops, 1+len(n.In)).cost
	if n.Max {
		cost *= price.Tile.Max
	}
	return price.Tile.Nest + float64(products*cost)
}

// nestFits reports whether the runtime can run loops by tiles: it must be able to clear Out as one
// piece, and to hold that many loops and operands.
func nestFits(loops []nestLoop, operands int) bool {
	_, dense := denseNest(loops)
	axes := 0
	for _, l := range loops {
		axes += len(l.axes)
	}
	return dense && operands <= nestMaxOperands && axes <= nestMaxOuter
}
