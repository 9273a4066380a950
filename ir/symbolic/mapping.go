package symbolic

import (
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
)

// wideMap is the number of joint states above which the code of a map is not written out for each.
const wideMap = 64

// mapping executes the code of a map for each joint state.
func (x *Executor) mapping(s *ir.Map) error {
	if err := x.client.Signed(); err != nil {
		return err
	}
	if s.Entries() > wideMap {
		return x.client.Call(s)
	}
	if x.Left -= s.Products(); x.Left < 0 {
		return ErrLimit
	}
	m := &mapped{x: x, s: s, value: make([]circuit.Node, s.Values())}
	for _, v := range s.In {
		at, err := x.Operand(s.Axes, v.View)
		if err != nil {
			return err
		}
		m.in = append(m.in, at)
	}
	var after []func()
	for _, v := range s.Out {
		set, done, err := x.result(s.Axes, v.View)
		if err != nil {
			return err
		}
		m.out, after = append(m.out, set), append(after, done)
	}
	m.sum = make([]map[int]circuit.Node, len(s.Out))
	m.run(make([]int, len(s.Axes)), 0)
	for _, done := range after {
		done()
	}
	return nil
}

// mapped is the execution of one map.
type mapped struct {
	x     *Executor
	s     *ir.Map
	in    []func(int) circuit.Node
	out   []func(int, circuit.Node)
	value []circuit.Node
	sum   []map[int]circuit.Node // by result: the sums so far, by offset; nil before the first
}

// run executes the code for all states of the axes from number axis on.
func (m *mapped) run(state []int, axis int) {
	if axis == len(state) {
		m.element(state)
		return
	}
	size := m.s.Axes[axis].Size
	if m.s.Axes[axis].Kind == ir.AxisFixed {
		size = 1
	}
	for state[axis] = 0; state[axis] < size; state[axis]++ {
		m.run(state, axis+1)
	}
}

// element executes the code for one joint state.
func (m *mapped) element(state []int) {
	s, c := m.s, m.x.c
	place := func(v *ir.MapView) int {
		at := v.At
		for i, n := range v.Stride {
			at += n * state[i]
		}
		return at
	}
	values := m.value[:0]
	for i, at := range m.in {
		values = append(values, at(place(&s.In[i])))
	}
	for _, x := range s.Consts {
		values = append(values, c.Const(x))
	}
	for _, i := range s.Code {
		values = append(values, c.Apply(i.Op, values[i.A], values[i.B]))
	}
	for i, set := range m.out {
		at, n := place(&s.Out[i]), values[s.Set[i]]
		if m.sum[i] == nil {
			m.sum[i] = map[int]circuit.Node{}
		}
		if before, ok := m.sum[i][at]; ok {
			n = c.Sum(before, n)
		}
		m.sum[i][at] = n
		set(at, n)
	}
}
