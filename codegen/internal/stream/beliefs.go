package stream

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/codegen/internal/api"
	"github.com/pgmc-go/pgmc/codegen/internal/choose"
	"github.com/pgmc-go/pgmc/codegen/internal/vector"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/model"
)

// beliefForm is the form of the belief that passes from slice to slice: the probabilities of the
// joint states of the discrete variables that persist, then the moments of the real ones.
type beliefForm struct {
	size           int // of all numbers
	discrete, real []model.VarID
	clusters       []beliefTable
	states         int  // the number of joint states, which come first; 0 with clusters
	mixed          int  // the number of Gaussians: one for each joint state, or one alone
	factors        bool // covariances are factored: L D L', with D on the diagonal
	far            int  // for each real variable, the number of coefficients of numbers of infinite variance
}

// beliefTable is a part of a belief: the probabilities of the joint states of some variables.
type beliefTable struct {
	vars     []model.VarID
	at, size int
}

// clustersOf returns the tables of a belief, which have size numbers in all, and whether they are
// what their variables say.
func clustersOf(m *model.Model, clusters [][]model.VarID, size int) (list []beliefTable, ok bool) {
	at := 0
	for _, vars := range clusters {
		n, ok := m.TableSize(vars)
		if !ok {
			return nil, false
		}
		list = append(list, beliefTable{vars, at, n})
		at += n
	}
	return list, at == size
}

// tables returns the numbers of elements of the tables of probabilities with which a belief begins,
// as arguments.
func (b *beliefForm) tables() string {
	if b.clusters == nil {
		return fmt.Sprint(b.states)
	}
	var list []string
	for _, t := range b.clusters {
		list = append(list, fmt.Sprint(t.size))
	}
	return strings.Join(list, ", ")
}

// moments returns the number of means and covariances of a Gaussian.
func (b *beliefForm) moments() int { return model.JointParts(len(b.real)) - 1 }

// beliefOf returns the form of the belief that enters an entry of p.
func beliefOf(m *model.Model, p *ir.Program, e *ir.Entry) (b beliefForm, err error) {
	if m.Transition == nil {
		return b, fmt.Errorf("query %q is about a sequence, and the model has no transition", e.Query.Name)
	}
	b.discrete, b.real = m.SplitReal(m.Transition.Before)
	b.factors = e.Stream.Factors
	if len(m.Transition.Before) == 0 {
		return b, nil
	}
	for _, id := range e.Stream.In {
		b.size += p.Spans[id].Len
	}
	ok := true
	if e.Stream.Clusters != nil {
		if b.clusters, ok = clustersOf(m, e.Stream.Clusters, b.size); !ok {
			return b, fmt.Errorf("query %q has a belief of %d numbers, which are no tables of its clusters", e.Query.Name, b.size)
		}
		return b, nil
	}
	if len(b.discrete) > 0 {
		b.states, ok = m.TableSize(b.discrete)
	}
	rest := b.size - b.states
	switch n := len(b.real); {
	case n == 0:
		ok = ok && rest == 0
	case b.states > 0 && rest == b.states*b.moments():
		b.mixed = b.states
	case b.states > 0:
		ok, b.mixed = ok && rest == b.moments(), 1
	default:
		b.mixed, b.far = 1, (rest-b.moments())/n
		ok = rest == b.moments()+n*b.far && rest >= b.moments()
	}
	if !ok {
		return b, fmt.Errorf("query %q has a belief of %d numbers, a form that no package knows", e.Query.Name, b.size)
	}
	return b, nil
}

// text describes the numbers of a belief, for comments.
func (b *beliefForm) text() string {
	var list []string
	if b.clusters != nil {
		return fmt.Sprintf("a table for each of %d clusters: the probabilities of joint states, the last variable fastest", len(b.clusters))
	}
	if b.states > 0 {
		list = append(list, "the probabilities of joint states, the last variable fastest")
	}
	switch {
	case b.factors:
		list = append(list, "means; L and D in the lower triangle, where L D L' are the covariances")
	case b.mixed > 0:
		list = append(list, "means and the lower triangle of covariances")
	}
	if b.far > 0 {
		list = append(list, "coefficients of numbers of infinite variance")
	}
	if len(list) == 0 {
		return "nothing persists"
	}
	return strings.Join(list, "; ")
}

