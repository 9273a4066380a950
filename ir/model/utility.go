package model

import (
	"errors"
	"math"
	"slices"
	"strconv"

	"github.com/pgmc-go/pgmc/ir/diag"
)

// Criterion is what a utility measures: money, health.
type Criterion struct {
	Name, Unit string

	// Scale is the factor of its utilities in the sum that decisions maximise: NaN if there is
	// none, and their sum means nothing.
	Scale float64

	Cost, Effect float64 // how much a unit counts as a cost and as an effect, if these are compared

	// Discount is the factor of a slice of a sequence against the one before, from 0 to 1.
	Discount float64

	Pos diag.Pos
}

// Utility is a number that depends on variables, or on other utilities. Decisions maximise the sum
// of those on which no other one depends.
type Utility struct {
	Name      string
	Criterion string // the name of one of the diagram's, or "" for the unit of the sum

	Scope  []VarID
	Values []float64 // for each joint state of the scope, row-major

	// Function takes the place of a scope and values: an expression in which the variable of axis k
	// is utility k of the diagram.
	Function *Func

	Pos diag.Pos
}

// FunctionText returns the function of a utility in the form that ParseFunc reads.
func (d *Diagram) FunctionText(u *Utility) (string, error) {
	m, f := d.asVariables()
	return u.Function.Text(m, f)
}

// FunctionNames says what names in the functions of utilities refer to, of which there must be no
// further ones. A name that several utilities have refers to none.
func (d *Diagram) FunctionNames() FuncNames {
	number := map[string]int{}
	for i, u := range d.Utilities {
		if _, several := number[u.Name]; several {
			i = -1
		}
		number[u.Name] = i
	}
	return FuncNames{Want: "another utility, with a name of its own", Axis: func(name string) (int, bool) {
		i, ok := number[name]
		return max(i, 0), ok && i >= 0
	}}
}

// asVariables returns the utilities as real variables, and a factor with all of them as parents.
func (d *Diagram) asVariables() (*Model, *Factor) {
	m, f := &Model{}, &Factor{Child: len(d.Utilities)}
	for _, u := range d.Utilities {
		v := m.NewVar(u.Name)
		v.Domain = Real{}
		f.Scope = append(f.Scope, v.ID)
	}
	return m, f
}

