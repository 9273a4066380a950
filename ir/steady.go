package ir

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/ir/model"
)

// Steady splits an entry about a slice into what depends on observed values and what does not. In a
// linear Gaussian network, covariances, gains and the determinant of the density are functions of
// the covariances before the slice and of the set of observed variables. Sooner or later they
// repeat, as rounded numbers, if the same variables are observed again and again: covariances
// settle, or go round a short cycle. A caller that keeps the results of [GainsOf] may then run
// [MeansOf] in place of the entry, which does the operations that are left in the same order, and
// has the same results to the last bit.
type Steady struct {
	// Cov lists the numbers of the belief that no value has an effect on, by their places in the
	// spans of Stream.In, one after the other, and equally in the spans of Stream.Out.
	Cov []int
	// Seen lists the variables that have an effect on anything by being observed.
	Seen []model.VarID
}

// GainsOf returns the name of the part of an entry that is about covariances. It computes the
// numbers that leave by its stream from the entry's inputs: it reads Steady.Cov and which variables
// are observed.
func GainsOf(name string) string { return name + ", gains" }

// MeansOf returns the name of the part of an entry that is about values. The entry's inputs enter
// by its stream, and it mostly reads the other numbers than Steady.Cov; then the results of GainsOf
// enter. What leaves are the other numbers than Steady.Cov, in order.
func MeansOf(name string) string { return name + ", means" }

// partText returns ` part` for a part, and for an entry with parts ` steady 4 5 6 seen v4 v5`.
func (s *Stream) partText() string {
	b := &strings.Builder{}
	if s.Part {
		b.WriteString(" part")
	}
	if s.Steady != nil {
		b.WriteString(" steady")
		for _, k := range s.Steady.Cov {
			fmt.Fprintf(b, " %d", k)
		}
		b.WriteString(" seen" + varsText(s.Steady.Seen))
	}
	return b.String()
}

// part reads what partText writes.
func (ps *parser) part(s *Stream) {
	if s.Part = strings.HasPrefix(ps.rest, "part "); s.Part {
		ps.expect("part")
	}
	if !strings.HasPrefix(ps.rest, "steady ") {
		return
	}
	ps.expect("steady")
	s.Steady = &Steady{Cov: ps.ints("seen")}
	for strings.HasPrefix(ps.rest, "v") {
		s.Steady.Seen = append(s.Steady.Seen, model.VarID(ps.after("v", ps.word())))
	}
}

// steady checks that the parts of e are there and exchange as many numbers as they should.
func (v *verifier) steady(e *Entry) {
	s := e.Stream.Steady
	if s == nil {
		return
	}
	gains, means := v.p.Entry(GainsOf(e.Query.Name)), v.p.Entry(MeansOf(e.Query.Name))
	if gains == nil || means == nil || !gains.IsPart() || !means.IsPart() {
		v.errorf("it has no parts for gains and means")
		return
	}
	numbers := func(ids []SpanID) (n int) {
		for _, id := range ids {
			if v.known(id) {
				n += v.p.Spans[id].Len
			}
		}
		return n
	}
	belief := numbers(e.Stream.In)
	if !slices.IsSorted(s.Cov) || len(s.Cov) == 0 || s.Cov[0] < 0 || s.Cov[len(s.Cov)-1] >= belief {
		v.errorf("the steady numbers %v are not among the %d of the belief, in order", s.Cov, belief)
	}
	if !slices.Equal(gains.Stream.In, e.Stream.In) || len(means.Stream.In) != len(e.Stream.In)+1 || !slices.Equal(means.Stream.In[:len(e.Stream.In)], e.Stream.In) {
		v.errorf("its parts begin with another belief")
		return
	}
	if got, want := numbers(means.Stream.In[len(e.Stream.In):]), numbers(gains.Stream.Out); got != want {
		v.errorf("%d gains enter, and %d leave", got, want)
	}
	if got, want := numbers(means.Stream.Out), belief-len(s.Cov); got != want {
		v.errorf("%d means leave; want %d", got, want)
	}
}

// IsPart reports whether e is a part of another entry, and no query of its own.
func (e *Entry) IsPart() bool { return e.Stream != nil && e.Stream.Part }