// fill returns the statements that set the fields of out, which are 0, to the posteriors of the
// variables that persist, by the array f.belief.
func (b *beliefForm) fill(g *Methods) string {
	if b.clusters != nil {
		return b.fillClusters(g)
	}
	text, sums, squares := &strings.Builder{}, &strings.Builder{}, &strings.Builder{}
	b.sum(sums, g, b.discrete, b.states, nil)
	for i, v := range b.real {
		x := g.Names.Of(v)
		switch mean, variance := b.states+i*b.mixed, b.states+(len(b.real)+i*(i+1)/2+i)*b.mixed; {
		case x == nil:
		case b.mixed > 1:
			fmt.Fprintf(sums, "out.%s.Mean += float64(p * f.belief[%d+i])\n", x.ID, mean)
			off := fmt.Sprintf("(f.belief[%d+i] - out.%s.Mean)", mean, x.ID)
			fmt.Fprintf(squares, "out.%[1]s.Var += float64(p * (f.belief[%[2]d+i] + float64(%[3]s*%[3]s)))\n", x.ID, variance, off)
		default:
			of := fmt.Sprintf("f.belief[%d]", mean)
			if period := g.Model.Period(v); period != 0 {
				of = fmt.Sprintf(g.RT("NearestTo")+"(0, %s, %v)", of, period)
			}
			fmt.Fprintf(text, "out.%s = Normal{%s, %s}\n", x.ID, of, b.variance(i))
			if b.far > 0 {
				from := b.states + b.moments() + i*b.far
				fmt.Fprintf(text, "if [%[1]d]float64(f.belief[%[2]d:%[3]d]) != ([%[1]d]float64{}) {\n\tout.%[4]s.Var = "+g.Std("math.Inf")+"(1)\n}\n",
					b.far, from, from+b.far, x.ID)
			}
		}
	}
	for _, loop := range []*strings.Builder{sums, squares} { // variances need the means
		if loop.Len() > 0 {
			fmt.Fprintf(text, "for i, p := range f.belief[:%d] {\n%s}\n", b.states, loop)
		}
	}
	return text.String()
}

// sum writes the statements that add the probability p of joint state i of vars, of so many, to the
// posteriors of vars that are not in done.
func (b *beliefForm) sum(sums *strings.Builder, g *Methods, vars []model.VarID, states int, done []model.VarID) {
	stride := states
	for k, v := range vars {
		stride /= g.Model.Card(v)
		if x := g.Names.Of(v); x != nil && !slices.Contains(done, v) {
			fmt.Fprintf(sums, "out.%s[%s] += p\n", x.ID, indexOf(k, stride, g.Model.Card(v)))
		}
	}
}

// fillClusters is fill for a belief by clusters.
func (b *beliefForm) fillClusters(g *Methods) string {
	text, done := &strings.Builder{}, []model.VarID(nil)
	for _, t := range b.clusters {
		sums := &strings.Builder{}
		if b.sum(sums, g, t.vars, t.size, done); sums.Len() > 0 {
			fmt.Fprintf(text, "for i, p := range f.belief[%d:%d] {\n%s}\n", t.at, t.at+t.size, sums)
		}
		done = append(done, t.vars...)
	}
	return text.String()
}

// variance returns the expression of the variance of real variable i of one Gaussian.
func (b *beliefForm) variance(i int) string {
	first := b.states + len(b.real) + i*(i+1)/2 // of its row
	text := fmt.Sprintf("f.belief[%d]", first+i)
	for k := range i {
		if b.factors {
			text += fmt.Sprintf(" + float64(float64(f.belief[%[1]d]*f.belief[%[1]d])*f.belief[%[2]d])", first+k, b.states+len(b.real)+k*(k+1)/2+k)
		}
	}
	return text
}

// indexOf returns the expression of the state of variable k of a table, by the index i of a joint
// state.
func indexOf(k, stride, card int) string {
	text := "i"
	if stride > 1 {
		text += fmt.Sprintf("/%d", stride)
	}
	if k > 0 {
		text += fmt.Sprintf("%%%d", card)
	}
	return text
}

