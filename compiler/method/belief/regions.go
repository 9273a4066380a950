package belief

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// The region graphs. Name ofLoops is followed by a length, as in loop4.
const (
	bethe     = "bethe"
	ofFactors = "factors"
	ofLoops   = "loop"
	join      = "join"
)

// wantRegions is the advice in the error for an unknown region graph.
const wantRegions = "want bethe, factors, join, or loop with a length from 3 to 9, such as loop4"

// loopLength returns the N of loopN. It reports false if s is anything else.
func loopLength(s string) (n int, ok bool) {
	digits, found := strings.CutPrefix(s, ofLoops)
	n, err := strconv.Atoi(digits)
	return n, found && err == nil && n >= 3 && n <= 9
}

// Bounds on the size of a region graph, which may have many more clusters and regions than
// variables, and on the work to find them: steps along loops, and intersections. Each takes a few
// seconds at most.
const (
	maxRegions       = 1 << 14
	maxLinks         = 1 << 17
	maxSteps         = 1 << 24
	maxIntersections = 1 << 21
)

// outer is a cluster of variables, with the factors that are assigned to it. Each factor is
// assigned to one cluster. Inner regions are sets that clusters share.
type outer struct {
	scope   []model.VarID // ascending
	factors []int
	links   []*link
}

// inner is a set of variables with a marginal on which the clusters that contain it agree. Its
// entropy is added to the clusters' count times, so that each variable counts once in total.
type inner struct {
	scope []model.VarID // ascending
	count int
	links []*link
}

// link connects a cluster to an inner region that it contains.
type link struct {
	outer *outer
	inner *inner
	linkMessages
}

// regions is a region graph of a model.
type regions struct {
	m      *model.Model
	outers []*outer
	inners []*inner
}

// regionsOf returns the region graph that the options name.
func (x *Options) regionsOf(c *method.Context, m *model.Model) (*regions, error) {
	g := &regions{m: m}
	if x.Regions == join {
		g.join(c, x.MaxCluster)
		g.assign()
		return g, nil
	}
	clusters, err := x.clusters(m)
	if err != nil {
		return nil, err
	}
	for _, scope := range maximal(clusters) {
		g.outers = append(g.outers, &outer{scope: scope})
	}
	if err := g.addIntersections(); err != nil {
		return nil, err
	}
	g.assign()
	return g, nil
}

// clusters returns sets of variables, each ascending, that contain every factor and every variable.
func (x *Options) clusters(m *model.Model) (list [][]model.VarID, err error) {
	neighbours := make([][]model.VarID, len(m.Vars)) // by variable: itself and its neighbours
	for v := range m.Vars {
		neighbours[v] = []model.VarID{model.VarID(v)}
	}
	list = slices.Clone(neighbours)
	for _, f := range m.Factors {
		if len(f.Scope) == 0 {
			continue
		}
		list = append(list, slices.Sorted(slices.Values(f.Scope)))
		for _, v := range f.Scope {
			neighbours[v] = union(neighbours[v], f.Scope)
		}
	}
	if n, ok := loopLength(x.Regions); ok {
		loops, err := loopsOf(neighbours, n)
		return append(list, loops...), err
	}
	return list, nil
}

// loopsOf returns the sets of variables on loops of up to n variables in the graph in which
// variables are adjacent if they share a factor.
func loopsOf(neighbours [][]model.VarID, n int) (list [][]model.VarID, err error) {
	found := map[string]bool{}
	var path []model.VarID
	steps := 0
	var walk func(at model.VarID) bool
	walk = func(at model.VarID) bool {
		if steps++; steps > maxSteps {
			return false
		}
		path = append(path, at)
		defer func() { path = path[:len(path)-1] }()
		if _, closes := slices.BinarySearch(neighbours[at], path[0]); closes && len(path) > 2 {
			scope := slices.Sorted(slices.Values(path))
			if key := fmt.Sprint(scope); !found[key] {
				if len(found) == maxRegions {
					return false
				}
				found[key] = true
				list = append(list, scope)
			}
		}
		if len(path) == n {
			return true
		}
		for _, next := range neighbours[at] { // a loop begins with its least variable
			if next > path[0] && !slices.Contains(path, next) && !walk(next) {
				return false
			}
		}
		return true
	}
	for v := range neighbours {
		if !walk(model.VarID(v)) {
			return nil, diag.Errorf("belief: there are too many loops of up to %d variables; want a smaller length, or %v", n, regionsOf("factors"))
		}
	}
	return list, nil
}

