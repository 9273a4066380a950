package counts

import (
	"context"

	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
)

// Passes counts rows that a file holds: it reads them once for each request. It is a
// [data.CountSource] that keeps nothing, neither rows nor counts.
type Passes struct {
	Open   func() (*rowfile.Reader, error) // opens the file at its first row
	Vars   []data.Var
	Unseen rowfile.Unseen
	Cores  int
	MaxMem int64 // of tables, of each core; 0 means a default
	Ctx    context.Context
}

// Count implements data.CountSource. Each core counts whole rows in tables of its own, which gives
// exact sums; rows with weights and real values are counted in the order of the file. The counts
// thus do not depend on the number of cores.
func (p *Passes) Count(families []data.Family) ([]data.Table, error) {
	var whole, real []data.Family
	for _, f := range families {
		if f.Real == nil {
			whole = append(whole, f)
		} else {
			real = append(real, f)
		}
	}
	ordered, err := OfRows(p.Vars, real, p.MaxMem)
	if err != nil {
		return nil, err
	}
	parts := make([]*Counts, p.Cores+1) // the last one is of rows with weights
	for i := range parts {
		if parts[i], err = OfRows(p.Vars, whole, p.MaxMem); err != nil {
			return nil, err
		}
	}
	if err := p.read(parts, ordered); err != nil {
		return nil, err
	}
	sum := parts[p.Cores]
	for _, part := range parts[:p.Cores] {
		for i, f := range part.list {
			for k, n := range f.N {
				sum.list[i].N[k] += n
			}
		}
	}
	out := make([]data.Table, len(families))
	for i := range families {
		from := sum
		if families[i].Real != nil {
			from = ordered
		}
		out[i] = from.known[families[i].Key()].Table
	}
	return out, nil
}

// read reads the file once. parts has the counts of each core, and of rows with weights.
func (p *Passes) read(parts []*Counts, ordered *Counts) error {
	r, err := p.Open()
	if err != nil {
		return err
	}
	defer r.Close()
	b, err := r.Bind(p.Vars, p.Unseen)
	if err != nil {
		return err
	}
	b.Only()
	states, values := make([]int, len(p.Vars)), make([]float64, len(p.Vars))
	return b.EachBlock(p.Ctx, rowfile.BlockOptions{
		Cores: p.Cores,
		Work: func(core int, k *rowfile.Block) error {
			if k.Weights == nil {
				parts[core].block(k)
			}
			return nil
		},
		Then: func(k *rowfile.Block) error {
			if k.Weights == nil && len(ordered.list) == 0 {
				return nil
			}
			for row := range k.Rows {
				k.Row(row, states, values)
				ordered.Row(states, values, k.Weight(row))
				if k.Weights != nil {
					parts[p.Cores].Row(states, values, k.Weight(row))
				}
			}
			return nil
		},
	})
}

// block adds rows of weight 1 to families of discrete variables.
func (c *Counts) block(k *rowfile.Block) {
	index := make([]int32, k.Rows)
	for _, f := range c.list {
		clear(index)
		for _, v := range f.Discrete {
			card := int32(len(c.Vars[v].States))
			switch x := &k.Columns[v]; {
			case x.Bytes != nil:
				advance(index, x.Bytes, card)
			case x.Words != nil:
				advance(index, x.Words, card)
			default:
				advance(index, make([]uint8, k.Rows), card)
			}
		}
		for _, at := range index {
			if at >= 0 {
				f.N[at]++
			}
		}
	}
}

// advance extends the joint states of rows by those of a variable, from 1. Without one of them, 0,
// a joint state is negative.
func advance[T uint8 | uint16](index []int32, states []T, card int32) {
	states = states[:len(index)]
	for i, at := range index {
		s := int32(states[i])
		if at = at*card + s - 1; s == 0 || index[i] < 0 {
			at = -1
		}
		index[i] = at
	}
}
