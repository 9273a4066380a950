package ir

import (
	"fmt"
	"slices"
	"strings"
)

// The steps of this file work on energies: negated natural logarithms. They may be negative and, where something is impossible, +Inf; in
// constants, which are finite, an energy from 1e300 on stands for that. Nothing else reads the spans in which they lie but Boltzmann and tallies.

// MinSum sets Out to the least, over the joint states of the axes, of Table and the operands added up. Out has an element for each state of
// axis To, an AxisOut; where To is -1 it has one. Axes are those of Table, slowest first; those that are AxisFixed stand at their states.
type MinSum struct {
	Axes       []Axis // AxisOut or AxisFixed
	Out, Table SpanID
	In         []SpanID // by axis: energies of its states, or NoSpan
	To         int
}

// Spread hands the energies of one variable, Base and those of In added up, out to its factors: of each, the sum divided by Divide, less what
// came in from it, goes to Out. Where Divide is 0 only that is taken off. Where the sum is +Inf, so is what goes out.
//
// With a Rate that is not NoSpan, what goes out has 0 as its least number, moves only a part of its way as Damp says, and Residual
// becomes the largest difference of exp(-Out), if it was smaller. With a Residual alone, that becomes the largest difference of the belief before
// and after, each as exp of its least less the belief. Bound, where it is not NoSpan, grows by Share times the least of the sum.
// Belief becomes the sum. Alive becomes 0 where all of the sum is +Inf.
type Spread struct {
	Base                                 SpanID
	In, Out                              []SpanID
	Divide                               []int32
	Belief, Alive, Bound, Residual, Rate SpanID
	Share                                [2]int32 // a fraction
}

// Energy sets Out to -ln of Weight, which may be NoSpan, with the spans of In added.
type Energy struct {
	Out, Weight SpanID
	In          []SpanID
}

// Choose sets the state of the variable of Axis to the first whose energies in the spans of In add up to no more than the least, but for a
// relative 2^-40. Value grows by the energies that the first Final of In have there. Ties becomes 1 where Belief, energies of the states
// too, has another state within 1e-7 of its least.
type Choose struct {
	Axis                Axis
	In                  []SpanID
	Final               int
	Value, Ties, Belief SpanID
}

// Judge ends a round of a method that lowers a bound. Run is, a number each: the energy of the states that the round chose, the lower bound of all
// energies, this and the last improvement of the bound, the bound before, the least energy so far, the number of rounds, and the residual. Best
// is as long as Program.State and holds the states of the least energy, which become the states.
//
// The residual becomes the larger of the improvements, if it was smaller, and 0 where the bound is reached; of the first two rounds it is what the bound lacks.
type Judge struct {
	Run  [JudgeNumbers]SpanID
	Best SpanID
}

// JudgeNumbers is how many numbers a Judge has.
const JudgeNumbers = 8

// Decode says where a loop leaves what is known of the states that it chose.
type Decode struct {
	Bound SpanID // one number: ln of what no states exceed; NoSpan where the method bounds nothing
	Slack SpanID // one number: how far the states are from the best of each belief, all told; NoSpan where Bound says it
	Ties  SpanID // one number: 1 where some variable has several best states
	Exact bool   // where the loop has settled, states without slack are the best: no component of the factor graph has two cycles
}

func (*MinSum) step() {}
func (*Spread) step() {}
func (*Energy) step() {}
func (*Choose) step() {}
func (*Judge) step()  {}

// Entries is the number of sums that s forms.
func (s *MinSum) Entries() int { return entries(s.Axes) }

// refs are pointers to the elements of ids.
func refs(ids []SpanID) []*SpanID {
	out := make([]*SpanID, len(ids))
	for i := range ids {
		out[i] = &ids[i]
	}
	return out
}

// energySpans gives the references of a step of this file: those that it only reads, those that it sets, and those that it changes; ok is
// false for other steps.
func energySpans(step Step) (reads, sets, changes []*SpanID, ok bool) {
	switch s := step.(type) {
	case *MinSum:
		return append(refs(s.In), &s.Table), []*SpanID{&s.Out}, nil, true
	case *Spread:
		reads, sets = append(refs(s.In), &s.Base, &s.Rate), []*SpanID{&s.Belief}
		changes = append(refs(s.Out), &s.Alive, &s.Bound, &s.Residual)
		return reads, sets, changes, true
	case *Energy:
		return append(refs(s.In), &s.Weight), []*SpanID{&s.Out}, nil, true
	case *Choose:
		return append(refs(s.In), &s.Belief), nil, []*SpanID{&s.Value, &s.Ties}, true
	case *Judge:
		return refs(s.Run[:2]), nil, append(refs(s.Run[2:]), &s.Best), true
	}
	return nil, nil, nil, false
}

// EnergySpans are the spans that a step of this file refers to, whatever for; nil for other steps.
func EnergySpans(step Step) []SpanID {
	reads, sets, changes, _ := energySpans(step)
	return presentOf(slices.Concat(reads, sets, changes))
}

