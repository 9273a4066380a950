package ir

import "fmt"

// Moments says how the mean and the variance of a utility follow from the numbers of a program. In
// holds either the probability of each joint state of what the utility depends on, or, without
// Values, three numbers: P(evidence), and that times the mean and times the mean square of x, if
// the utility is Least + Scale·x.
type Moments struct {
	In           SpanID
	Values       SpanID // of RoleLogs: the utility in each joint state; NoSpan if In holds three numbers
	Least, Scale float64
}

// OpMoments is Moments in a schedule, with Values.
type OpMoments struct{ In, Values TableID }

// momentsLen is the length of In without Values.
const momentsLen = 3

// text writes ` moments s5 values s9 least 0 scale 0`.
func (u *Moments) text() string {
	return fmt.Sprintf(" moments %s values %s least %s scale %s", spanName(u.In), spanName(u.Values), number(u.Least), number(u.Scale))
}

func (ps *parser) moments() (u Moments) {
	u.In = ps.spanID()
	ps.expect("values")
	u.Values = ps.spanID()
	ps.expect("least")
	u.Least = ps.float()
	ps.expect("scale")
	u.Scale = ps.float()
	return u
}

// moments checks that e has moments if it is a Follow.
func (v *verifier) moments(e *Entry) {
	if e.Query.Kind != Follow && len(e.Utilities) > 0 {
		v.errorf("it has the moments of %d utilities; want none, except for a follow", len(e.Utilities))
	}
	for _, u := range e.Utilities {
		if !v.numbers(u.In, "distribution", false) {
			continue
		}
		want := momentsLen
		if u.Values != NoSpan {
			if !v.numbers(u.Values, "utility", false) {
				continue
			}
			if s := &v.p.Spans[u.Values]; s.Role != RoleLogs {
				v.errorf("utility s%d is %v; want %v", u.Values, s.Role, RoleLogs)
			}
			want = v.p.Spans[u.Values].Len
		}
		if in := &v.p.Spans[u.In]; in.Role != RoleOut || in.Len != want {
			v.errorf("s%d is %v and has %d numbers; want %d numbers of an answer", u.In, in.Role, in.Len, want)
		}
	}
}
