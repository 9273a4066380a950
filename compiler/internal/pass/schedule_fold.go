package pass

import (
	"fmt"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// Limits of the products that are made at compile time. A product of at most foldSmall numbers is
// always made. A larger one is made if it is at most foldGrowth times as large as the model's
// tables in it, so that the data does not grow much, or if it is at most 1/foldShare of the entries
// of the operation, so that it is small beside the work. All of them together may have foldRoom
// numbers and four times the model's.
const (
	foldSmall  = 64
	foldGrowth = 2
	foldShare  = 256
	foldRoom   = 1 << 20
)

// ScheduleFold multiplies the constant operands of each operation at compile time. Parameters that
// may be replaced are not constants. The error names constants with a product that exceeds float64.
func ScheduleFold(s *ir.Schedule) error {
	joint := s.JointStates()
	f := folder{s: s, done: map[string]ir.TableID{}, merged: map[ir.TableID]int{}, room: foldRoom}
	for t := range s.Tables {
		if s.Tables[t].Role == ir.RoleConst {
			f.room += 4 * float64(s.Size(ir.TableID(t)))
		}
	}
	for i := range s.Blocks {
		b := &s.Blocks[i]
		f.place = s.Places(b)
		for _, op := range b.Ops {
			if m, ok := op.(ir.Multiplier); ok {
				in := m.Operands()
				*in = f.fold(*in, m.Products(joint, b))
			}
		}
	}
	return f.err
}

type folder struct {
	s      *ir.Schedule
	place  []int                 // by variable: its place in the current block
	done   map[string]ir.TableID // products, by their operands
	room   float64               // numbers that products above foldSmall may still have
	merged map[ir.TableID]int    // by product: how many numbers the model's tables in it have
	err    error                 // about the first product that exceeds float64
}

// fold returns in with constants multiplied, smallest first, as long as the products are small
// beside entries.
func (f *folder) fold(in []ir.TableID, entries float64) []ir.TableID {
	var constant, rest []ir.TableID
	for _, t := range in {
		if f.s.Tables[t].Role == ir.RoleConst {
			constant = append(constant, t)
		} else {
			rest = append(rest, t)
		}
	}
	slices.SortStableFunc(constant, func(a, b ir.TableID) int { return f.s.Size(a) - f.s.Size(b) })
	var out []ir.TableID
	for _, t := range constant {
		merged := false
		for i, u := range out {
			scope, ok := f.worth(u, t, entries/foldShare)
			if ok {
				out[i] = f.product(u, t, scope)
				merged = true
				break
			}
		}
		if !merged {
			out = append(out, t)
		}
	}
	return append(out, rest...)
}

// worth reports whether the product of two tables should be made, and returns its scope. large is a
// size that is small beside the operation. If the numbers are so small that the product might
// underflow, it is left to the program, which multiplies evidence first.
func (f *folder) worth(a, b ir.TableID, large float64) (scope []model.VarID, ok bool) {
	if ir.IntervalOf(f.s.Tables[a].Data).Lo+ir.IntervalOf(f.s.Tables[b].Data).Lo < -extremeBits {
		return nil, false
	}
	scope = f.s.Union(f.place, a, b)
	limit := max(foldSmall, min(f.room, max(foldGrowth*float64(f.numbers(a)+f.numbers(b)), large)))
	n := 1.0
	for _, v := range scope {
		if n *= float64(f.s.Model.Card(v)); n > limit {
			return nil, false
		}
	}
	return scope, true
}

// numbers returns how many numbers of the model are in t.
func (f *folder) numbers(t ir.TableID) int {
	if n, ok := f.merged[t]; ok {
		return n
	}
	return f.s.Size(t)
}

func (f *folder) product(a, b ir.TableID, scope []model.VarID) ir.TableID {
	key := fmt.Sprint(a, b)
	if t, ok := f.done[key]; ok {
		return t
	}
	x, y := f.s.Tables[a], f.s.Tables[b]
	data := slices.Clone(f.s.Model.Rearrange(x.Data, x.Scope, scope))
	if len(data) > foldSmall {
		f.room -= float64(len(data))
	}
	for i, v := range f.s.Model.Rearrange(y.Data, y.Scope, scope) {
		data[i] *= v
	}
	name := x.Name + ", " + y.Name
	if f.err == nil && slices.Contains(data, math.Inf(1)) {
		f.err = fmt.Errorf("%w: that of %s; %s", ir.ErrOverflow, name, ir.DivideAdvice)
	}
	f.s.Tables = append(f.s.Tables, ir.Table{Name: name, Scope: scope, Role: ir.RoleConst, Var: -1, Data: data})
	t := ir.TableID(len(f.s.Tables) - 1)
	f.done[key], f.merged[t] = t, f.numbers(a)+f.numbers(b)
	return t
}
