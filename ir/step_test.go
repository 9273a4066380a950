package ir

import (
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/ir/model"
)

// everyStep has a step of every kind. It means nothing: the test of each step has a program that
// does.
const everyStep = `program "" const logz 0 softbits 0 work 0 data 0 ints 0 state s0
span s0 i32 out 4 var -1 at -1 "state"
span s1 f64 in 2 var 1 at -1 "input"
span s2 f64 temp 2 var -1 at -1 "nodes"
block ""
product [v0:2 v1:3@] s2(1 0) = s3(1 2)
sum [v0:2 v1:3*] s2(1 0) = s3(1 2) s4(0 1)
max [v0:2*] s2(0) = s1(1)
sums s1 s2 to s3 s4 : 5=0*3+1 6=2*2
maxima s1 to s2 : 1=0
walk draw s1 s2 stack s3 : 5=0*3+1*2 6=5*4
argmax [v0:2] = s1(1)
draw [v0:2 v1:3@] = s1(1 2) s2(1 0)
normalize s1
invert s1 = s2
rescale s1 s2
rescale s1 -
zero s1
lookup [v1:3@] s2 = s3
resample s1 tallies s2 - row [v0:2 v1:2] = s3(1 0) trees s4 child v1 { v0 -1 -3 } end
resample scaled s1 tallies s2 row [v0:2] = trees end
findstart s1 level s2 -1 [v0:2] = s3(1) trees end level s4 0 [v1:2 v0:2@] = trees s5 child v1 { v0 -1 -3 } end
statsclear s1 s2 s3 s4 s5 s6 run s7 s8 s9 s10 s11 s12
statsbatch s1 s2 s3 s4 s5 s6 run s7 s8 s9 s10 s11 s12
statshalf s1 s2 s3 s4 s5 s6 run s7 s8 s9 s10 s11 s12
statsrun s1 s2 s3 s4 s5 s6 run s7 s8 s9 s10 s11 s12
statshalfreal s1 s2 s3 s4 s5 s6 run s7 s8 s9 s10 s11 s12
statsrunreal s1 s2 s3 s4 s5 s6 run s7 s8 s9 s10 s11 s12
takelogs s1 s2 s11 s12 s13 s14 s15 s16 lists v0 s3 s4
clearsums s1 s2 s11 s12 s13 s14 s15 s16 lists v0 s3 s4
drawforward s1 s2 s11 s12 s13 s14 s15 s16 level s3 near row [v0:2] = s4(1) trees end lists
addscore s1 s2 s11 s12 s13 s14 s15 s16 level s3 near row [v0:2 v1:2@] = s4(1 2) trees end lists
rejectzero s1 s2 s11 s12 s13 s14 s15 s16 level s3 near row [v0:2 v1:2@] = s4(1 2) trees end lists
drawtempered s1 s2 s11 s12 s13 s14 s15 s16 level s5 near 0 row [v0:2] = s3(1) trees end lists
tabumove s1 s2 s11 s12 s13 s14 s15 s16 level s3 near 0 row [v0:2] = s4(1) trees end lists v0 s6 -
addweight s1 s2 s11 s12 s13 s14 s15 s16 lists v0 s3 s4
measureerror s1 s2 s11 s12 s13 s14 s15 s16 lists v0 s3 s4
keepbest s1 s2 s11 s12 s13 s14 s15 s16 lists v0 s3 -
restorebest s1 s2 s11 s12 s13 s14 s15 s16 lists v0 s3 -
kernel Name numbers 1 2 reads s1 - work s2 ints s3 writes s4 sets v0 v1
damp s1 s2 rate s3 residual s4
boltzmann s1 weight - =
boltzmann s1 weight s2 = s3 s4
map [v0:2 v1:3*] scratch s9 in s3+4(1 0) s1+0(0 0) const 0.5 -2 code sub:0:1 exp:4:4 out 5=s6+0(1 0) 0=s7+2(0 0)
antilog s1 most s2 = s3 weight s4
noise s1
noise s1 unless s2 -
powers s1 = 0.5 s2 -0.5 s3
tallysum 1 s1 = s2 alive - ref -
tallylog 0.25 s1 = s2 alive s3 ref -
tallyentropy -1 s1 = s2 alive - ref s3
minsum [v0:2 v1:3@] s1 = s2 in s3 - to 0
minsum [v0:4 v1:4] s1 = linear s2 in - s3 to 0
energy s1 weight s2 = s3
energy s1 weight - =
sendmessages base s1 in s2 s3 out s4 s5 divide 2 0 belief s6 alive s7 bound s8 residual s9 rate s10 share 1 2
sendmessages base s1 in out divide belief s2 alive s3 bound - residual - rate - share 0 1
choose [v0:2] = s1 s2 final 1 value s3 ties s4 belief s5
updateincumbent s1 s2 s3 s4 s5 s6 s7 s8 best s9
`