// enterStream returns the statements that set the spans by which numbers enter e to arrays. Each
// array holds the numbers of as many spans, one after the other.
func (g *Methods) enterStream(e *ir.Entry, arrays ...string) string {
	b := &strings.Builder{}
	for k, part := range splitSpans(e.Stream.In, len(arrays)) {
		at := 0
		for _, id := range part {
			s := &g.Program.Spans[id]
			switch {
			case len(g.Model.Transition.Before) == 0 && s.Len > 0: // nothing persists
				fmt.Fprintf(b, "e.work()[%d] = 1\n", s.Offset)
			case g.byElement(s):
				from := strings.TrimPrefix(arrays[k], "*")
				for i := range s.Len {
					fmt.Fprintf(b, "e.work()[%d] = %s[%d]\n", s.Offset+i, from, at+i)
				}
			case s.Len > 0 && g.Program.Align > 0:
				fmt.Fprintf(b, g.RT("CopyVectors")+"(%s, %s[%d:%d])\n", api.Slice("e.work()", s), strings.TrimPrefix(arrays[k], "*"), at, at+s.Len)
			case len(part) == 1 && s.Len > 0:
				fmt.Fprintf(b, "*(*[%d]float64)(%s) = %s\n", s.Len, api.Slice("e.work()", s), arrays[k])
			case s.Len > 0:
				fmt.Fprintf(b, "copy(%s, %s[%d:%d])\n", api.Slice("e.work()", s), strings.TrimPrefix(arrays[k], "*"), at, at+s.Len)
			}
			at += s.Len
		}
	}
	return b.String()
}

// byElement reports whether the numbers of a span of a belief are copied one by one. A copy of
// several numbers at once would wait until those that the block has just stored one by one are in
// the cache. Blocks that compute vectors store several, so that copies move vectors; and copies of
// more numbers take more instructions than the wait.
func (g *Methods) byElement(s *ir.Span) bool {
	const most = 32
	return s.Len <= most && !slices.ContainsFunc(g.Plan, func(c choose.Choice) bool { return c.Backend.Name == vector.Backend.Name })
}

// splitSpans returns n parts of a list, all of the same length.
func splitSpans(list []ir.SpanID, n int) [][]ir.SpanID {
	if n == 0 || len(list) == 0 {
		return nil
	}
	return slices.Collect(slices.Chunk(list, max(len(list)/n, 1)))
}

// leaveStream returns the statements that copy the numbers that leave e to an array.
func (g *Methods) leaveStream(e *ir.Entry, array string) string {
	b, at := &strings.Builder{}, 0
	for _, id := range e.Stream.Out {
		s := &g.Program.Spans[id]
		switch to := strings.TrimPrefix(array, "*"); {
		case g.byElement(s):
			for i := range s.Len {
				fmt.Fprintf(b, "%s[%d] = e.work()[%d]\n", to, at+i, s.Offset+i)
			}
		case g.Program.Align > 0:
			fmt.Fprintf(b, g.RT("CopyVectors")+"(%s[%d:%d], %s)\n", to, at, at+s.Len, api.Slice("e.work()", s))
		case len(e.Stream.Out) == 1:
			fmt.Fprintf(b, "%s = [%d]float64(%s)\n", array, s.Len, api.Slice("e.work()", s))
		default:
			fmt.Fprintf(b, "copy(%s[%d:%d], %s)\n", to, at, at+s.Len, api.Slice("e.work()", s))
		}
		at += s.Len
	}
	return b.String()
}

// beliefBlocks returns the blocks of e on which its root and its stream depend. The first one is
// always among them, since it begins the count of exponents.
func (g *Methods) beliefBlocks(e *ir.Entry) []int {
	needed := map[ir.SpanID]bool{e.Root: true, e.Exp: true}
	for _, id := range slices.Concat(e.Logs, e.Stream.Out) {
		needed[id] = true
	}
	var list []int
	for at, k := range slices.Backward(e.Blocks) {
		steps := g.Program.Blocks[k].Steps
		writes := func(s ir.Step) bool {
			return slices.ContainsFunc(ir.WriteSpans(s), func(id ir.SpanID) bool { return needed[id] })
		}
		if at > 0 && !slices.ContainsFunc(steps, writes) {
			continue
		}
		list = append(list, k)
		for _, s := range steps {
			for _, id := range ir.ReadSpans(s) {
				needed[id] = true
			}
		}
	}
	slices.Reverse(list)
	return list
}
