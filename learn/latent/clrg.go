package latent

import (
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/learn/internal/trees"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// least is the smallest correlation that distances distinguish; smaller ones count as this.
const least = 1e-4

// distances returns the distance of each pair of variables.
func distances(c *trees.Counts) [][]float64 {
	n := len(c.Vars)
	d := make([][]float64, n)
	for i := range d {
		d[i] = make([]float64, n)
	}
	for j := range n {
		for i := range j {
			table := make([]float64, c.States(i)*c.States(j))
			c.Pair(i, j, table)
			d[i][j] = -pgmrt.Ln(min(1, max(least, correlation(table, c.States(j)))))
			d[j][i] = d[i][j]
		}
	}
	return d
}

// correlation returns the root of the mean square contingency of a table with rows of n counts.
func correlation(table []float64, n int) float64 {
	rows, columns, total := make([]float64, len(table)/n), make([]float64, n), 0.0
	for k, x := range table {
		rows[k/n] += x
		columns[k%n] += x
		total += x
	}
	sum := 0.0
	for k, x := range table {
		if expected := rows[k/n] * columns[k%n]; expected > 0 {
			sum += x * x / expected
		}
	}
	if total == 0 {
		return 0
	}
	return math.Sqrt(max(0, sum-1))
}

// grouping is a tree to which latent nodes are added, with the distances of all its nodes.
type grouping struct {
	d     [][]float64
	slack float64
	next  []map[int]bool // neighbours
}

// clrg builds a latent tree from the Chow-Liu tree of the counts.
func clrg(l *instance, c *trees.Counts) *shape {
	return group(distances(c), c.ChowLiu(1).Parent, l.options.Slack).shape(len(c.Vars))
}

// group replaces each inner node of a tree of observed variables, with its neighbours, by the
// latent tree that fits their distances.
func group(d [][]float64, parent []int, slack float64) *grouping {
	n := len(d)
	g := &grouping{d: d, slack: slack}
	for range n {
		g.next = append(g.next, map[int]bool{})
	}
	for i, p := range parent {
		if p >= 0 {
			g.join(i, p)
		}
	}
	var inner []int
	for i := range n {
		if len(g.next[i]) > 1 {
			inner = append(inner, i)
		}
	}
	for _, i := range inner {
		part := append(g.neighbours(i), i)
		if len(part) < 3 {
			continue
		}
		for _, j := range part[:len(part)-1] {
			delete(g.next[i], j)
			delete(g.next[j], i)
		}
		slices.Sort(part)
		g.recursive(part)
	}
	return g
}

func (g *grouping) join(i, j int) { g.next[i][j], g.next[j][i] = true, true }

func (g *grouping) neighbours(i int) []int {
	var list []int
	for j := range g.next[i] {
		list = append(list, j)
	}
	slices.Sort(list)
	return list
}

// pair is two active nodes with statistics of their distances to all others.
type pair struct {
	i, j   int
	mean   float64 // of d_ik - d_jk
	spread float64 // largest minus smallest d_ik - d_jk
}

// look compares the distances of two nodes to the others.
func (g *grouping) look(i, j int, active []int) pair {
	low, high, sum := math.Inf(1), math.Inf(-1), 0.0
	for _, k := range active {
		if k != i && k != j {
			x := g.d[i][k] - g.d[j][k]
			low, high, sum = min(low, x), max(high, x), sum+x
		}
	}
	return pair{i, j, sum / float64(len(active)-2), high - low}
}

// recursive joins the active nodes to a tree: nodes with the same relation to all others get a
// parent, which replaces them, until two are left.
func (g *grouping) recursive(active []int) {
	for len(active) > 2 {
		var pairs []pair
		least := math.Inf(1)
		for b, j := range active {
			for _, i := range active[:b] {
				p := g.look(i, j, active)
				pairs, least = append(pairs, p), min(least, p.spread)
			}
		}
		family := map[int]int{} // by family: its first member
		for _, i := range active {
			family[i] = i
		}
		for _, p := range pairs {
			if p.spread <= max(least, g.slack) {
				a, b := family[p.i], family[p.j]
				for _, k := range active {
					if family[k] == max(a, b) {
						family[k] = min(a, b)
					}
				}
			}
		}
		var after []int
		for _, first := range active {
			var members []int
			for _, k := range active {
				if family[k] == first {
					members = append(members, k)
				}
			}
			switch len(members) {
			case 0:
			case 1:
				after = append(after, first)
			default:
				after = append(after, g.adopt(members, active))
			}
		}
		active = after
	}
	if len(active) == 2 {
		g.join(active[0], active[1])
	}
}

// adopt joins the members of a family to their parent: the member that is at the parent's position,
// or a new latent node.
func (g *grouping) adopt(members, active []int) int {
	parent, off := -1, g.slack
	for _, j := range members {
		worst := 0.0
		for _, i := range members {
			if i != j { // i is a leaf of j if d_ik - d_jk = d_ij
				worst = max(worst, math.Abs(g.look(i, j, active).mean-g.d[i][j]))
			}
		}
		if worst <= off {
			parent, off = j, worst
		}
	}
	if parent < 0 {
		parent = g.add(members, active)
	}
	for _, i := range members {
		if i != parent {
			g.join(i, parent)
		}
	}
	return parent
}

// nearest is the least distance between a latent node and another node.
const nearest = 1e-3

// add adds a latent node between some others.
func (g *grouping) add(members, active []int) int {
	h := len(g.d)
	own := make([]float64, h+1)
	for _, i := range members {
		for _, j := range members {
			if i != j {
				own[i] += (g.d[i][j] + g.look(i, j, active).mean) / 2 / float64(len(members)-1)
			}
		}
		own[i] = max(own[i], nearest)
	}
	for k := range h {
		if slices.Contains(members, k) {
			continue
		}
		own[k] = g.through(k, members, own)
		own[k] = max(own[k], nearest)
	}
	for k := range h {
		g.d[k] = append(g.d[k], own[k])
	}
	g.d, g.next = append(g.d, own), append(g.next, map[int]bool{})
	return h
}

// through returns the distance to k of the parent of some members, given their own distances to it.
// It averages over all members except the nearest to k, since the path from k to the parent may
// pass through that one.
func (g *grouping) through(k int, members []int, own []float64) float64 {
	near := members[0]
	for _, i := range members {
		if g.d[i][k] < g.d[near][k] {
			near = i
		}
	}
	sum := 0.0
	for _, i := range members {
		if i != near {
			sum += (g.d[i][k] - own[i]) / float64(len(members)-1)
		}
	}
	return sum
}

// shape directs the edges away from the first node of each tree. The first n nodes are observed.
func (g *grouping) shape(n int) *shape {
	s := &shape{parent: make([]int, len(g.d)), vars: make([]int, len(g.d)), like: make([]int, len(g.d))}
	seen := make([]bool, len(g.d))
	for i := range g.d {
		s.vars[i], s.like[i] = i, i
		if i >= n {
			s.vars[i], s.like[i] = -1, 0
			for k := range n {
				if g.d[i][k] < g.d[i][s.like[i]] {
					s.like[i] = k
				}
			}
		}
	}
	for start := range g.d {
		if seen[start] {
			continue
		}
		seen[start], s.parent[start] = true, -1
		for queue := []int{start}; len(queue) > 0; queue = queue[1:] {
			for _, j := range g.neighbours(queue[0]) {
				if !seen[j] {
					seen[j], s.parent[j] = true, queue[0]
					queue = append(queue, j)
				}
			}
		}
	}
	return s
}