// stepUses lists the fields of each step by the use of their spans; state marks the states
// of variables, in Program.State.
const stepUses = `
step             reads             changes                            sets
Contract         In, state         -                                  Out
Sums             In                -                                  Out
Walk             In                -                                  Stack, state
Pick             In                state                              -
Normalize        -                 Span                               -
Invert           In                -                                  Out
Rescale          -                 Span, Exp                          -
Zero             -                 -                                  Span
Lookup           Table, state      -                                  Out
Resample         In, Trees         Tallies, state                     Weights
FindStart        -                 Levels, state                      Outcome
UpdateStats      -                 Stats, Run                         -
Trial            -                 First, Run, Second, Levels, state  -
Kernel           Reads             Ints, Writes                       Work, state
Damp             New, Rate         Span, Residual                     -
Boltzmann        Weight, In        -                                  Out
Map              In                -                                  Out, Scratch
Antilog          In, Weight        -                                  Out, Most
Noise            Known             -                                  Out
Powers           In                -                                  Out
Tally            In, Ref           Total, Alive                       -
MinSum           In, Table, state  -                                  Out
Energy           In, Weight        -                                  Out
SendMessages     In, Base, Rate    Out, Alive, Bound, Residual        Belief
Choose           In, Belief        Value, Ties                        state
UpdateIncumbent  -                 Run, Best                          -
`

// allSteps parses everyStep and checks that no kind is missing.
func allSteps(t *testing.T) (*Program, []Step) {
	t.Helper()
	p, err := Parse(strings.NewReader(everyStep))
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range stepKinds {
		for _, word := range k.words {
			if !strings.Contains(everyStep, "\n"+word+" ") {
				t.Errorf("no step begins with %q", word)
			}
		}
	}
	return p, p.Blocks[0].Steps
}

// Each step prints as the line from which it was read, and is read again as the same step.
func TestStepText(t *testing.T) {
	p, steps := allSteps(t)
	lines := strings.Split(strings.TrimSpace(everyStep), "\n")[len(p.Spans)+2:]
	for i, step := range steps {
		if got := step.String(); got != lines[i] {
			t.Errorf("printed\n%s\nwant\n%s", got, lines[i])
		}
	}
	var b strings.Builder
	if err := p.Print(&b); err != nil {
		t.Fatal(err)
	}
	again, err := Parse(strings.NewReader(b.String()))
	if err != nil || !reflect.DeepEqual(again, p) {
		t.Errorf("parsed again it differs (%v)", err)
	}
}

// refField is a reference of a step: its address, and the outermost field that contains it.
type refField struct {
	id   *SpanID
	name string
}

// fieldsOf finds the references of a value by reflection. Fields of embedded structs count as
// their own.
func fieldsOf(v reflect.Value, name string) (refs []refField) {
	switch v.Kind() {
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			refs = append(refs, fieldsOf(v.Index(i), name)...)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Type().Field(i)
			inner := name
			if name == "" && !f.Anonymous {
				inner = f.Name
			}
			refs = append(refs, fieldsOf(v.Field(i), inner)...)
		}
	default:
		if id, ok := v.Addr().Interface().(*SpanID); ok && *id != NoSpan {
			refs = append(refs, refField{id, name})
		}
	}
	return refs
}

// Refs visits every span of a step, each once, and nothing else.
func TestStepRefs(t *testing.T) {
	_, steps := allSteps(t)
	for _, step := range steps {
		visited := map[*SpanID]int{}
		step.Refs(func(id *SpanID, use Use) {
			visited[id]++
			if use == 0 || use > Change {
				t.Errorf("%v: use %d of s%d", step, use, *id)
			}
		})
		fields := fieldsOf(reflect.ValueOf(step).Elem(), "")
		for _, f := range fields {
			if visited[f.id] != 1 {
				t.Errorf("%v: s%d of %s is visited %d times", step, *f.id, f.name, visited[f.id])
			}
		}
		if len(visited) != len(fields) {
			t.Errorf("%v: %d references are visited; want %d", step, len(visited), len(fields))
		}
	}
}

// Each step reads, changes and sets the fields that stepUses lists.
func TestStepUses(t *testing.T) {
	var want [][]string
	p, steps := allSteps(t)
	uses := map[string]map[string]Use{} // by step and field
	fields := map[string][]string{}     // by step, in the order in which they are visited
	note := func(step, field string, use Use) {
		if uses[step] == nil {
			uses[step] = map[string]Use{}
		}
		if !slices.Contains(fields[step], field) {
			fields[step] = append(fields[step], field)
		}
		uses[step][field] |= use
	}
	for _, step := range steps {
		v := reflect.ValueOf(step).Elem()
		name := v.Type().Name()
		if !slices.ContainsFunc(want, func(row []string) bool { return row[0] == name }) {
			want = append(want, []string{name})
		}
		field := map[*SpanID]string{}
		for _, f := range fieldsOf(v, "") {
			field[f.id] = f.name
		}
		step.Refs(func(id *SpanID, use Use) { note(name, field[id], use) })
		step.States(p, func(_ model.VarID, use Use) { note(name, "state", use) })
	}
	got := tableRows()
	for i, row := range want {
		for _, use := range []Use{Read, Change, Write} {
			var of []string
			for _, f := range fields[row[0]] {
				if uses[row[0]][f] == use {
					of = append(of, f)
				}
			}
			if len(of) == 0 {
				of = []string{"-"}
			}
			row = append(row, strings.Join(of, ", "))
		}
		if i >= len(got) || !slices.Equal(got[i], row) {
			t.Errorf("row %d of the table should be %q", i, row)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d rows for %d steps", len(got), len(want))
	}
}

// tableRows reads the columns of stepUses, which are at least two blanks apart.
func tableRows() (rows [][]string) {
	blanks := regexp.MustCompile(`  +`)
	for _, row := range strings.Split(strings.TrimSpace(stepUses), "\n")[1:] {
		rows = append(rows, blanks.Split(row, -1))
	}
	return rows
}
