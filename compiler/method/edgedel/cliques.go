package edgedel

import (
	"fmt"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/compiler/cluster"
	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// cliques is the distribution of a network, as its marginals on the cliques of a chordal graph. An
// edge that only one clique C has can be deleted: its ends u and v become independent given the
// rest of C, which splits C into C without u and C without v. The graph stays chordal and the
// marginals stay true. The Kullback-Leibler divergence grows by the mutual information of u and v
// given the rest of C.
//
// Source: Kjærulff 1994, Reduction of computational complexity in Bayesian networks through removal
// of weak dependences.
type cliques struct {
	m          *model.Model
	list       []*clique
	holders    map[pair]int // by edge: the number of cliques that have it
	edges      int          // of the triangulated graph
	deleted    int
	divergence float64 // of the distribution without the deleted edges, in nats
	logZ       float64 // ln of the sum of the product of all factors; 0 in a Bayesian network
}

// clique is a maximal complete set of variables, ascending, and its marginal, row-major.
type clique struct {
	vars     []model.VarID
	marginal []float64
	prices   map[pair]float64
}

// pair is an edge of an undirected graph, its lower end first.
type pair [2]model.VarID

func pairOf(u, v model.VarID) pair { return pair{min(u, v), max(u, v)} }

// newCliques computes the marginals of the cliques by exact inference. It returns an error if a
// table would exceed the limits of c.
func newCliques(c *method.Context, m *model.Model, order []int) (*cliques, error) {
	scopes := make([][]model.VarID, len(m.Factors))
	for n, f := range m.Factors {
		scopes[n] = f.Scope
	}
	tree := cluster.New(len(m.Vars), scopes, order).Cliques()
	x := &cliques{m: m, holders: map[pair]int{}}
	total := 0.0
	for _, k := range tree {
		size := m.JointStates(k.Vars)
		if total += size; size > float64(c.MaxTable) || total*16 > float64(c.MaxMem) {
			return nil, fmt.Errorf("parameters cliques need the marginals of all cliques while planning: one of %.3g joint states, and %.3g in all so far, exceed the limits for tables or memory", size, total)
		}
		vars := slices.Sorted(slices.Values(k.Vars))
		x.list = append(x.list, &clique{vars: vars, marginal: slices.Repeat([]float64{1}, int(size))})
	}
	if err := x.calibrate(c, tree); err != nil {
		return nil, err
	}
	for _, k := range x.list {
		x.hold(k, 1)
	}
	x.edges = len(x.holders)
	return x, nil
}

// calibrate multiplies the factors into their cliques, and passes messages to the roots and back.
func (x *cliques) calibrate(c *method.Context, tree []cluster.Clique) error {
	for _, f := range x.m.Factors {
		values, err := x.m.Tabulate(f, c.MaxTable)
		if err != nil {
			return err
		}
		at := slices.IndexFunc(x.list, func(k *clique) bool { return within(f.Scope, k.vars) })
		if at < 0 { // a factor without variables
			x.logZ += pgmrt.Ln(values[0])
			continue
		}
		x.multiply(x.list[at], values, f.Scope)
	}
	order := rootsFirst(tree)
	sent := make([][]float64, len(tree))
	for _, i := range slices.Backward(order) {
		if err := c.Err(); err != nil {
			return err
		}
		k := x.list[i]
		sum := 0.0
		for _, p := range k.marginal {
			sum += p
		}
		if !(sum > 0) || math.IsInf(sum, 1) {
			return fmt.Errorf("parameters cliques need a distribution, and the sum of its numbers is %g", sum)
		}
		x.logZ += pgmrt.Ln(sum)
		normalize(k.marginal)
		if up := tree[i].Parent; up >= 0 {
			sent[i] = x.onto(k, tree[i].Separator)
			x.multiply(x.list[up], sent[i], tree[i].Separator)
		}
	}
	for _, i := range order {
		if up := tree[i].Parent; up >= 0 {
			message := x.onto(x.list[up], tree[i].Separator)
			for s, old := range sent[i] {
				if old > 0 { // otherwise 0 remains 0
					message[s] /= old
				}
			}
			x.multiply(x.list[i], message, tree[i].Separator)
		}
		normalize(x.list[i].marginal)
	}
	if x.m.Kind == model.Bayes {
		x.logZ = 0 // apart from rounding
	}
	return nil
}

// rootsFirst lists cliques so that each comes after its parent.
func rootsFirst(tree []cluster.Clique) (order []int) {
	children := make([][]int, len(tree))
	for i, k := range tree {
		if k.Parent < 0 {
			order = append(order, i)
		} else {
			children[k.Parent] = append(children[k.Parent], i)
		}
	}
	for at := 0; at < len(order); at++ {
		order = append(order, children[order[at]]...)
	}
	return order
}

// within reports whether all of part are among vars. It is false for no variables.
func within(part, vars []model.VarID) bool {
	for _, v := range part {
		if !slices.Contains(vars, v) {
			return false
		}
	}
	return len(part) > 0
}

// walk calls do for each joint state of vars, in order, with its number and the number of the state
// of part, which vars contain.
func (x *cliques) walk(vars, part []model.VarID, do func(i, at int)) {
	steps, state, at := x.m.Strides(part, vars), make([]int, len(vars)), 0
	for i := range int(x.m.JointStates(vars)) {
		do(i, at)
		for k := len(vars) - 1; k >= 0; k-- {
			state[k]++
			at += steps[k]
			if state[k] < x.m.Card(vars[k]) {
				break
			}
			at -= state[k] * steps[k]
			state[k] = 0
		}
	}
}

// multiply multiplies a table over part, row-major, into a clique that contains part.
func (x *cliques) multiply(k *clique, values []float64, part []model.VarID) {
	x.walk(k.vars, part, func(i, at int) { k.marginal[i] *= values[at] })
}

// onto returns the marginal of part of a clique, row-major.
func (x *cliques) onto(k *clique, part []model.VarID) []float64 {
	out := make([]float64, int(x.m.JointStates(part)))
	x.walk(k.vars, part, func(i, at int) { out[at] += k.marginal[i] })
	return out
}

// hold adds n to the number of cliques that have each edge of a clique.
func (x *cliques) hold(k *clique, n int) {
	for i, u := range k.vars {
		for _, v := range k.vars[:i] {
			if e := pairOf(u, v); x.holders[e]+n == 0 {
				delete(x.holders, e)
			} else {
				x.holders[e] += n
			}
		}
	}
}

// price returns the mutual information in nats of two variables of a clique given all others.
func (x *cliques) price(k *clique, e pair) float64 {
	if p, ok := k.prices[e]; ok {
		return p
	}
	first, second := without(slices.Clone(k.vars), e[0]), without(slices.Clone(k.vars), e[1])
	rest := without(slices.Clone(first), e[1])
	p, q, r := x.onto(k, first), x.onto(k, second), x.onto(k, rest)
	ratio := make([]float64, len(k.marginal))
	x.walk(k.vars, rest, func(i, at int) { ratio[i] = r[at] })
	x.walk(k.vars, first, func(i, at int) { ratio[i] /= p[at] })
	x.walk(k.vars, second, func(i, at int) { ratio[i] /= q[at] })
	sum := 0.0
	for i, y := range k.marginal {
		if y > 0 {
			sum += y * pgmrt.Ln(y*ratio[i])
		}
	}
	if k.prices == nil {
		k.prices = map[pair]float64{}
	}
	k.prices[e] = max(0, sum)
	return k.prices[e]
}

// delete deletes an edge that only clique k has.
func (x *cliques) delete(k *clique, e pair) {
	x.divergence += x.price(k, e)
	x.deleted++
	x.hold(k, -1)
	x.list = slices.DeleteFunc(x.list, func(other *clique) bool { return other == k })
	for _, v := range e {
		vars := without(slices.Clone(k.vars), v)
		if len(vars) == 0 || slices.ContainsFunc(x.list, func(other *clique) bool { return within(vars, other.vars) }) {
			continue
		}
		part := &clique{vars: vars, marginal: x.onto(k, vars)}
		x.hold(part, 1)
		x.list = append(x.list, part)
	}
}

// named deletes the edges of option delete, such as A--B.
func (x *cliques) named(words []string) error {
	for _, word := range words {
		from, to, ok := ends(x.m, word, "--")
		if !ok {
			return fmt.Errorf("found edge %q to delete; with parameters cliques want two variables, as in A--B", word)
		}
		e, err := variables(x.m, from, to, "--")
		if err != nil {
			return err
		}
		edge := pairOf(e[0], e[1])
		if n := x.holders[edge]; n != 1 {
			return fmt.Errorf("edge %s--%s to delete: %d cliques of the triangulated graph have it; want an edge that one clique has%s", from, to, n, x.possible())
		}
		for _, k := range x.list {
			if within(edge[:], k.vars) {
				x.delete(k, edge)
				break
			}
		}
	}
	return nil
}

// possible lists some edges that can be deleted.
func (x *cliques) possible() string {
	text, before := "", ", such as "
	for _, k := range x.list {
		for i, u := range k.vars {
			for _, v := range k.vars[:i] {
				if x.holders[pairOf(u, v)] == 1 && len(text) < 60 {
					text += fmt.Sprintf("%s%s--%s", before, x.m.Vars[v].Name, x.m.Vars[u].Name)
					before = ", "
				}
			}
		}
	}
	return text
}

// choose deletes edges until no clique has more than budget joint states: again and again the edge
// with the least price of those that only one clique has, if that clique is too large, and
// otherwise, if such cliques share all of their edges, the cheapest edge of all.
func (x *cliques) choose(c *method.Context, budget float64) error {
	for {
		if err := c.Err(); err != nil {
			return err
		}
		large := slices.Clone(x.list)
		large = slices.DeleteFunc(large, func(k *clique) bool { return len(k.vars) < 2 || x.m.JointStates(k.vars) <= budget })
		if len(large) == 0 {
			return nil
		}
		k, e := x.cheapest(large)
		if k == nil {
			k, e = x.cheapest(x.list)
		}
		x.delete(k, e)
	}
}

// cheapest returns the cheapest edge that only one clique of all has, and that is among some.
func (x *cliques) cheapest(among []*clique) (at *clique, e pair) {
	least := math.Inf(1)
	for _, k := range among {
		for i, v := range k.vars {
			for _, u := range k.vars[:i] {
				if edge := (pair{u, v}); x.holders[edge] == 1 && x.price(k, edge) < least {
					least, at, e = x.price(k, edge), k, edge
				}
			}
		}
	}
	return at, e
}

// network returns the distribution without the deleted edges as CPDs, and an order of elimination
// that adds no edges. By maximum cardinality search each variable has its neighbours among the
// variables before it as parents, which are a clique.
func (x *cliques) network() (cpds []*model.Factor, order []int) {
	before := make([][]model.VarID, len(x.m.Vars)) // by variable: its neighbours that have an order
	placed := make([]bool, len(x.m.Vars))
	for range x.m.Vars {
		next := -1
		for v := range before {
			if !placed[v] && (next < 0 || len(before[v]) > len(before[next])) {
				next = v
			}
		}
		placed[next] = true
		order = append(order, next)
		v := model.VarID(next)
		for w := range before {
			if !placed[w] && x.holders[pairOf(v, model.VarID(w))] > 0 {
				before[w] = append(before[w], v)
			}
		}
		cpds = append(cpds, x.cpd(append(slices.Clone(before[v]), v)))
	}
	slices.Reverse(order)
	scale := math.Exp(x.logZ / float64(len(cpds)))
	for _, f := range cpds {
		values := f.Dist.(*model.Table).Values
		for i := range values {
			values[i] *= scale
		}
	}
	return cpds, order
}

// cpd returns the distribution of the last of some variables of a clique given the others. If these
// cannot have their states, any distribution will do, and cpd takes the uniform one.
func (x *cliques) cpd(scope []model.VarID) *model.Factor {
	at := slices.IndexFunc(x.list, func(k *clique) bool { return within(scope, k.vars) })
	values := x.onto(x.list[at], scope)
	card := x.m.Card(scope[len(scope)-1])
	for row := range slices.Chunk(values, card) {
		if slices.Max(row) == 0 {
			copy(row, slices.Repeat([]float64{1}, card))
		}
		normalize(row)
	}
	return &model.Factor{Scope: scope, Child: len(scope) - 1, Dist: &model.Table{Values: values}}
}
