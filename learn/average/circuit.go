package average

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// builder writes a circuit with equal nodes once, so that structures share their common parts.
type builder struct {
	m     *model.Model
	f     *model.Factor
	d     *model.Circuit
	first []int32 // by variable: the indicator of state 0
	known map[string]int32
}

// sheet is a table of nodes over some variables, ascending, the last fastest.
type sheet struct {
	vars  []int
	nodes []int32
}

// newBuilder returns a builder of a circuit that becomes the only factor of m, over variables like
// those of another model.
func newBuilder(m, like *model.Model) *builder {
	b := &builder{m: m, d: &model.Circuit{}, known: map[string]int32{}}
	b.f = &model.Factor{Child: -1, Dist: b.d}
	m.Factors = []*model.Factor{b.f}
	for v, x := range like.Vars {
		b.f.Scope = append(b.f.Scope, m.NewVar(x.Name, like.States(x.ID)...).ID)
		b.first = append(b.first, int32(len(b.d.Nodes)))
		for s := range like.Card(x.ID) {
			b.d.Nodes = append(b.d.Nodes, model.CircuitNode{Op: model.CircuitIndicator, Axis: v, State: int32(s)})
		}
	}
	return b
}

// node returns the node with an operation and operands, or a number.
func (b *builder) node(x model.CircuitNode) int32 {
	key := binary.LittleEndian.AppendUint64([]byte{byte(x.Op)}, math.Float64bits(x.Value))
	for _, a := range x.Args {
		key = binary.LittleEndian.AppendUint32(key, uint32(a))
	}
	at, ok := b.known[string(key)]
	if !ok {
		at = int32(len(b.d.Nodes))
		b.d.Nodes = append(b.d.Nodes, x)
		b.known[string(key)] = at
	}
	return at
}

func (b *builder) number(x float64) int32 {
	return b.node(model.CircuitNode{Op: model.CircuitNumber, Value: x})
}

func (b *builder) product(args ...int32) int32 { return b.join(model.CircuitProduct, args) }

func (b *builder) sum(args []int32) int32 { return b.join(model.CircuitSum, args) }

// join returns the node of an operation on operands in any order; of one, that itself.
func (b *builder) join(op model.CircuitOp, args []int32) int32 {
	if len(args) == 1 {
		return args[0]
	}
	return b.node(model.CircuitNode{Op: op, Args: slices.Sorted(slices.Values(args))})
}

// finish makes a node the root, which is the last one.
func (b *builder) finish(root int32) {
	if int(root) != len(b.d.Nodes)-1 {
		b.d.Nodes = append(b.d.Nodes, model.CircuitNode{Op: model.CircuitProduct, Args: []int32{root}})
	}
}

// network writes the circuit of a network of tables over the same variables: it eliminates one
// after another, always one with the smallest table (Darwiche 2003, section 4, on the circuit that
// elimination traces).
func (b *builder) network(m *model.Model) (root int32, err error) {
	var sheets []sheet
	for _, f := range m.Factors {
		sheets = append(sheets, b.family(f))
	}
	left := make([]int, len(m.Vars))
	for v := range left {
		left[v] = v
	}
	for len(left) > 0 {
		i, size := 0, math.Inf(1)
		for k, v := range left {
			if n := b.size(around(sheets, v)); n < size {
				i, size = k, n
			}
		}
		if float64(len(b.d.Nodes))+size > maxNodes {
			return 0, fmt.Errorf("the circuit would have more than %d nodes; want fewer structures, or fewer parents", maxNodes)
		}
		sheets = b.eliminate(sheets, left[i])
		left = slices.Delete(left, i, i+1)
	}
	var args []int32
	for _, s := range sheets {
		args = append(args, s.nodes[0])
	}
	return b.product(args...), nil
}

// around returns the variables of the sheets with v, ascending.
func around(sheets []sheet, v int) (vars []int) {
	for _, s := range sheets {
		if slices.Contains(s.vars, v) {
			vars = append(vars, s.vars...)
		}
	}
	slices.Sort(vars)
	return slices.Compact(vars)
}

// size returns the number of joint states of variables.
func (b *builder) size(vars []int) float64 {
	n := 1.0
	for _, v := range vars {
		n *= float64(b.m.Card(model.VarID(v)))
	}
	return n
}

// each calls f with each joint state of variables, by variable of the model, the last fastest.
func (b *builder) each(vars []int, f func(states []int)) {
	states := make([]int, len(b.m.Vars))
	for range int(b.size(vars)) {
		f(states)
		for _, v := range slices.Backward(vars) {
			if states[v]++; states[v] < b.m.Card(model.VarID(v)) {
				break
			}
			states[v] = 0
		}
	}
}

// at returns the node of a sheet at a joint state.
func (b *builder) at(s *sheet, states []int) int32 {
	i := 0
	for _, v := range s.vars {
		i = i*b.m.Card(model.VarID(v)) + states[v]
	}
	return s.nodes[i]
}

// family returns a sheet of the numbers of a CPT times the indicators of its child.
func (b *builder) family(f *model.Factor) sheet {
	var scope []int
	for _, v := range f.Scope {
		scope = append(scope, int(v))
	}
	x, values := scope[f.Child], f.Dist.(*model.Table).Values
	s := sheet{vars: slices.Sorted(slices.Values(scope))}
	b.each(s.vars, func(states []int) {
		i := 0
		for _, v := range scope {
			i = i*b.m.Card(model.VarID(v)) + states[v]
		}
		s.nodes = append(s.nodes, b.product(b.number(values[i]), b.first[x]+int32(states[x])))
	})
	return s
}

// eliminate replaces the sheets with v by the sum of their product over the states of v.
func (b *builder) eliminate(sheets []sheet, v int) []sheet {
	var with, rest []sheet
	for _, s := range sheets {
		if slices.Contains(s.vars, v) {
			with = append(with, s)
		} else {
			rest = append(rest, s)
		}
	}
	out := sheet{vars: slices.DeleteFunc(around(with, v), func(u int) bool { return u == v })}
	b.each(out.vars, func(states []int) {
		var sum []int32
		for states[v] = range b.m.Card(model.VarID(v)) {
			var args []int32
			for i := range with {
				args = append(args, b.at(&with[i], states))
			}
			sum = append(sum, b.product(args...))
		}
		states[v] = 0
		out.nodes = append(out.nodes, b.sum(sum))
	})
	return append(rest, out)
}
