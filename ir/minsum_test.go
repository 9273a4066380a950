package ir_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/ir"
)

// decoded is a program with every step on energies: two variables and a factor, each visited once.
const decoded = `program "decoded" const logz 0 softbits 0 work 33 data 6 ints 4 state s0
span s0 i32 out 2 var -1 at 0 "state"
span s1 f64 in 2 var 0 at 0 "λ a"
span s2 f64 const 6 var -1 at 0 "energy" 0.5 0 1 2 0 1.7976931348623157e+308
span s3 f64 persistent 2 var -1 at 2 "energy of a"
span s4 f64 persistent 2 var -1 at 4 "f to a"
span s5 f64 persistent 2 var -1 at 6 "a to f"
span s6 f64 persistent 2 var -1 at 8 "belief of a"
span s7 f64 persistent 3 var -1 at 10 "energy of b"
span s8 f64 persistent 3 var -1 at 13 "f to b"
span s9 f64 persistent 3 var -1 at 16 "b to f"
span s10 f64 persistent 3 var -1 at 19 "belief of b"
span s11 f64 persistent 1 var -1 at 22 "possible"
span s12 f64 persistent 1 var -1 at 23 "bound"
span s13 f64 persistent 1 var -1 at 24 "value"
span s14 f64 persistent 1 var -1 at 25 "ties"
span s15 f64 persistent 1 var -1 at 26 "residual"
span s16 f64 persistent 1 var -1 at 27 "damping"
span s17 f64 persistent 1 var -1 at 28 "gain"
span s18 f64 persistent 1 var -1 at 29 "gain before"
span s19 f64 persistent 1 var -1 at 30 "bound before"
span s20 f64 persistent 1 var -1 at 31 "least energy"
span s21 f64 persistent 1 var -1 at 32 "rounds"
span s22 i32 persistent 2 var -1 at 2 "best"
block "start"
energy s3 weight s1 =
energy s7 weight - = s9
sendmessages base s7 in out divide belief s10 alive s11 bound s12 residual - rate - share 1 1
block "round"
minsum [v0:2 v1:3] s4 = s2 in - s9 to 0
sendmessages base s3 in s4 out s5 divide 1 belief s6 alive s11 bound - residual s15 rate s16 share 0 1
minsum [v0:2 v1:3] s8 = s2 in s5 - to 1
sendmessages base s7 in s8 out s9 divide 0 belief s10 alive s11 bound s12 residual s15 rate - share 1 2
choose [v0:2] = s3 s4 final 1 value s13 ties s14 belief s6
minsum [v0:2@ v1:3] s8 = s2 in s5 - to 1
choose [v1:3] = s7 s8 final 2 value s13 ties s14 belief s10
minsum [v0:2@ v1:3@] s17 = s2 in s5 s9 to -1
updateincumbent s13 s12 s17 s18 s19 s20 s21 s15 best s22
entry decoding "trws" loop 1 2 iterations 50 tolerance 1e-09 damping 0 residual s15 rate s16 logp s13 decode s12 - s14 exact targets evidence factors all blocks 0 1 root s11 exp - outs
`

func TestEnergyText(t *testing.T) {
	for _, text := range []string{decoded, strings.Replace(decoded, "s14 exact", "s14 exact fixed s22", 1), strings.Replace(decoded, "s14 exact", "s14 fixed s22", 1)} {
		p := parse(t, text)
		if err := p.Verify(); err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		if err := p.Print(&b); err != nil || b.String() != text {
			t.Errorf("printed\n%s\nwant\n%s", b.String(), text)
		}
		p.Renumber(func(id ir.SpanID) ir.SpanID { return id + 1 })
		p.Renumber(func(id ir.SpanID) ir.SpanID { return id - 1 })
		if !reflect.DeepEqual(p, parse(t, text)) {
			t.Error("renumbering there and back changed the program")
		}
	}
}

