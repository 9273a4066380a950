package switching

import (
	"slices"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/internal/gauss"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/circuit"
	"github.com/pgmc-go/pgmc/ir/model"
)

// slice is the plan of one entry.
type slice struct {
	name string
	m    *model.Model
	in   bool // a belief enters
	back bool // on the way back: the belief given all evidence enters too
	bare bool // without posteriors, for evidence that leaves the variables that persist unobserved
	best bool // about the best values in place of all: largest densities, or on the way back the values
	draw bool // values are drawn: on the way back, or those of a particle

	context []model.VarID // the discrete variables for whose joint states there are moments
	over    []model.VarID // those that persist, and the others of the context
	weights ir.TableID    // the posterior of over; NoTable if that is empty
	moments gauss.Stored  // of the real variables of the slice
	front   ir.TableID    // the density of the evidence on real variables by context, up to a factor
	factor  ir.TableID    // what that density is to be multiplied by; NoTable for 1
	tilt    ir.TableID    // the probability of the states of discrete variables with real parents; NoTable if there are none
	gate    ir.TableID    // without a context, 0 if observed values contradict each other; NoTable for 1
	later   ir.TableID    // on the way back, the likelihood of the evidence on later slices, up to a factor
	chosen  ir.TableID    // on the way back of a history, 1 for its state of over
	e       ir.ScheduleEntry
}

// plan plans the entry of a slice.
func (b *builder) plan(s *slice, q *ir.Query) error {
	s.weights, s.front, s.factor, s.tilt, s.gate, s.later, s.chosen, s.e.Root = ir.NoTable, ir.NoTable, ir.NoTable, ir.NoTable, ir.NoTable, ir.NoTable, ir.NoTable, ir.NoTable
	s.e.Stream = &ir.ScheduleStream{Histories: b.rule.Histories}
	if s.in {
		s.e.Stream.In = b.belief.tables()
	}
	if s.back {
		s.e.Stream.In = slices.Concat(s.e.Stream.In, b.filtered.tables(), b.smoothed.tables())
	}
	b.scopes(s)
	if s.back && b.rule.Histories != nil && len(s.over) > 0 {
		s.chosen = b.Add(ir.Table{Name: "history, " + s.name, Scope: s.over, Role: ir.RolePersistent, Var: -1})
		s.e.Stream.In = append(s.e.Stream.In, s.chosen)
	}
	if err := b.fits(s); err != nil {
		return err
	}
	possible, before, err := b.predict(s)
	if err != nil {
		return err
	}
	b.push(s, before, possible)
	s.e.Blocks = append(s.e.Blocks, b.Block(s.name+" real"))
	if s.back {
		if err := b.expect(s); err != nil {
			return err
		}
	}
	if err := b.calibrate(s); err != nil {
		return err
	}
	if s.drawsParticle() {
		b.leaveParticle(s)
	} else {
		b.leaveAll(s)
	}
	named := *q
	named.Name = s.name
	s.e.Query = &named
	b.S.Entries = append(b.S.Entries, s.e)
	return nil
}

// leaveAll plans the answers of a slice, and the numbers that leave it by the stream.
func (b *builder) leaveAll(s *slice) {
	if s.back {
		b.regress(s)
	}
	if !s.bare && !s.best {
		b.answers(s)
	}
	b.leaveBelief(s)
	s.e.Blocks = append(s.e.Blocks, b.Block(s.name+" mixtures"))
}

// leaveBelief plans the belief that leaves the slice: to the slice after it, or on the way back to
// the one before.
func (b *builder) leaveBelief(s *slice) {
	if s.back && s.best {
		b.leaveValues(s)
	}
	switch {
	case s.back && s.in && b.rule.Histories != nil:
		moments := s.moments.Of(b.before.real)
		if s.weights != ir.NoTable {
			moments = b.Mixture(moments, s.weights, nil)
		}
		b.leaveMoments(s, moments, nil)
	case s.back && s.in:
		b.leave(s, b.before)
	case s.back: // slice 0
	case b.rule.Histories != nil:
		b.leaveApart(s)
	default:
		b.leave(s, b.after)
	}
}

// scopes sets the discrete variables with moments for each joint state, and the variables of the
// posterior that weighs them.
func (b *builder) scopes(s *slice) {
	for _, v := range s.m.Reals() {
		if f := s.m.CPD(v); f != nil {
			own, _ := s.m.SplitParents(f)
			s.context = union(s.context, own)
		}
	}
	for _, f := range softmaxes(s.m) {
		own, _ := s.m.SplitParents(f)
		s.context = union(s.context, own, []model.VarID{f.ChildVar()})
	}
	if s.in && b.rule.Each && (!b.rule.Early || s.back) && b.belief.moments != ir.NoTable {
		s.context = union(s.context, b.before.discrete)
	}
	s.over = slices.Clone(b.after.discrete)
	rest := s.context
	if s.back && s.in && b.rule.Histories == nil {
		rest = union(rest, b.before.discrete)
	}
	for _, v := range rest {
		if !slices.Contains(s.over, v) {
			s.over = append(s.over, v)
		}
	}
}

