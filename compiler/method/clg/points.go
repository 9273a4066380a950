package clg

import (
	"slices"

	"github.com/pgmc-go/pgmc/compiler/method/internal/gauss"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/model"
)

// pointGroup is a set of components with functions and with contexts that share variables. Which
// joint states of the contexts have the most values that others determine is a question about all
// of them together: one component may have most in states in which another has few.
type pointGroup struct {
	members  []*component
	context  []model.VarID // of all members
	selected ir.TableID    // 1 for the joint states with the most, and else 0: a factor of the discrete part
}

// findGroups finds the groups of two or more components. A group is left out if its contexts
// together have too many joint states; each component then selects states by itself.
func (b *builder) findGroups() {
	var groups []*pointGroup
	for _, g := range b.components {
		if len(g.context) == 0 || !slices.ContainsFunc(g.buckets, func(k *bucket) bool { return k.cpd.Gaussian().HasZeros() }) {
			continue
		}
		merged := &pointGroup{members: []*component{g}, context: g.context, selected: ir.NoTable}
		groups = slices.DeleteFunc(groups, func(x *pointGroup) bool {
			if !slices.ContainsFunc(x.context, func(v model.VarID) bool { return slices.Contains(merged.context, v) }) {
				return false
			}
			merged.members = append(x.members, merged.members...)
			merged.context = union(merged.context, x.context)
			return true
		})
		groups = append(groups, merged)
	}
	for _, x := range groups {
		if len(x.members) > 1 && b.m.JointStates(x.context) <= float64(b.ctx.MaxTable) {
			b.groups = append(b.groups, x)
		}
	}
}

// groupFronts declares the tables of the groups, and returns them as factors of the discrete part,
// and of its maxima if these are wanted.
func (b *builder) groupFronts(maxima bool) (list []ir.Front) {
	for _, x := range b.groups {
		x.selected = b.Add(ir.Table{Name: "states of " + b.Set(x.context) + " with most functions", Scope: x.context, Role: ir.RoleOut, Var: -1})
		list = append(list, ir.Front{Table: x.selected, Scope: x.context})
		if maxima {
			list = append(list, ir.Front{Table: x.selected, Scope: x.context, Max: true})
		}
	}
	return list
}

// fronts plans the fronts of all components that have a context.
func (b *builder) fronts() {
	weights := map[*component]ir.TableID{}
	for _, g := range b.components {
		if len(g.context) > 0 {
			weights[g] = b.possible(g, g.root())
		}
	}
	for _, x := range b.groups {
		b.selectStates(x, weights)
	}
	for _, g := range b.components {
		if len(g.context) == 0 {
			continue
		}
		alone := !slices.ContainsFunc(b.groups, func(x *pointGroup) bool { return slices.Contains(x.members, g) })
		if alone && g.root().points.Table != ir.NoTable {
			c := gauss.NewCode()
			weights[g] = b.MostPoints(g.context, c, c.Read(g.root().points), weights[g], b.Temp("states with most functions", g.context))
		}
	}
	for _, g := range b.hosts() {
		b.front(g, weights)
	}
}

// root returns the message of the last bucket of a component.
func (g *component) root() *form { return &g.buckets[len(g.buckets)-1].form }

// selectStates plans the selection of a group, and replaces the weights of its components: a state
// of a context counts if a selected joint state has it.
func (b *builder) selectStates(x *pointGroup, weights map[*component]ir.TableID) {
	c := gauss.NewCode()
	all, points := circuit.One, circuit.Zero
	for _, g := range x.members {
		all = c.Prod(all, c.Read(gauss.Part(weights[g], 0)))
		points = c.Sum(points, c.Read(g.root().points))
	}
	weight := b.Temp("possible "+b.Set(x.context), x.context)
	c.Write(ir.MapPart{Table: weight}, all)
	b.MostPoints(x.context, c, points, weight, x.selected)
	for _, g := range x.members {
		c := gauss.NewCode()
		weights[g] = b.Temp("states of "+b.Set(g.context)+" with most functions", g.context)
		c.Write(ir.MapPart{Table: weights[g]}, c.Read(gauss.Part(x.selected, 0)))
		b.Do(c)
	}
}
