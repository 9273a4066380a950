package infer

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"math"
	"slices"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// histories is a belief that is a mixture: for each history, the joint state of the discrete
// variables that persist, its probability, and the moments of the real ones. A list of numbers
// holds those of one history after the other. A value does not change once it is made.
type histories struct {
	state   []int32
	weight  []float64 // probabilities, which sum to 1
	moments []float64
	each    int      // numbers of moments of a history
	sampled bool     // some were drawn
	edges   [][]edge // by history, how it came about; nil unless it is to be gone back over
}

// edge is a history before a slice and the element of what leaves by the stream by which it went
// on, with a weight in proportion to its probability given the history that they led to.
type edge struct {
	from, element int32
	weight        float64
}

// at returns the moments of a history.
func (h *histories) at(i int) []float64 { return h.moments[i*h.each:][:h.each] }

// keep appends history i of another list, with the given weight.
func (h *histories) keep(from *histories, i int, weight float64) {
	h.add(from.state[i], weight, from.at(i))
	if from.edges != nil {
		h.edges = append(h.edges, from.edges[i])
	}
}

// add appends a history.
func (h *histories) add(state int32, weight float64, moments []float64) {
	h.state, h.weight, h.moments = append(h.state, state), append(h.weight, weight), append(h.moments, moments...)
}

// branch is Step for a belief over histories: each goes on as many.
func (f *Filter) branch(ctx context.Context, found *Findings) (*Marginals, error) {
	p, err := f.e.stream(ctx, ir.Filter, ir.FilterNext)
	if err != nil {
		return nil, err
	}
	g := &growth{f: f, found: found, states: p.Spans[p.entry.Stream.In[0]].Len, rule: p.entry.Stream.Histories, next: &histories{}, index: map[string]int{}, most: math.Inf(-1)}
	var impossible *ImpossibleError
	n := 1
	if f.past != nil {
		n = len(f.past.state)
		if f.past.sampled {
			g.errors = &squares{}
		}
	}
	for i := range n {
		err := g.grow(ctx, i)
		if err != nil && !errors.As(err, &impossible) {
			return nil, err
		}
		if g.rule.Beyond == ir.RefuseHistories && len(g.next.state) > g.rule.Most {
			return nil, g.tooMany()
		}
	}
	if g.total == 0 && impossible == nil {
		impossible = &ImpossibleError{Evidence: found.Text(f.e.vars.m)}
	}
	if g.total == 0 {
		return nil, impossible
	}
	out := &Marginals{List: g.normalised(), LogProb: f.logP + g.most + math.Log(g.total)}
	r := f.rand
	if g.rule.Draw != nil {
		drawn := *f.rand
		r = &drawn
	}
	f.past, f.logP, f.n, f.rand = g.kept(r), out.LogProb, f.n+1, r
	if g.errors != nil {
		f.spread += g.errors.spread(g.total)
		f.past.sampled = true
		out.Report = f.drawnReport()
		out.Report.Residual = g.errors.largest(g.list, g.total)
	}
	return out, nil
}

// drawnReport describes the histories of a filter; it is nil if none were drawn.
func (f *Filter) drawnReport() *Report {
	if f.past == nil || !f.past.sampled {
		return nil
	}
	return sampledReport(&Report{Iterations: len(f.past.weight), ESS: pgmrt.EffectiveSize(f.past.weight), LogError: math.Sqrt(f.spread)})
}

// growth collects what the histories of a slice lead to. Weights are relative to exp(most).
type growth struct {
	f      *Filter
	found  *Findings
	rule   *ir.Histories
	states int // joint states of the discrete variables that persist
	next   *histories
	index  map[string]int // of the histories of next, by state and moments
	key    []byte
	slot   []float64 // moments of one history
	most   float64

	mixture // of the posteriors of histories, by their weights

	errors *squares // nil if nothing was drawn
}

// mixture is the posteriors of a mixture.
type mixture struct {
	total float64        // of the weights
	list  []Distribution // posteriors, times total; but the means of real variables are means
}

// grow runs the slice for one history.
func (g *growth) grow(ctx context.Context, i int) error {
	f, name, in, weight := g.f, ir.FilterFirst, [][]float64(nil), 1.0
	if f.past != nil {
		name, weight = ir.FilterNext, f.past.weight[i]
		states := make([]float64, g.states)
		states[f.past.state[i]] = 1
		in = [][]float64{states, f.past.at(i)}
	}
	p, m, err := f.e.slice(ctx, ir.Filter, name, g.found, in)
	if err != nil {
		return err
	}
	log := math.Log(weight) + m.LogP()
	if math.IsInf(log, -1) { // its weight has become 0 beside those of others
		return nil
	}
	if log > g.most {
		g.rescale(math.Exp(g.most - log))
		g.most = log
	}
	weight = math.Exp(log - g.most)
	if weight == 0 {
		return nil
	}
	list := f.e.distributions(p, m)
	if g.errors != nil {
		g.errors.add(list, f.past.weight[i], weight)
	}
	g.mix(list, weight)
	out := outOf(p, m)
	rest := len(out[0]) / g.states // states of the variables that do not persist
	for k, share := range out[0] {
		if share*weight > 0 {
			g.add(edge{int32(i), int32(k), share * weight}, int32(k/rest), out[1:], len(out[0]))
		}
	}
	return nil
}