// fronts returns the factors of the discrete network.
func (b *builder) fronts(s *slice) (list []ir.Front) {
	if s.in && len(b.before.discrete) > 0 {
		list = append(list, ir.Front{Table: b.belief.states, Scope: b.before.discrete})
	}
	if s.front != ir.NoTable {
		list = append(list, ir.Front{Table: s.front, Scope: s.context})
	}
	if s.factor != ir.NoTable {
		list = append(list, ir.Front{Table: s.factor, Scope: s.context})
	}
	if s.tilt != ir.NoTable {
		list = append(list, ir.Front{Table: s.tilt, Scope: s.context})
	}
	if s.later != ir.NoTable {
		list = append(list, ir.Front{Table: s.later, Scope: b.after.discrete})
	}
	if s.chosen != ir.NoTable {
		list = append(list, ir.Front{Table: s.chosen, Scope: s.over})
	}
	return list
}

// use answers queries about the discrete network and takes their entries out of the schedule.
func (b *builder) use(s *slice, queries ...*ir.Query) ([]ir.ScheduleEntry, error) {
	first := len(b.S.Entries)
	p := &ir.Problem{Model: discrete(s.m), Into: b.S, More: true, Fronts: b.fronts(s), Queries: queries}
	if _, _, err := b.ctx.Use(method.Tables, p); err != nil {
		return nil, err
	}
	made := slices.Clone(b.S.Entries[first:])
	b.S.Entries = b.S.Entries[:first:first]
	for i := range made {
		for _, k := range made[i].Blocks {
			if !slices.Contains(s.e.Blocks, k) {
				s.e.Blocks = append(s.e.Blocks, k)
			}
		}
	}
	return made, nil
}

// predict plans the probabilities of the states of the context given the evidence on discrete
// variables, and the moments before the slice. If Gaussians merge early, each state of the context
// has the mixture of those before, by the probabilities of the states before given that state.
func (b *builder) predict(s *slice) (possible ir.TableID, before gauss.Stored, err error) {
	possible = ir.NoTable
	switch {
	case !s.in || b.belief.moments == ir.NoTable:
	case s.drawsParticle():
		before = certain(b.belief.moments, b.before.real)
	default:
		before = stored(b.belief.moments, b.before.real)
	}
	over := s.context
	mix := b.rule.Each && b.rule.Early && !s.back && before.Scope != nil
	if mix {
		over = union(over, b.before.discrete)
	}
	if len(over) == 0 {
		return possible, before, nil
	}
	made, err := b.use(s, &ir.Query{Name: s.name + " predicted", Kind: ir.Joint, Targets: over})
	if err != nil {
		return possible, before, err
	}
	joint := made[0].Outs[0]
	b.scaled(made[0].Blocks, joint)
	possible = joint
	if mix {
		possible, before = b.merge(before, joint, over, s.context)
	}
	return possible, before, nil
}

// scaled takes the steps that normalise a table out of blocks. What reads the probabilities of the
// context takes their ratios, or asks which are possible.
func (b *builder) scaled(blocks []int, t ir.TableID) {
	for _, k := range blocks {
		block := &b.S.Blocks[k]
		block.Ops = slices.DeleteFunc(block.Ops, func(op ir.Op) bool {
			n, ok := op.(*ir.NormalizeOp)
			return ok && n.Table == t
		})
	}
}

// merge plans the marginal of a joint distribution over some of its variables, and for each of
// their states the mixture of Gaussians by the others.
func (b *builder) merge(from gauss.Stored, joint ir.TableID, over, context []model.VarID) (weights ir.TableID, out gauss.Stored) {
	if len(over) == len(context) {
		return joint, from
	}
	share := joint
	weights = ir.NoTable
	if len(context) > 0 {
		weights = b.Temp("P("+b.Set(context)+" | evidence)", context)
		c := gauss.NewCode()
		c.Write(ir.MapPart{Table: weights}, c.Read(gauss.Part(joint, 0)))
		b.Do(c)
		share = b.Temp("P("+b.Set(over)+" | "+b.Set(context)+", evidence)", over)
		c = gauss.NewCode()
		c.Write(ir.MapPart{Table: share}, c.Ratio(c.Read(gauss.Part(joint, 0)), c.Read(gauss.Part(weights, 0))))
		b.Do(c)
	}
	return weights, b.Mixture(from, share, context)
}

