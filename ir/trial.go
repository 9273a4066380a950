package ir

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/ir/model"
)

// LogZero represents the logarithm of 0 in the rows of trials. Sums of LogZero and numbers that
// occur in practice stay below half of it.
const LogZero = -1e300

// TrialMode says how the trials of a chain run; see pgmrt.TrialMode.
type TrialMode uint8

// The modes.
const (
	ModeSample TrialMode = iota // each trial draws one sample
	ModeBridge                  // each trial draws one sample through a sequence of distributions from one that is easy to draw from (annealed importance sampling)
	ModeClimb                   // each trial climbs: it takes best states until none changes
	ModeCool                    // each trial is drawn at a falling temperature, and then climbs (simulated annealing)
	ModeMove                    // each trial makes a given number of moves (tabu search)
)

var trialModes = [...]string{"sample", "bridge", "climb", "cool", "move"}

// String returns the name of the mode in dumps.
func (m TrialMode) String() string { return trialModes[m] }

// TrialKind says how a Trial uses its numbers.
type TrialKind uint8

// The kinds of trial, and their use of the numbers of the run: the inverse temperature, weight,
// score, best, sums, count and error of pgmrt.TrialNumbers. The logarithm of 0 is LogZero.
const (
	// TakeLogs sets Second to ln First for each of Vars. The weight, a logarithm, grows by ln of
	// the number of non-zero elements of each First, or by ln 1 if there are none.
	TakeLogs TrialKind = iota
	// ClearSums sets First and Second of each of Vars to 0, the sums of weights and of their
	// squares by state. It does not touch Run: the caller zeroes the sums of the run when it begins
	// a run.
	ClearSums
	// DrawForward draws the levels in turn, each from its row of weights. The weight of the trial
	// becomes ln of the product of the sums of the rows, or LogZero if a row is all zeros.
	DrawForward
	// AddScore adds the rows' logarithms at the current states to the score.
	AddScore
	// RejectZero sets the weight, a logarithm, to LogZero if a row is LogZero at the current
	// states.
	RejectZero
	// DrawTempered draws the levels in turn, each in proportion to exp(Beta times its row), where
	// Beta is the inverse temperature of the run, and updates the score. At an infinite Beta it
	// takes the best state, or keeps the current one if that is as good.
	DrawTempered
	// TabuMove makes one move of tabu search: it changes the state of the level that raises the
	// score most, or lowers it least, among the changes that are not tabu. First holds, for each
	// state of a level's variable, the move until which the state is tabu. A tabu state is allowed
	// if it gives the best score so far.
	TabuMove
	// AddWeight adds the weight of a sample to the element of First for the current state of each
	// of Vars, and its square to the element of Second, and both to the sums of the run. All sums
	// are relative to the largest weight so far.
	AddWeight
	// MeasureError sets the error of the run to the largest standard error of the weighted
	// frequencies of states that First and Second define.
	MeasureError
	// KeepBest stores the current states in First, and the score as the best, if the score is the
	// best so far.
	KeepBest
	// RestoreBest sets the states of Vars to those stored in First.
	RestoreBest
)

var trialNames = [...]string{"takelogs", "clearsums", "drawforward", "addscore", "rejectzero", "drawtempered", "tabumove", "addweight",
	"measureerror", "keepbest", "restorebest"}

// String returns the name of the kind in dumps.
func (k TrialKind) String() string { return trialNames[k] }

// Trial is a step of a sampler or a search that runs trials: independent runs from newly drawn
// states. Rows hold logarithms, which are added, except rows of DrawForward, which hold weights.
type Trial struct {
	Kind   TrialKind
	Run    TrialNumbers[SpanID] // the TrialRun of the Chain
	Levels []TrialLevel
	// Vars lists variables. First and Second hold a span for each of them; Second may hold NoSpan.
	Vars          []model.VarID
	First, Second []SpanID
}

// TrialLevel draws or moves some variables given all others. Weights is scratch memory for its row.
// Near lists the levels with rows that depend on these variables.
type TrialLevel struct {
	Row
	Weights SpanID
	Near    []int32
}

// TrialOp is the operation of [Trial].
type TrialOp struct {
	Kind          TrialKind
	Run           TrialNumbers[TableID]
	Levels        []TrialLevelOp
	Vars          []model.VarID
	First, Second []TableID
}

// TrialLevelOp is a level of a TrialOp.
type TrialLevelOp struct {
	RowOp
	Weights TableID
	Near    []int32
}

// Draws reports whether s draws random numbers.
func (s *Trial) Draws() bool {
	return s.Kind == DrawForward || s.Kind == DrawTempered || s.Kind == TabuMove
}

// Refs implements [Step].
func (s *Trial) Refs(visit RefVisitor) {
	first := Change
	if s.Kind == TakeLogs { // First is evidence
		first = Read
		visit.all(s.First, first)
	}
	visit.each(s.Run.All(), Change)
	for i := range s.Vars {
		visit.one(&s.Second[i], Change)
		if first == Change {
			visit.one(&s.First[i], first)
		}
	}
	for i := range s.Levels {
		s.Levels[i].Row.refs(visit)
		visit.one(&s.Levels[i].Weights, Write)
	}
}

// States implements [Step].
func (s *Trial) States(_ *Program, visit StateVisitor) {
	drawn := Read
	if s.Kind == DrawForward {
		drawn = Write
	}
	for i := range s.Levels {
		s.Levels[i].Row.states(visit, drawn)
	}
	for _, v := range s.Vars {
		switch s.Kind {
		case RestoreBest:
			visit(v, Write)
		case AddWeight, KeepBest:
			visit(v, Read)
		}
	}
}