// rescale multiplies the weights so far.
func (g *growth) rescale(by float64) {
	g.mixture.rescale(by)
	for k := range g.next.weight {
		g.next.weight[k] *= by
	}
	for _, list := range g.next.edges {
		for k := range list {
			list[k].weight *= by
		}
	}
	if g.errors != nil {
		g.errors.rescale(by)
	}
}

// scale multiplies the probabilities, or the variance.
func (d *Distribution) scale(by float64) {
	for s := range d.P {
		d.P[s] *= by
	}
	d.Variance *= by
}

func (g *mixture) rescale(by float64) {
	g.total *= by
	for i := range g.list {
		g.list[i].scale(by)
	}
}

// normalised returns the posteriors.
func (g *mixture) normalised() []Distribution {
	for i := range g.list {
		g.list[i].scale(1 / g.total)
	}
	return g.list
}

// mix adds the posteriors of a history to those of the mixture. The sums of squares grow by
// distances from the mean, as in West 1979, so that no digits cancel.
func (g *mixture) mix(list []Distribution, weight float64) {
	g.total += weight
	if g.list == nil {
		g.list = list
		for i := range list {
			list[i].scale(weight)
		}
		return
	}
	for i := range list {
		to, from := &g.list[i], &list[i]
		for s, p := range from.P {
			to.P[s] += float64(weight * p)
		}
		off := from.Mean - to.Mean
		to.Mean += float64(off * weight / g.total)
		to.Variance += float64(weight * (from.Variance + float64(off*(from.Mean-to.Mean))))
	}
}

// add adds an element of n to the histories, unless one has the same state and moments, whose
// weight then grows.
func (g *growth) add(x edge, state int32, moments [][]float64, n int) {
	g.slot = g.slot[:0]
	for _, table := range moments {
		for at := int(x.element); at < len(table); at += n {
			g.slot = append(g.slot, table[at])
		}
	}
	g.key = keyOf(g.key[:0], state, g.slot)
	at, ok := g.index[string(g.key)]
	if ok {
		g.next.weight[at] += x.weight
	} else {
		at = len(g.next.state)
		g.next.each = len(g.slot)
		g.index[string(g.key)] = at
		g.next.add(state, x.weight, g.slot)
	}
	if g.f.recalls {
		if !ok {
			g.next.edges = append(g.next.edges, nil)
		}
		g.next.edges[at] = append(g.next.edges[at], x)
	}
}

// keyOf appends the bits of a state and of moments.
func keyOf(key []byte, state int32, moments []float64) []byte {
	key = binary.LittleEndian.AppendUint32(key, uint32(state))
	for _, x := range moments {
		key = binary.LittleEndian.AppendUint64(key, math.Float64bits(x))
	}
	return key
}

// kept returns the histories that go on, with probabilities.
func (g *growth) kept(r *pgmrt.Rand) *histories {
	out := g.next
	if len(out.state) > g.rule.Most && g.rule.Beyond == ir.DropHistories {
		out = out.best(g.rule.Most)
	}
	out.normalise()
	if len(out.state) > g.rule.Most && g.rule.Draw != nil {
		out = out.drawn(g.rule, r)
	}
	return out
}

// drawn returns as many histories as are kept, drawn by their weights. One that is drawn several
// times is one of that weight.
func (h *histories) drawn(rule *ir.Histories, r *pgmrt.Rand) *histories {
	out := &histories{each: h.each, sampled: true}
	from := make([]int32, rule.Most)
	pgmrt.Resample(from, pgmrt.Scheme(rule.Draw.Scheme), h.weight, make([]float64, len(h.weight)), r)
	for len(from) > 0 {
		i, times := int(from[0]), 1
		for times < len(from) && from[times] == from[0] {
			times++
		}
		out.keep(h, i, float64(times)/float64(rule.Most))
		from = from[times:]
	}
	return out
}

// normalise makes the weights sum to 1.
func (h *histories) normalise() {
	total := 0.0
	for _, w := range h.weight {
		total += w
	}
	for i := range h.weight {
		h.weight[i] /= total
	}
}

// best returns the n histories of the largest weights, the first ones of equal weights, in order.
func (h *histories) best(n int) *histories {
	order := make([]int, len(h.weight))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(h.weight[j], h.weight[i]) })
	order = order[:n]
	slices.Sort(order)
	out := &histories{each: h.each}
	for _, i := range order {
		out.keep(h, i, h.weight[i])
	}
	return out
}

// tooMany returns the error of a belief that outgrew its limit, and what takes less.
func (g *growth) tooMany() error {
	return diag.Errorf("the exact belief after slice %d has a Gaussian for each of more than %d histories of states, of %d bytes each; limit: %v or %v; "+
		"try an approximate belief: one Gaussian by %v, one for each of %d joint states by %v or imm, as many of the most probable ones as asked for by %v, or drawn ones by %v",
		g.f.n, g.rule.Most, ir.HistoryBytes(g.next.each), diag.Option{Name: "max-table"}, diag.Option{Name: "max-mem"},
		method.By("gpb1"), g.states, method.By("gpb2"), diag.Option{Name: "modes", Value: "64"}, method.By("rbpf"))
}
