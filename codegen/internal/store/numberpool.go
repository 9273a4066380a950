package store

import (
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/lanes"
)

// NumberPool finds numbers in data memory, and adds those that are missing to the pool.
type NumberPool struct {
	p    *ir.Program
	pool *[]float64
	at   map[float64]int
}

// NewNumberPool returns the numbers of the spans of p and of the pool.
func NewNumberPool(p *ir.Program, pool *[]float64) *NumberPool {
	n := &NumberPool{p, pool, map[float64]int{}}
	for i := range p.Spans {
		if s := &p.Spans[i]; s.Role == ir.RoleConst {
			for k, x := range s.Data {
				n.add(x, s.Offset+k)
			}
		}
	}
	for i, x := range *pool {
		n.add(x, p.Data+i)
	}
	return n
}

func (n *NumberPool) add(x float64, at int) {
	if _, ok := n.at[x]; !ok {
		n.at[x] = at
	}
}

// Place returns the place of x in data memory.
func (n *NumberPool) Place(x lanes.Number) int {
	if x.At >= 0 {
		return x.At
	}
	if _, ok := n.at[x.Value]; !ok {
		n.at[x.Value] = n.p.Data + len(*n.pool)
		*n.pool = append(*n.pool, x.Value)
	}
	return n.at[x.Value]
}
