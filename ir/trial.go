package ir

import (
	"fmt"
	"strings"

	"github.com/pgmc-go/pgmc/ir/model"
)

// TrialMode says what the trials of a chain are; see pgmrt.TrialMode.
type TrialMode uint8

// The modes.
const (
	ModeSample TrialMode = iota // each trial draws one sample
	ModeBridge                  // each trial draws one sample on a way from a distribution that is easy to draw from
	ModeClimb                   // each trial takes best states until none changes
	ModeCool                    // each trial is drawn at a falling temperature, and then climbs
	ModeMove                    // each trial makes a given number of moves
)

var trialModes = [...]string{"sample", "bridge", "climb", "cool", "move"}

// String names the mode as dumps do.
func (m TrialMode) String() string { return trialModes[m] }

// TrialKind says what a Trial does.
type TrialKind uint8

// The kinds of trial, and what they do with the numbers of the run; see pgmrt.TrialNumbers. A logarithm of 0 is pgmrt.TrialZero.
const (
	TrialLogs    TrialKind = iota // Second are the logarithms of First, and the weight rises by those of how many of First are not zero
	TrialClear                    // First and Second are 0, and so are the sums of the run
	TrialForward                  // draws the levels in turn; the weight becomes the logarithm of the product of what their rows add up to
	TrialScore                    // the score rises by what rows hold for the present states
	TrialVeto                     // the weight falls to nothing where rows hold no weight for the present states
	TrialTemper                   // draws the levels in turn at the inverse temperature, and moves the score with them
	TrialTabu                     // changes the level that raises the score most, or lowers it least, of those that the search is free to change
	TrialAdd                      // adds the weight to First, and its square to Second, for the present states, and to the sums of the run
	TrialError                    // the error becomes the largest standard error of the shares that First and Second tell
	TrialKeep                     // First becomes the present states where their score is the best so far
	TrialRestore                  // sets the states to First
)

var trialNames = [...]string{"triallogs", "trialclear", "trialforward", "trialscore", "trialveto", "trialtemper", "trialtabu", "trialadd",
	"trialerror", "trialkeep", "trialrestore"}

// String names the kind as dumps do.
func (k TrialKind) String() string { return trialNames[k] }

// Trial is a step of a sampler or a search that makes trials: runs of their own from states that are drawn anew. Rows are of logarithms,
// which are added, but for those of TrialForward. TrialTabu keeps in First, beside each level, until which move its states are left alone.
type Trial struct {
	Kind   TrialKind
	Run    []SpanID // that of the Chain
	Levels []TrialLevel
	// Vars are some variables, of each of which First and Second hold something; Second may hold NoSpan.
	Vars          []model.VarID
	First, Second []SpanID
}

// TrialLevel draws some variables, or moves them, given all others. Weights is memory for its row. Near are the levels whose rows
// depend on these variables.
type TrialLevel struct {
	Row
	Weights SpanID
	Near    []int32
}

func (*Trial) step() {}

// Draws reports whether s takes random numbers.
func (s *Trial) Draws() bool {
	return s.Kind == TrialForward || s.Kind == TrialTemper || s.Kind == TrialTabu
}

// trialRun is how many numbers the run of a chain of trials has.
const trialRun = 8

// spans are the references of s: those that it reads, and of these those that it writes.
func (s *Trial) spans() (reads, writes []*SpanID) {
	for i := range s.Run {
		writes = append(writes, &s.Run[i])
	}
	for i := range s.Vars {
		writes = append(writes, &s.Second[i])
		if s.Kind == TrialLogs { // of evidence
			reads = append(reads, &s.First[i])
		} else {
			writes = append(writes, &s.First[i])
		}
	}
	reads = append(reads, writes...)
	for i := range s.Levels {
		writes = append(writes, &s.Levels[i].Weights)
		reads = append(reads, s.Levels[i].spans()...)
	}
	return reads, writes
}

// trialText writes `trialtemper s1 s2 level s5 near 1 2 row [v0:2] = s3(1) trees end lists v0 s6 -`.
func trialText(s *Trial) string {
	b := &strings.Builder{}
	fmt.Fprintf(b, "%s %s", s.Kind, spanNames(s.Run))
	for i := range s.Levels {
		l := &s.Levels[i]
		fmt.Fprintf(b, " level %s near", spanName(l.Weights))
		for _, n := range l.Near {
			fmt.Fprintf(b, " %d", n)
		}
		fmt.Fprintf(b, " row %s", rowText(&l.Row))
	}
	b.WriteString(" lists")
	for i, v := range s.Vars {
		fmt.Fprintf(b, " v%d %s %s", v, spanName(s.First[i]), spanName(s.Second[i]))
	}
	return b.String()
}

// trial reads what trialText wrote behind its first word.
func (ps *parser) trial(kind TrialKind) *Trial {
	s := &Trial{Kind: kind}
	word := ps.word()
	for ; word != "level" && word != "lists"; word = ps.word() {
		s.Run = append(s.Run, ps.spanOf(word))
	}
	for word == "level" {
		l := TrialLevel{Weights: ps.spanID()}
		ps.expect("near")
		for word = ps.word(); word != "row"; word = ps.word() {
			l.Near = append(l.Near, int32(ps.after("", word)))
		}
		l.Row = ps.row()
		s.Levels = append(s.Levels, l)
		word = ps.word()
	}
	for ps.more() {
		s.Vars = append(s.Vars, model.VarID(ps.after("v", ps.word())))
		s.First, s.Second = append(s.First, ps.spanID()), append(s.Second, ps.spanID())
	}
	return s
}
