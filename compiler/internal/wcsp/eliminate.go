package wcsp

import "slices"

// A variable is eliminated if the table of its neighbours has no more numbers than the largest of
// its own tables, or than fewNumbers, and no more than mostNumbers.
const (
	fewNumbers  = 64
	mostNumbers = 1 << 12
)

// eliminated is an eliminated variable, with the tables that decide its state.
type eliminated struct {
	v    int
	tabs []table
}

// eliminator removes variables from a problem.
type eliminator struct {
	*energies
	tablesOf   [][]int // by variable: its tables, as places in tabs
	removed    []bool  // by table
	eliminated []eliminated
	open       []bool // by variable: not eliminated
}

// eliminate returns the problem without the variables that are cheap to eliminate, and these in the
// order in which they went, or fewer if stop reports true.
func eliminate(p *energies, stop func() bool) (*energies, []eliminated) {
	x := &eliminator{energies: &energies{p.card, slices.Clone(p.tabs), p.base, p.alone, p.scale, p.round}, tablesOf: make([][]int, len(p.card)), open: make([]bool, len(p.card))}
	for i := range x.tabs {
		x.addTable(i)
	}
	var queue []int
	for v := range p.card {
		x.open[v] = true
		queue = append(queue, v)
	}
	waits := slices.Clone(x.open)
	for len(queue) > 0 && !stop() {
		v := queue[0]
		queue, waits[v] = queue[1:], false
		scope := x.neighbours(v)
		if !x.open[v] || !x.pays(v, scope) {
			continue
		}
		x.remove(v, scope)
		for _, u := range scope {
			if !waits[u] {
				waits[u] = true
				queue = append(queue, u)
			}
		}
	}
	var tabs []table
	for i := range x.tabs {
		if !x.removed[i] {
			tabs = append(tabs, x.tabs[i])
		}
	}
	x.tabs = tabs
	x.absorb()
	return x.energies, x.eliminated
}

// addTable adds table i to the tables of its variables.
func (x *eliminator) addTable(i int) {
	x.removed = append(x.removed, false)
	for _, v := range x.tabs[i].scope {
		x.tablesOf[v] = append(x.tablesOf[v], i)
	}
}

// neighbours returns the variables that share a table with v.
func (x *eliminator) neighbours(v int) (scope []int) {
	x.tablesOf[v] = slices.DeleteFunc(x.tablesOf[v], func(i int) bool { return x.removed[i] })
	for _, i := range x.tablesOf[v] {
		for _, u := range x.tabs[i].scope {
			if u != v && !slices.Contains(scope, u) {
				scope = append(scope, u)
			}
		}
	}
	return scope
}

// pays reports whether v, with the neighbours scope, is to be eliminated.
func (x *eliminator) pays(v int, scope []int) bool {
	largest := 0.0
	for _, i := range x.tablesOf[v] {
		largest = max(largest, x.size(x.tabs[i].scope))
	}
	n := x.size(scope)
	return n <= max(largest, fewNumbers) && n*float64(x.card[v]) <= mostNumbers
}

// remove eliminates v.
func (x *eliminator) remove(v int, scope []int) {
	slices.Sort(scope)
	var own []table
	var tabs []*table
	for _, i := range x.tablesOf[v] {
		own = append(own, x.tabs[i])
		tabs = append(tabs, &x.tabs[i])
		x.removed[i] = true
	}
	all := x.join(append(slices.Clone(scope), v), tabs)
	t := table{scope, make([]int64, int(x.size(scope)))}
	for i := range t.e {
		t.e[i] = slices.Min(all.e[i*x.card[v] : (i+1)*x.card[v]])
	}
	x.open[v] = false
	x.eliminated = append(x.eliminated, eliminated{v, own})
	if len(scope) == 0 {
		x.alone = add(x.alone, t.e[0])
		return
	}
	x.tabs = append(x.tabs, t)
	x.addTable(len(x.tabs) - 1)
}

// energy returns the energy of a joint state in the tables of d.
func (d *eliminated) energy(card, x []int) (sum int64) {
	for i := range d.tabs {
		sum = add(sum, d.tabs[i].at(card, x))
	}
	return sum
}

// complete gives the eliminated variables their best states given the others.
func complete(p *energies, done []eliminated, x []int) {
	for _, d := range slices.Backward(done) {
		best, least := 0, int64(inf)
		for k := range p.card[d.v] {
			x[d.v] = k
			if e := d.energy(p.card, x); e < least {
				best, least = k, e
			}
		}
		x[d.v] = best
	}
}
