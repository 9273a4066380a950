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
	seen := map[string]bool{}
	for _, name := range slices.Concat(o.names()...) {
		switch {
		case !slices.Contains(persist, name):
			list.Errorf(pos, "found %q in a cluster; want variables that persist: %s", name, strings.Join(persist, ", "))
		case seen[name]:
			list.Errorf(pos, "found %q in clusters twice; want it once", name)
		}
		seen[name] = true
	}
}
