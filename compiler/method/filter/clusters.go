package filter

import (
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// names returns the names of the option Clusters, by cluster.
func (o *Options) names() (list [][]string) {
	for _, cluster := range strings.Split(o.Clusters, ";") {
		var names []string
		for _, name := range strings.Split(cluster, ",") {
			names = append(names, strings.TrimSpace(name))
		}
		list = append(list, names)
	}
	return list
}

// clusters returns the places of the variables of each cluster among those that persist; nil for
// one table of them all.
func (o *Options) clusters(m *model.Model) (list [][]int) {
	if o.Clusters == "" {
		return nil
	}
	place := func(name string) int {
		return slices.IndexFunc(m.Transition.Before, func(v model.VarID) bool { return m.Vars[v].Name == name })
	}
	named := map[int]bool{}
	for _, names := range o.names() {
		var cluster []int
		for _, name := range names {
			cluster = append(cluster, place(name))
			named[place(name)] = true
		}
		list = append(list, cluster)
	}
	for k := range m.Transition.Before {
		if !named[k] {
			list = append(list, []int{k})
		}
	}
	return list
}

// checkClusters adds the reasons why the clusters do not do for p.
func (o *Options) checkClusters(list *diag.List, p *ir.Problem) {
	m, pos := p.Model, diag.Pos{File: p.Model.File}
	if slices.ContainsFunc(m.Transition.Before, m.IsReal) {
		list.Errorf(pos, "found clusters, and real variables persist; want that with discrete ones alone")
	}
	for _, q := range p.Queries {
		if q.Kind != ir.Filter {
			list.Errorf(pos, "a belief by clusters has no answer of %s; want filter", q.Word())
		}
	}
	var persist []string
	for _, v := range m.Transition.Before {
		persist = append(persist, m.Vars[v].Name)
	}
	known := true
	for _, names := range o.names() {
		for i, name := range names {
			switch {
			case !slices.Contains(persist, name):
				list.Errorf(pos, "found %q in a cluster; want variables that persist: %s", name, strings.Join(persist, ", "))
				known = false
			case slices.Contains(names[:i], name):
				list.Errorf(pos, "found %q in cluster %q twice; want it once", name, strings.Join(names, ","))
				known = false
			}
		}
	}
	if known {
		checkTree(list, m, o.clusters(m))
	}
}

// checkTree adds the reasons why clusters have no tree.
func checkTree(list *diag.List, m *model.Model, clusters [][]int) {
	pos := diag.Pos{File: m.File}
	text := func(k int) string {
		var names []string
		for _, i := range clusters[k] {
			names = append(names, m.Vars[m.Transition.Before[i]].Name)
		}
		return strings.Join(names, ",")
	}
	for k, c := range clusters {
		for j, in := range clusters {
			if j != k && len(common(c, in)) == len(c) && (len(c) < len(in) || j < k) {
				list.Errorf(pos, "all variables of cluster %q are in cluster %q; want only the larger one", text(k), text(j))
				return
			}
		}
	}
	if _, bad := Separators(clusters); bad != nil {
		list.Errorf(pos, "clusters %q, %q and %q form a loop; want clusters with a tree in which all that have a variable are connected, such as these joined to one",
			text(bad[0]), text(bad[1]), text(bad[2]))
	}
}

// common returns the elements of a that are in b.
func common(a, b []int) (list []int) {
	for _, x := range a {
		if slices.Contains(b, x) {
			list = append(list, x)
		}
	}
	return list
}

// Separators returns what each cluster shares with its neighbour toward cluster 0 in a tree of
// clusters of maximum weight, grown by Prim's algorithm. If the tree has no running intersection,
// no tree has (Jensen and Jensen 1994, "Optimal junction trees"), and bad holds three clusters that
// say so.
func Separators(clusters [][]int) (list [][]int, bad []int) {
	list = make([][]int, len(clusters))
	var done []int
	for len(done) < len(clusters) {
		next, parent, most := 0, 0, -1
		for k := range clusters {
			if slices.Contains(done, k) {
				continue
			}
			for _, j := range done {
				if n := len(common(clusters[k], clusters[j])); n > most {
					next, parent, most = k, j, n
				}
			}
		}
		if len(done) > 0 {
			list[next] = common(clusters[next], clusters[parent])
		}
		for _, j := range done {
			if both := common(clusters[next], clusters[j]); len(common(both, list[next])) < len(both) && bad == nil {
				bad = []int{next, parent, j}
			}
		}
		done = append(done, next)
	}
	return list, bad
}
