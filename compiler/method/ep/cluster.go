package ep

import (
	"slices"
	"strconv"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/internal/gauss"
	"github.com/pgmc-go/pgmc/compiler/method/internal/loop"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// cluster is a node of the tree.
type cluster struct {
	name            string
	discrete, reals []model.VarID   // ascending
	factors         []*model.Factor // tables and Gaussian CPDs
	sites           []*site
	home            []model.VarID // the variables whose evidence and answer belong here
	in              []*link       // messages to the cluster
	up              *link         // the message towards the root; nil for a root
	base            function      // the product of the factors and the evidence
	proper          ir.TableID    // 1 once all precisions were positive
}

// link is a message from one cluster to a neighbour.
type link struct {
	from, to        *cluster
	discrete, reals []model.VarID // of the separator, ascending
	back            *link         // the message the other way
	message         function
}

// weak reports whether the message sums mixtures of normal distributions.
func (l *link) weak() bool { return len(l.reals) > 0 && len(l.discrete) < len(l.from.discrete) }

// builder plans one query.
type builder struct {
	*loop.Plan
	ctx           *method.Context
	opt           *Options
	centre, scale []float64 // by variable, of real ones
	clusters      []*cluster
	sites         []*site
	order         []unit // of an iteration; nil if there is none
	checked       bool   // messages may be improper
	unused        ir.TableID
}

// newBuilder returns a builder with a tree of clusters and an order of messages. states is the
// number of joint states of discrete variables up to which real ones are eliminated first.
func newBuilder(c *method.Context, p *ir.Problem, x *Options, states int) (*builder, error) {
	b := &builder{Plan: loop.New(p), ctx: c, opt: x}
	b.centre, b.scale = gauss.Units(p.Model)
	if err := b.tree(states); err != nil {
		return nil, err
	}
	b.place()
	b.arrange()
	for _, k := range b.clusters {
		b.checked = b.checked || len(k.sites) > 0 || slices.ContainsFunc(k.in, (*link).weak)
	}
	return b, nil
}

// real reports whether v is a real variable that is not given.
func (b *builder) real(v model.VarID) bool { return b.Model.IsReal(v) && !b.Model.Vars[v].Given }

// split returns the discrete variables of a list and the real ones that are not given, ascending.
func (b *builder) split(list []model.VarID) (discrete, reals []model.VarID) {
	for _, v := range slices.Sorted(slices.Values(list)) {
		switch {
		case b.real(v):
			reals = append(reals, v)
		case !b.Model.IsReal(v):
			discrete = append(discrete, v)
		}
	}
	return slices.Compact(discrete), slices.Compact(reals)
}

// neighbours returns, by variable, those with which it shares a factor; nil for given real ones.
func (b *builder) neighbours() []map[model.VarID]bool {
	near := make([]map[model.VarID]bool, len(b.Model.Vars))
	for v := range near {
		if b.real(model.VarID(v)) || !b.Model.IsReal(model.VarID(v)) {
			near[v] = map[model.VarID]bool{}
		}
	}
	for _, f := range b.Model.Factors {
		discrete, reals := b.split(f.Scope)
		connect(near, append(discrete, reals...))
	}
	return near
}

// connect makes the variables of a scope neighbours.
func connect(near []map[model.VarID]bool, scope []model.VarID) {
	for _, v := range scope {
		for _, w := range scope {
			if v != w {
				near[v][w] = true
			}
		}
	}
}

// bucket is an eliminated variable with its neighbours at that time.
type bucket struct {
	v     model.VarID
	scope []model.VarID
}

// eliminate returns the buckets in order. A real variable is next if its cluster has few joint
// states, and otherwise the variable with the fewest numbers in its cluster.
func (b *builder) eliminate(states int) (buckets []bucket, err error) {
	near := b.neighbours()
	for {
		next := b.next(near, float64(states))
		if next < 0 {
			return buckets, nil
		}
		scope := []model.VarID{}
		for w := range near[next] {
			scope = append(scope, w)
			delete(near[w], next)
		}
		slices.Sort(scope)
		connect(near, scope)
		near[next] = nil
		buckets = append(buckets, bucket{next, scope})
		if err := b.ctx.Err(); err != nil {
			return nil, err
		}
	}
}

// tree makes the clusters by elimination and joins them.
func (b *builder) tree(states int) error {
	buckets, err := b.eliminate(states)
	if err != nil {
		return err
	}
	place := make([]int, len(b.Model.Vars))
	for i, k := range buckets {
		place[k.v] = i
	}
	made := make([]*cluster, len(buckets))
	for i := len(buckets) - 1; i >= 0; i-- {
		k := buckets[i]
		if len(k.scope) == 0 {
			made[i] = b.cluster(k.v, nil)
			continue
		}
		first := slices.MinFunc(k.scope, func(v, w model.VarID) int { return place[v] - place[w] })
		parent := made[place[first]]
		if len(parent.discrete)+len(parent.reals) == len(k.scope) { // the parent lies within
			parent.add(b, k.v)
			made[i] = parent
			continue
		}
		made[i] = b.cluster(k.v, k.scope)
		b.join(made[i], parent, k.scope)
	}
	return b.fits()
}

// add adds a variable to the cluster.
func (k *cluster) add(b *builder, v model.VarID) {
	if b.real(v) {
		k.reals = append(k.reals, v)
		slices.Sort(k.reals)
	} else {
		k.discrete = append(k.discrete, v)
		slices.Sort(k.discrete)
	}
}

// cluster adds the cluster of v and its neighbours.
func (b *builder) cluster(v model.VarID, scope []model.VarID) *cluster {
	k := &cluster{name: "cluster " + strconv.Itoa(len(b.clusters)+1)}
	k.discrete, k.reals = b.split(append(slices.Clone(scope), v))
	b.clusters = append(b.clusters, k)
	return k
}

// join makes the messages between a cluster and its parent.
func (b *builder) join(k, parent *cluster, scope []model.VarID) {
	discrete, reals := b.split(scope)
	up := &link{from: k, to: parent, discrete: discrete, reals: reals}
	down := &link{from: parent, to: k, discrete: discrete, reals: reals, back: up}
	up.back, k.up = down, up
	k.in, parent.in = append(k.in, down), append(parent.in, up)
}

// next returns the variable to eliminate next, or -1 if none is left.
func (b *builder) next(near []map[model.VarID]bool, states float64) model.VarID {
	best, bestCost, bestReal := model.VarID(-1), 0.0, false
	for i, list := range near {
		if list == nil {
			continue
		}
		v := model.VarID(i)
		n, d := 1.0, 1.0
		for w := range list {
			if b.real(w) {
				n++
			} else {
				d *= float64(b.Model.Card(w))
			}
		}
		first := b.real(v) && d <= states
		if !b.real(v) {
			d *= float64(b.Model.Card(v))
		}
		cost := d * n * n
		if best < 0 || first && !bestReal || first == bestReal && cost < bestCost {
			best, bestCost, bestReal = v, cost, first
		}
	}
	return best
}

// fits returns an error if a cluster has more numbers than a table may have.
func (b *builder) fits() error {
	for _, k := range b.clusters {
		n := float64(len(k.reals))
		if size := b.Model.JointStates(k.discrete) * (2 + 2*n + n*n/2); size > float64(b.ctx.MaxTable) {
			return diag.Errorf("a cluster has %d real variables and %.4g joint states of %d discrete ones, which takes %.4g numbers; limit: %v; try %v",
				len(k.reals), b.Model.JointStates(k.discrete), len(k.discrete), size, diag.Option{Name: "max-table", Value: strconv.Itoa(b.ctx.MaxTable)}, b.ctx.By(method.ForwardSamples))
		}
	}
	return nil
}

// place assigns each factor, and each variable, to the smallest cluster that contains it.
func (b *builder) place() {
	within := func(scope []model.VarID) (best *cluster) {
		discrete, reals := b.split(scope)
		size := 0.0
		for _, k := range b.clusters {
			if contains(k.discrete, discrete) && contains(k.reals, reals) {
				n := float64(len(k.reals) + 1)
				if s := n * n * b.Model.JointStates(k.discrete); best == nil || s < size {
					best, size = k, s
				}
			}
		}
		return best
	}
	for _, f := range b.Model.Factors {
		k := within(f.Scope)
		_, quadratic := f.Dist.(model.QuadraticLog)
		switch {
		case !quadratic && slices.ContainsFunc(f.Scope, b.Model.IsReal): // a message approximates it
			s := &site{in: k, f: f}
			k.sites, b.sites = append(k.sites, s), append(b.sites, s)
		case k != nil: // a number without scope multiplies the first cluster
			k.factors = append(k.factors, f)
		}
	}
	for v := range b.Model.Vars {
		if id := model.VarID(v); b.real(id) || !b.Model.IsReal(id) {
			k := within([]model.VarID{id})
			k.home = append(k.home, id)
		}
	}
}

// contains reports whether all variables of part are in whole, both ascending.
func contains(whole, part []model.VarID) bool {
	for _, v := range part {
		if _, ok := slices.BinarySearch(whole, v); !ok {
			return false
		}
	}
	return true
}

// function is a table of canonical forms: for each joint state of discrete variables, whether it is
// possible, and the logarithm of exp(log + h·x - x'Kx/2).
type function struct {
	reals []model.VarID
	mask  ir.TableID // 1 if a joint state is possible, and else 0
	table ir.TableID // parts: log, then h, then the lower triangle of K
}

// parts returns the number of parts of the table of a function of n real variables.
func parts(n int) int { return 1 + n + n*(n+1)/2 }

// newFunction adds the tables of a function.
func (b *builder) newFunction(name string, role ir.Role, discrete, reals []model.VarID) function {
	return function{reals,
		b.Add(ir.Table{Name: "possible " + name, Scope: discrete, Role: role, Var: -1}),
		b.Add(ir.Table{Name: name, Scope: discrete, Role: role, Var: -1, Parts: parts(len(reals))})}
}

// read returns the function as a form of code.
func (f *function) read(c *gauss.Code) (form *gauss.Form, log, mask gauss.Number) {
	form = gauss.NewForm(f.reals)
	n := len(f.reals)
	at := 1 + n
	for i := range n {
		form.H[i] = c.Read(gauss.Part(f.table, 1+i))
		for j := range i + 1 {
			form.K[i][j] = c.Read(gauss.Part(f.table, at))
			at++
		}
	}
	return form, gauss.Part(f.table, 0), gauss.Part(f.mask, 0)
}