// renumberEnergies replaces the references of a step of this file; ok is false for other steps.
func renumberEnergies(step Step, one func(*SpanID)) (ok bool) {
	reads, sets, changes, ok := energySpans(step)
	for _, id := range slices.Concat(reads, sets, changes) {
		one(id)
	}
	return ok
}

// energyStepText writes `minsum [v0:2 v1:3@] s3 = s1 in s4 - to 0`, `spread base s1 in s3 s4 out s5 s6 divide 2 0 belief s7 alive s8 bound -
// residual - rate - share 1 2`, `energy s1 weight s0 = s2`, `choose [v0:2] = s1 s3 final 1 value s4 ties s5 belief s7` or `judge s1 s2 s3 s4
// s5 s6 s7 s8 best s9`; ok is false for other steps.
func energyStepText(step Step) (text string, ok bool) {
	defer func() { text = strings.Join(strings.Fields(text), " ") }() // a list may be empty
	switch s := step.(type) {
	case *MinSum:
		return fmt.Sprintf("minsum %s %s = %s in %s to %d", axesText(s.Axes), spanName(s.Out), spanName(s.Table), spanNames(s.In), s.To), true
	case *Spread:
		return fmt.Sprintf("spread base %s in %s out %s divide %s belief %s alive %s bound %s residual %s rate %s share %d %d", spanName(s.Base), spanNames(s.In),
			spanNames(s.Out), strings.Trim(fmt.Sprint(s.Divide), "[]"), spanName(s.Belief), spanName(s.Alive), spanName(s.Bound), spanName(s.Residual),
			spanName(s.Rate), s.Share[0], s.Share[1]), true
	case *Energy:
		return fmt.Sprintf("energy %s weight %s = %s", spanName(s.Out), spanName(s.Weight), spanNames(s.In)), true
	case *Choose:
		return fmt.Sprintf("choose %s = %s final %d value %s ties %s belief %s", axesText([]Axis{s.Axis}), spanNames(s.In), s.Final, spanName(s.Value),
			spanName(s.Ties), spanName(s.Belief)), true
	case *Judge:
		return fmt.Sprintf("judge %s best %s", spanNames(s.Run[:]), spanName(s.Best)), true
	}
	return "", false
}

// spansTo reads spans up to a word, and that.
func (ps *parser) spansTo(end string) (ids []SpanID) {
	for ps.more() {
		if ps.rest == end || strings.HasPrefix(ps.rest, end+" ") {
			break
		}
		ids = append(ids, ps.spanID())
	}
	ps.expect(end)
	return ids
}

// energyStep reads what energyStepText wrote; nil where word begins no such step.
func (ps *parser) energyStep(word string) Step {
	named := func(name string) SpanID {
		ps.expect(name)
		return ps.spanID()
	}
	switch word {
	case "minsum":
		s := &MinSum{Axes: ps.axes(), Out: ps.spanID()}
		s.Table = named("=")
		ps.expect("in")
		s.In = ps.spansTo("to")
		s.To = ps.int()
		return s
	case "spread":
		s := &Spread{Base: named("base")}
		ps.expect("in")
		s.In = ps.spansTo("out")
		s.Out = ps.spansTo("divide")
		for range s.Out {
			s.Divide = append(s.Divide, int32(ps.int()))
		}
		s.Belief, s.Alive, s.Bound = named("belief"), named("alive"), named("bound")
		s.Residual, s.Rate = named("residual"), named("rate")
		ps.expect("share")
		s.Share = [2]int32{int32(ps.int()), int32(ps.int())}
		return s
	case "energy":
		s := &Energy{Out: ps.spanID(), Weight: named("weight")}
		ps.expect("=")
		for ps.more() {
			s.In = append(s.In, ps.spanID())
		}
		return s
	case "choose":
		s := &Choose{}
		if axes := ps.axes(); len(axes) == 1 {
			s.Axis = axes[0]
		}
		ps.expect("=")
		s.In = ps.spansTo("final")
		s.Final = ps.int()
		s.Value, s.Ties, s.Belief = named("value"), named("ties"), named("belief")
		return s
	case "judge":
		s := &Judge{}
		for i := range s.Run {
			s.Run[i] = ps.spanID()
		}
		s.Best = named("best")
		return s
	}
	return nil
}

// decodeText writes ` decode s4 s5 s6 exact` as a part of a loop.
func decodeText(d *Decode) string {
	if d == nil {
		return ""
	}
	text := " decode " + spanNames([]SpanID{d.Bound, d.Slack, d.Ties})
	if d.Exact {
		text += " exact"
	}
	return text
}

// decode reads what decodeText wrote, where it is there.
func (ps *parser) decode() *Decode {
	if !strings.HasPrefix(ps.rest, "decode ") {
		return nil
	}
	ps.expect("decode")
	d := &Decode{Bound: ps.spanID(), Slack: ps.spanID(), Ties: ps.spanID()}
	if ps.rest == "exact" || strings.HasPrefix(ps.rest, "exact ") {
		ps.expect("exact")
		d.Exact = true
	}
	return d
}