// Products implements [Step].
func (s *Trial) Products() int {
	n := 0
	for i := range s.Levels {
		n += s.Levels[i].Row.products()
	}
	return n
}

// String writes `drawtempered s1 s2 level s5 near 1 2 row [v0:2] = s3(1) trees end lists v0 s6 -`.
func (s *Trial) String() string {
	b := &strings.Builder{}
	fmt.Fprintf(b, "%s %s", s.Kind, spanNames(values(s.Run.All())))
	for i := range s.Levels {
		l := &s.Levels[i]
		fmt.Fprintf(b, " level %s near", spanName(l.Weights))
		for _, n := range l.Near {
			fmt.Fprintf(b, " %d", n)
		}
		fmt.Fprintf(b, " row %s", l.Row.text())
	}
	b.WriteString(" lists")
	for i, v := range s.Vars {
		fmt.Fprintf(b, " v%d %s %s", v, spanName(s.First[i]), spanName(s.Second[i]))
	}
	return b.String()
}

func parseTrial(ps *parser, kind int) Step {
	s := &Trial{Kind: TrialKind(kind)}
	ps.set(s.Run.All())
	word := ps.oneOf("level", "lists")
	for word == "level" {
		l := TrialLevel{Weights: ps.spanID()}
		ps.expect("near")
		for word = ps.word(); word != "row"; word = ps.word() {
			l.Near = append(l.Near, int32(ps.after("", word)))
		}
		l.Row = ps.row()
		s.Levels = append(s.Levels, l)
		word = ps.oneOf("level", "lists")
	}
	for ps.more() {
		s.Vars = append(s.Vars, model.VarID(ps.after("v", ps.word())))
		s.First, s.Second = append(s.First, ps.spanID()), append(s.Second, ps.spanID())
	}
	return s
}

func (s *Trial) verify(v *verifier) {
	if s.Kind > RestoreBest {
		v.errorf("no such kind of trial: %d", s.Kind)
		return
	}
	v.runNumbers(values(s.Run.All()))
	for i := range s.Levels {
		l := &s.Levels[i]
		l.Row.verify(v, l.Weights)
		for _, n := range l.Near {
			if n < 0 || int(n) >= len(s.Levels) {
				v.errorf("level %d is near level %d of %d", i, n, len(s.Levels))
			}
		}
	}
	if len(s.First) != len(s.Vars) || len(s.Second) != len(s.Vars) || s.Kind == TabuMove && len(s.Vars) != len(s.Levels) {
		v.errorf("lists of %d and %d spans for %d variables", len(s.First), len(s.Second), len(s.Vars))
		return
	}
	for i := range s.Vars {
		v.stateOf(s.Vars[i])
		s.verifyList(v, i)
	}
}

// verifyList checks the spans of variable i of Vars.
func (s *Trial) verifyList(v *verifier, i int) {
	if !v.numbers(s.First[i], "list", s.Kind != TakeLogs) {
		return
	}
	switch s.Kind {
	case KeepBest, RestoreBest:
		v.one(s.First[i], "a kept state")
	case TabuMove:
		v.alike(s.Levels[i].Weights, s.First[i], "list")
	default:
		v.numbers(s.Second[i], "list", true)
		v.alike(s.First[i], s.Second[i], "list")
	}
}

// Tables implements [Op]. The weights of each level persist while other levels run.
func (op *TrialOp) Tables(visit TableVisitor) {
	visit.each(op.Run.All(), Change)
	visit.all(op.First, Change)
	visit.all(op.Second, Change)
	for i := range op.Levels {
		op.Levels[i].RowOp.refs(visit)
		visit.one(op.Levels[i].Weights, Change)
	}
}

// States implements [Op].
func (op *TrialOp) States(s *Schedule, visit StateVisitor) {
	for i := range op.Levels {
		l := &op.Levels[i]
		if op.Kind == DrawForward {
			for _, v := range l.Vars {
				visit(v, Write)
			}
		}
		for _, t := range l.In {
			s.visitScope(t, visit)
		}
	}
}

// Products implements [Op].
func (*TrialOp) Products(JointStates, *OpBlock) float64 { return 0 }

// Text implements [Op].
func (op *TrialOp) Text(s *Schedule) string {
	text := op.Kind.String()
	for i := range op.Levels {
		text += "\n\t\t" + op.Levels[i].RowOp.text(s)
	}
	return text
}

func (op *TrialOp) verify(v *scheduleVerifier, _ *OpBlock) {
	v.scalars(values(op.Run.All())...)
	for i := range op.Levels {
		op.Levels[i].RowOp.verify(v, op.Levels[i].Weights)
	}
	if len(op.First) != len(op.Vars) || len(op.Second) != len(op.Vars) {
		v.errorf("lists of %d and %d tables for %d variables", len(op.First), len(op.Second), len(op.Vars))
		return
	}
	v.vars("lists", op.Vars)
	v.tables(presentTables(slices.Concat(op.First, op.Second)...)...)
}

// Lower implements [Op].
func (op *TrialOp) Lower(l *Lowering) Step {
	s := &Trial{Kind: op.Kind, Vars: op.Vars}
	l.numbers(op.Run.All(), s.Run.All())
	for i := range op.Levels {
		level := &op.Levels[i]
		s.Levels = append(s.Levels, TrialLevel{Row: level.RowOp.lower(l), Weights: l.Span(level.Weights), Near: level.Near})
	}
	for i := range op.Vars {
		s.First, s.Second = append(s.First, l.Span(op.First[i])), append(s.Second, l.Span(op.Second[i]))
	}
	return s
}
