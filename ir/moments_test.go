package ir_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/ir"
)

const following = `program "gain" const logz 0 softbits 0 work 10 data 2 ints 0 state -
span s0 f64 in 2 var 0 at 0 "λ d"
span s1 f64 out 2 var 0 at 2 "P(d | evidence)"
span s2 f64 temp 1 var -1 at 4 "root"
span s3 f64 out 3 var -1 at 5 "powers"
span s4 f64 out 2 var -1 at 8 "P(d)"
span s5 f64 logs 2 var -1 at 0 "gain" -1.5 2
block "up"
product [v0:2] s1(1) = s0(1)
sum [v0:2*] s2(0) = s0(1)
product [v7:3] s3(1) = s0(0)
block "down"
product [v7:2] s4(1) = s0(0)
entry follow "follow" targets evidence factors all blocks 0 1 root s2 exp - outs s1 moments s4 values s5 least 0 scale 0 moments s3 values - least -1.5 scale 4
`

// TestMoments parses and prints the moments of utilities. A variable without a span may have other
// states in another block.
func TestMoments(t *testing.T) {
	p := parse(t, following)
	if got := print(t, p); got != following {
		t.Errorf("printed again it is\n%s", got)
	}
	if err := p.Verify(); err != nil {
		t.Error(err)
	}
	want := []ir.Moments{{In: 4, Values: 5}, {In: 3, Values: ir.NoSpan, Least: -1.5, Scale: 4}}
	if got := p.Entries[0].Utilities; !reflect.DeepEqual(got, want) {
		t.Errorf("moments %v; want %v", got, want)
	}
	for _, c := range []struct{ old, new, want string }{
		{"entry follow", "entry marginals", "it has the moments of 2 utilities; want none, except for a follow"},
		{"moments s4 values s5", "moments s9 values s5", "distribution is s9; want a span of numbers"},
		{"moments s4 values s5", "moments s4 values s9", "utility is s9; want a span of numbers"},
		{"moments s4 values s5", "moments s4 values s0", "utility s0 is in; want logs"},
		{"moments s4 values s5", "moments s3 values s5", "s3 is out and has 3 numbers; want 2 numbers of an answer"},
		{"moments s3 values -", "moments s4 values -", "s4 is out and has 2 numbers; want 3 numbers of an answer"},
		{"moments s4 values s5", "moments s0 values s5", "s0 is in and has 2 numbers; want 2 numbers of an answer"},
		{"[v7:2] s4(1)", "[v0:3] s4(1)", "variable v0 has 3 states here and 2 elsewhere"},
		{"blocks 0 1", "blocks 0", "reads s4, which was not written yet"},
	} {
		changed := strings.Replace(following, c.old, c.new, 1)
		if err := parse(t, changed).Verify(); changed == following || err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q for %q: error %v; want %s", c.new, c.old, err, c.want)
		}
	}
}