// push plans the moments of the real variables of a slice given its evidence, for each state of the
// context, and the density of that evidence.
func (b *builder) push(s *slice, before gauss.Stored, possible ir.TableID) {
	x := b.shortest(s, before)
	c, m := x.Code, x.Moments
	w := b.NewWriter(c, b.Temp("moments, "+s.name, s.context))
	switch {
	case s.back:
		s.moments = keep(w, m, m.Scope, m.Scope)
	case s.bare:
		s.moments = keep(w, m, b.after.real, b.after.real)
	case s.drawsParticle():
		s.moments = keep(w, m, b.own(s.m), b.own(s.m))
	default:
		s.moments = keep(w, m, b.own(s.m), b.after.real)
	}
	density := b.Temp("ln density of evidence, "+s.name, s.context)
	log := x.LogDensity()
	switch {
	case s.best:
		log = x.LogBest(b.norms(c, s.m))
	case b.several(s) && b.proper(s.m):
		// A factor beside the exponential saves a logarithm for each state, which all that follows
		// would wait for. The exponential is relative to the largest one, which may not have the
		// largest density. But factors are within 1e240 of each other, so that a state with
		// exponential 0 counts for nothing.
		log = x.LogFactor()
		s.factor = b.Add(ir.Table{Name: "factor of the density, " + s.name, Scope: s.context, Role: ir.RoleOut, Var: -1})
		c.Write(ir.MapPart{Table: s.factor}, c.Quot(circuit.One, c.Sqrt(x.Det())))
	}
	c.Write(ir.MapPart{Table: density}, log)
	switch {
	case x.Gate() == circuit.One:
		b.Do(c)
	case len(s.context) > 0:
		possible = b.determined(s, x, possible)
	default:
		s.gate = b.Temp("possible with functions, "+s.name, nil)
		c.Write(ir.MapPart{Table: s.gate}, x.Gate())
		b.Do(c)
	}
	s.e.Logs = []ir.TableID{density}
	if len(s.context) > 0 {
		s.front = b.Add(ir.Table{Name: "density of evidence, " + s.name, Scope: s.context, Role: ir.RoleOut, Var: -1})
		scale := b.Temp("scale of the density, "+s.name, nil)
		b.Ops = append(b.Ops, &ir.AntilogOp{Out: s.front, Most: scale, In: density, Weight: possible})
		s.e.Logs = []ir.TableID{scale}
	}
}

// determined runs the code of x, and returns the states of the context in which no observed value
// contradicts others, and which have the most values that others determine.
func (b *builder) determined(s *slice, x *gauss.Filtered, possible ir.TableID) ir.TableID {
	allowed := b.Temp("possible with functions, "+s.name, s.context)
	x.Write(ir.MapPart{Table: allowed}, x.Prod(x.Read(gauss.Part(possible, 0)), x.Gate()))
	return b.MostPoints(s.context, x.Code, x.Points(), allowed, b.Temp("states with most functions, "+s.name, s.context))
}

// regression returns the CPD of a real variable, by the states of its discrete parents.
func (b *builder) regression(c *gauss.Code, m *model.Model, v model.VarID) *gauss.Regression {
	f := m.CPD(v)
	own, parents := m.SplitParents(f)
	d := f.Gaussian()
	columns := make([][]float64, 2+len(parents)) // mean, variance, coefficients
	for row := range d.Mean {
		mean, coef, variance := d.Row(row)
		for i, x := range append([]float64{mean, variance}, coef...) {
			columns[i] = append(columns[i], x)
		}
	}
	data := gauss.NewColumns(b.S, m.FactorName(f), own)
	r := &gauss.Regression{On: parents, Mean: data.Read(c, columns[0]), Var: data.Read(c, columns[1])}
	for _, x := range columns[2:] {
		r.Coef = append(r.Coef, data.Read(c, x))
	}
	return r
}

// keep stores the means and variances of vars, and the covariances of those among joint.
func keep(w *gauss.Writer, m *gauss.Moments, vars, joint []model.VarID) (out gauss.Stored) {
	for _, v := range vars {
		var row []gauss.Number
		for _, u := range out.Scope {
			x := gauss.Constant(0)
			if slices.Contains(joint, v) && slices.Contains(joint, u) {
				x = w.Write(m.Between(v, u))
			}
			row = append(row, x)
		}
		out.Scope = append(out.Scope, v)
		out.Mean = append(out.Mean, w.Write(m.Of(v)))
		out.Cov = append(out.Cov, append(row, w.Write(m.Between(v, v))))
	}
	return out
}