// Uses returns the numbers of the utilities on which a function depends, ascending.
func (u *Utility) Uses() (list []int) {
	if u.Function == nil {
		return nil
	}
	for _, n := range u.Function.Nodes {
		if n.Op == FuncVar {
			list = append(list, n.Axis)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// Roots returns the utilities on which no other one depends.
func (d *Diagram) Roots() (list []int) {
	used := make([]bool, len(d.Utilities))
	for _, u := range d.Utilities {
		for _, i := range u.Uses() {
			used[i] = true
		}
	}
	for i := range d.Utilities {
		if !used[i] {
			list = append(list, i)
		}
	}
	return list
}

// Terms returns utilities without functions that have the same sum as some utilities of the
// diagram, in the unit of that, or by other weights of the criteria. A function that is a weighted
// sum becomes a term for each of its parts, with its criterion or, without one, with theirs; any
// other one becomes a table over all variables on which it depends, with at most most entries. It
// is an error if a criterion has no scale, or if a function has no finite value in a joint state.
func (m *Model) Terms(utilities []int, most int) ([]*Utility, error) {
	for _, c := range m.Diagram.Criteria {
		if math.IsNaN(c.Scale) {
			return nil, diag.ErrorfAt(c.Pos, "the criterion %q has no scale; want one, or decide with %v, which compares costs and effects", c.Name, diag.Option{Name: "willingness"})
		}
	}
	return m.Weighted(utilities, most, func(c *Criterion) float64 { return c.Scale })
}

// Weighted returns terms as Terms does, with the weights of criteria in place of their scales.
func (m *Model) Weighted(utilities []int, most int, weight func(*Criterion) float64) (list []*Utility, err error) {
	d := m.Diagram
	// A utility counts by its own criterion as often as scale says, and whatever its criterion as
	// often as fixed says.
	scale, fixed, constant := make([]float64, len(d.Utilities)), make([]float64, len(d.Utilities)), 0.0
	for _, i := range utilities {
		scale[i] = 1
	}
	order, _ := d.order(utilities)
	sums := make([]bool, len(d.Utilities))
	for _, i := range slices.Backward(order) {
		u := d.Utilities[i]
		if u.Function == nil {
			continue
		}
		plus, coef, ok := u.Function.Linear(len(d.Utilities))
		if sums[i] = ok; !ok {
			continue
		}
		if u.Criterion != "" {
			scale[i], fixed[i] = 0, fixed[i]+scale[i]*d.weight(u, weight)
		}
		constant += (scale[i] + fixed[i]) * plus
		for _, k := range u.Uses() {
			scale[k], fixed[k] = scale[k]+scale[i]*coef[k], fixed[k]+fixed[i]*coef[k]
		}
	}
	for i, u := range d.Utilities {
		factor := fixed[i]
		if scale[i] != 0 {
			factor += scale[i] * d.weight(u, weight)
		}
		switch {
		case scale[i] == 0 && fixed[i] == 0 || sums[i]:
			continue
		case u.Function != nil:
			if u, err = m.tabulate(i, most); err != nil {
				return nil, err
			}
		}
		u = u.times(factor)
		if slices.ContainsFunc(u.Values, notFinite) {
			return nil, diag.ErrorfAt(u.Pos, "utility %q is too large to be added with its weight; want finite products", u.Name)
		}
		list = append(list, u)
	}
	if notFinite(constant) {
		return nil, errors.New("the constants of functions of utilities are too large to be added; want a finite sum")
	}
	if constant != 0 {
		list = append(list, &Utility{Name: "constant", Values: []float64{constant}})
	}
	return list, nil
}

func notFinite(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) }

// weight returns the weight of the criterion of a utility.
func (d *Diagram) weight(u *Utility, weight func(*Criterion) float64) float64 {
	for _, c := range d.Criteria {
		if c.Name == u.Criterion {
			return weight(c)
		}
	}
	return 1
}

// times returns a multiple of a utility.
func (u *Utility) times(scale float64) *Utility {
	if scale == 1 {
		return u
	}
	out := *u
	out.Values = slices.Clone(u.Values)
	for i := range out.Values {
		out.Values[i] *= scale
	}
	return &out
}

// tabulate returns utility i, which has a function, as a table.
func (m *Model) tabulate(i int, most int) (*Utility, error) {
	d := m.Diagram
	u := d.Utilities[i]
	out := &Utility{Name: u.Name, Criterion: u.Criterion, Scope: m.UtilityScope(i), Pos: u.Pos}
	n, ok := m.TableSize(out.Scope)
	if !ok || n > most {
		return nil, diag.ErrorfAt(u.Pos, "utility %q is a function of utilities over %d variables, and needs a table of %.3g entries; want fewer variables, or more than %v",
			u.Name, len(out.Scope), math.Exp(m.LogTableSize(out.Scope)), diag.Option{Name: "max-table", Value: strconv.Itoa(most)})
	}
	state, values := make([]int, len(m.Vars)), make([]float64, len(d.Utilities))
	order, _ := d.order([]int{i})
	_, scope := d.asVariables()
	for range n {
		for _, k := range order {
			values[k] = d.value(m, k, scope, state, values)
		}
		if x := values[i]; notFinite(x) {
			return nil, diag.ErrorfAt(u.Pos, "utility %q is %v%s; want a function with a finite value", u.Name, x, m.where(out.Scope, state))
		}
		out.Values = append(out.Values, values[i])
		m.Next(out.Scope, state)
	}
	return out, nil
}

// where names the states of a scope.
func (m *Model) where(scope []VarID, state []int) (text string) {
	for i, v := range scope {
		text += []string{" at ", ", "}[min(i, 1)] + m.Vars[v].Name + "=" + m.States(v)[state[v]]
	}
	return text
}

// UtilityScope returns the variables on which utility i depends, through others, ascending if it is
// a function.
func (m *Model) UtilityScope(i int) []VarID {
	d := m.Diagram
	if d.Utilities[i].Function == nil {
		return d.Utilities[i].Scope
	}
	var scope []VarID
	order, _ := d.order([]int{i})
	for _, k := range order {
		scope = append(scope, d.Utilities[k].Scope...)
	}
	slices.Sort(scope)
	return slices.Compact(scope)
}

// order returns some utilities and those on which they depend, each after those on which it depends
// itself, or a cycle.
func (d *Diagram) order(of []int) (list, cycle []int) {
	done, within, path := make([]bool, len(d.Utilities)), make([]bool, len(d.Utilities)), []int{}
	var visit func(i int)
	visit = func(i int) {
		if within[i] && cycle == nil {
			cycle = slices.Clone(path[slices.Index(path, i):])
		}
		if done[i] || cycle != nil {
			return
		}
		path, within[i] = append(path, i), true
		for _, k := range d.Utilities[i].Uses() {
			visit(k)
		}
		path, within[i] = path[:len(path)-1], false
		done[i], list = true, append(list, i)
	}
	for _, i := range of {
		visit(i)
	}
	return list, cycle
}

// value returns utility i in a joint state, given the values of those on which it depends.
func (d *Diagram) value(m *Model, i int, scope *Factor, state []int, values []float64) float64 {
	u := d.Utilities[i]
	if u.Function != nil {
		return u.Function.Eval(scope, nil, values, make([]float64, len(u.Function.Nodes)))
	}
	return u.Values[m.Index(u.Scope, state)]
}

// criteria checks the criteria, and that utilities have one of them.
func (c *checker) criteria() {
	names := map[string]bool{"": true}
	for _, x := range c.m.Diagram.Criteria {
		switch sum := x.Cost + x.Effect; {
		case x.Name == "":
			c.Errorf(c.at(x.Pos), "found a criterion without a name; want one")
		case names[x.Name]:
			c.Errorf(c.at(x.Pos), "found two criteria %q; want one of each name", x.Name)
		case math.IsInf(x.Scale, 0) || math.IsNaN(sum) || math.IsInf(sum, 0):
			c.Errorf(c.at(x.Pos), "the criterion %q has the scale %v, the cost %v and the effect %v; want finite numbers", x.Name, x.Scale, x.Cost, x.Effect)
		}
		names[x.Name] = true
	}
	for _, u := range c.m.Diagram.Utilities {
		if !names[u.Criterion] {
			c.Errorf(c.at(u.Pos), "utility %q has the criterion %q; want one of the diagram's", u.Name, u.Criterion)
		}
	}
}

// functions checks the functions of utilities.
func (c *checker) functions() {
	d := c.m.Diagram
	m, f := d.asVariables()
	for _, u := range d.Utilities {
		if u.Function == nil {
			continue
		}
		pos := c.at(u.Pos)
		if len(u.Scope) > 0 || u.Values != nil {
			c.Errorf(pos, "utility %q has a function and a table; want one of them", u.Name)
		}
		if why := u.Function.misplaced(m, f); why != "" {
			c.Errorf(pos, "utility %q has a function %s", u.Name, why)
			return // what it depends on is unknown
		}
	}
	if _, cycle := d.order(d.all()); cycle != nil {
		path := ""
		for _, i := range cycle {
			path += d.Utilities[i].Name + " -> "
		}
		first := d.Utilities[cycle[0]]
		c.Errorf(c.at(first.Pos), "the functions of utilities form a cycle: %s%s; want no utility that depends on itself", path, first.Name)
	}
}

// all returns the numbers of all utilities.
func (d *Diagram) all() (list []int) {
	for i := range d.Utilities {
		list = append(list, i)
	}
	return list
}