// maximal returns the sets that no other set contains, without repetitions, sorted.
func maximal(sets [][]model.VarID) [][]model.VarID {
	sets = slices.Clone(sets)
	slices.SortFunc(sets, func(a, b []model.VarID) int { return cmp.Or(len(b)-len(a), slices.Compare(a, b)) })
	var kept [][]model.VarID
	of := map[model.VarID][]int{} // by variable: indices of kept
	for _, s := range sets {
		if slices.ContainsFunc(of[s[0]], func(k int) bool { return contains(kept[k], s) }) {
			continue
		}
		for _, v := range s {
			of[v] = append(of[v], len(kept))
		}
		kept = append(kept, s)
	}
	slices.SortFunc(kept, slices.Compare)
	return kept
}

var errTooMany = diag.Errorf("belief: there are too many regions; want a smaller region graph, such as %v or join", regionsOf(bethe))

// regionsOf returns the option that selects a region graph, as an argument of messages.
func regionsOf(name string) diag.Option { return diag.Option{Name: "regions", Value: name} }

// addIntersections adds the inner regions of the cluster variation method: all intersections of
// clusters. The counts of a region and of all regions and clusters that contain it sum to 1.
// Regions of count 0 are left out.
func (g *regions) addIntersections() error {
	of := make([][]int, len(g.m.Vars)) // by variable: its clusters
	for i, o := range g.outers {
		for _, v := range o.scope {
			of[v] = append(of[v], i)
		}
	}
	shared, err := g.intersections(of)
	if err != nil {
		return err
	}
	links := 0
	around := make([][]*inner, len(g.m.Vars)) // by variable: the larger inner regions
	for _, s := range shared {
		r := &inner{scope: s, count: 1}
		for _, k := range of[s[0]] {
			if o := g.outers[k]; contains(o.scope, s) {
				r.count--
				r.links = append(r.links, &link{outer: o, inner: r})
			}
		}
		for _, larger := range around[s[0]] {
			if contains(larger.scope, s) {
				r.count -= larger.count
			}
		}
		for _, v := range s {
			around[v] = append(around[v], r)
		}
		if r.count == 0 {
			continue
		}
		if len(r.links)+r.count <= 0 {
			return fmt.Errorf("belief: the region {%s} counts %d times and is in %d clusters, for which there are no messages; want another region graph", g.names(s), r.count, len(r.links))
		}
		if links += len(r.links); links > maxLinks {
			return errTooMany
		}
		g.inners = append(g.inners, r)
		for _, l := range r.links {
			l.outer.links = append(l.outer.links, l)
		}
	}
	return nil
}

// intersections returns the intersections of clusters and of such intersections, the larger ones
// first. of holds the clusters of each variable.
func (g *regions) intersections(of [][]int) (shared [][]model.VarID, err error) {
	seen := map[string]bool{}
	count := 0
	meet := func(scope []model.VarID) {
		for _, v := range scope {
			count += len(of[v])
			for _, k := range of[v] {
				s := intersection(scope, g.outers[k].scope)
				if key := fmt.Sprint(s); len(s) < len(g.outers[k].scope) && len(s) > 0 && !seen[key] {
					seen[key] = true
					shared = append(shared, s)
				}
			}
		}
	}
	for i := 0; i < len(g.outers)+len(shared); i++ { // shared grows in the loop
		if len(g.outers)+len(shared) > maxRegions || count > maxIntersections {
			return nil, errTooMany
		}
		if i < len(g.outers) {
			meet(g.outers[i].scope)
		} else {
			meet(shared[i-len(g.outers)])
		}
	}
	slices.SortFunc(shared, func(a, b []model.VarID) int { return cmp.Or(len(b)-len(a), slices.Compare(a, b)) })
	return shared, nil
}

func (g *regions) names(scope []model.VarID) string {
	var names []string
	for _, v := range scope {
		names = append(names, strconv.Quote(g.m.Vars[v].Name))
	}
	return strings.Join(names, ", ")
}

// assign assigns each factor to the smallest cluster that contains its variables.
func (g *regions) assign() {
	for n, f := range g.m.Factors {
		if len(f.Scope) > 0 {
			o := g.smallest(slices.Sorted(slices.Values(f.Scope)))
			o.factors = append(o.factors, n)
		}
	}
}

// smallest returns the first of the smallest clusters that contain scope.
func (g *regions) smallest(scope []model.VarID) (best *outer) {
	for _, o := range g.outers {
		if contains(o.scope, scope) && (best == nil || len(o.scope) < len(best.scope)) {
			best = o
		}
	}
	return best
}

// Sets of variables are sorted slices.

func union(a, b []model.VarID) []model.VarID {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}

func intersection(a, b []model.VarID) (both []model.VarID) {
	for _, v := range a {
		if _, ok := slices.BinarySearch(b, v); ok {
			both = append(both, v)
		}
	}
	return both
}

// contains reports whether a contains all of b.
func contains(a, b []model.VarID) bool {
	return len(b) <= len(a) && !slices.ContainsFunc(b, func(v model.VarID) bool {
		_, ok := slices.BinarySearch(a, v)
		return !ok
	})
}