// Each case violates one rule by a small change to the text of a valid program.
func TestVerifyEnergies(t *testing.T) {
	for _, c := range []struct{ name, old, new, want string }{
		{"nothing decoded", " decode s12 - s14 exact", "", "decoding, of which a loop chooses states: false"},
		{"decoded elsewhere", `entry decoding "trws"`, `entry beliefs "trws"`, "beliefs, of which a loop chooses states: true"},
		{"fixed numbers", "s14 exact", "s14 exact fixed s13", "fixed states in s13; want a span of integers with one for each variable"},
		{"two ways to judge", "decode s12 - s14", "decode s12 s13 s14", "both or none of a bound and a slack"},
		{"too few operands", "s4 = s2 in - s9 to 0", "s4 = s2 in s9 to 0", "1 operands and result 0 of 2 axes"},
		{"a short result", "s8 = s2 in s5 - to 1", "s4 = s2 in s5 - to 1", "result s4 has 2 numbers; want 3"},
		{"a result that stands", "minsum [v0:2@ v1:3] s8 = s2 in s5 - to 1", "minsum [v0:2 v1:3@] s8 = s2 in s5 - to 1", "axis 1 is of no kind that fits"},
		{"a wrong table", "s4 = s2 in - s9 to 0", "s4 = s7 in - s9 to 0", "table s7 has 3 numbers; want 6"},
		{"a wrong operand", "s4 = s2 in - s9 to 0", "s4 = s2 in - s5 to 0", "operand s5 has 2 numbers; want 3"},
		{"an unequal envelope", "s8 = s2 in s5 - to 1", "s8 = linear s2 in s5 - to 1", "form 2 over 2 axes; want a known form over two axes of one size"},
		{"no divisor", "out s5 divide 1", "out s5 divide -1", "divides by -1"},
		{"a rate alone", "bound - residual s15 rate s16", "bound - residual - rate s16", "rate s16 without a residual"},
		{"more than all", "share 1 2", "share 3 2", "a share of 3/2"},
		{"too many final", "s3 s4 final 1", "s3 s4 final 3", "a choice of which 3 of 2 operands are final"},
		{"a short row", "choose [v1:3] = s7 s8", "choose [v1:3] = s7 s4", "operand s4 has 2 numbers; want 3"},
		{"one number twice", "updateincumbent s13 s12 s17", "updateincumbent s13 s13 s17", "s13 occurs twice for a number of the run"},
		{"best in numbers", "s15 best s22", "s15 best s3", "best states in s3; want a span of integers as long as the states"},
		{"no state yet", "choose [v0:2] = s3 s4 final 1 value s13 ties s14 belief s6\n", "", "v0 has no state yet"},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := parse(t, strings.Replace(decoded, c.old, c.new, 1)).Verify()
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v; want %q", err, c.want)
			}
		})
	}
}

// TestVerifyEnvelopes has energies by the distance between the states of two variables, and breaks
// their rules.
func TestVerifyEnvelopes(t *testing.T) {
	replace := []string{"const 6 var", "const 3 var", "0.5 0 1 2 0 1.7976931348623157e+308", "1 0 1", "v1:3", "v1:2", " = s2 in", " = linear s2 in"}
	for _, id := range []string{"s7", "s8", "s9", "s10"} {
		replace = append(replace, "span "+id+" f64 persistent 3", "span "+id+" f64 persistent 2")
	}
	text := strings.NewReplacer(replace...).Replace(decoded)
	p := parse(t, text)
	if err := p.Verify(); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := p.Print(&b); err != nil || b.String() != text {
		t.Errorf("printed\n%s\nwant\n%s", b.String(), text)
	}
	for _, c := range []struct{ old, new, want string }{
		{"s4 = linear s2 in - s9 to 0", "s4 = linear s2 in s5 s9 to 0", "an envelope to axis 0 with operands s5 s9; want an operand of the other axis alone"},
		{"s4 = linear s2 in - s9 to 0", "s17 = linear s2 in s5 s9 to -1", "an envelope to axis -1"},
		{"const 3 var -1 at 0 \"energy\" 1 0 1", "const 4 var -1 at 0 \"energy\" 1 0 1 2", "table s2 has 4 numbers; want 3"},
	} {
		if err := parse(t, strings.Replace(text, c.old, c.new, 1)).Verify(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v; want %q", c.new, err, c.want)
		}
	}
}
