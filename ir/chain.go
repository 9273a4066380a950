package ir

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/pgmc-go/pgmc/ir/model"
)

// Chain says how an entry samples or searches: by some Markov chains, of which each starts anew and goes on sweep by sweep, and whose
// statistics are taken by the batch and by the half; or by trials. As in a [Loop], control lies between blocks. What sweeps hand on are the
// states of Program.State, and the statistics, in persistent spans.
type Chain struct {
	ChainOptions
	TrialOptions
	// Cut parts Entry.Blocks into sections: what begins a run, what starts a chain, a sweep, the end of a batch, the end of half a chain,
	// the end of the run. Of trials the fourth is the end of each, and the fifth looks for reasons where none has any weight.
	Cut [5]int
	// Run are numbers of the run: the share of a sweep in its batch, the number of chains and the sweeps of a batch, which are set from
	// outside; then split R-hat, the effective sample size and the largest standard error. Of trials they are those of pgmrt.TrialNumbers.
	Run []SpanID
}

// ChainOptions are what a caller may set otherwise for one run; see pgmrt.ChainOptions.
type ChainOptions struct {
	Iterations, BurnIn, Chains int
	Seed                       uint64
}

// TrialOptions are those of trials, beside [ChainOptions]: what a trial is, the first and last
// temperature, and how long a state is left alone.
type TrialOptions struct {
	Mode      TrialMode
	Hot, Cold float64
	Tenure    int
}

// Valid reports whether o can be run with.
func (o ChainOptions) Valid() bool {
	return o.Iterations >= 1 && o.Iterations <= math.MaxInt32 && o.BurnIn >= 0 && o.BurnIn <= math.MaxInt32 && o.Chains >= 1 && o.Chains <= math.MaxInt32
}

// Section is the blocks of a section of Cut, counted from 0.
func (c *Chain) Section(blocks []int, i int) []int {
	from, to := 0, len(blocks)
	if i > 0 {
		from = c.Cut[i-1]
	}
	if i < len(c.Cut) {
		to = c.Cut[i]
	}
	return blocks[from:to]
}

// Row is the weights of the joint states of some variables: the products of tables and trees along the axes that loop, which come first,
// while the others stand at their states. The last that loops is the fastest.
type Row struct {
	Axes  []Axis
	In    []View
	Trees []TreeView
}

// TreeView is a decision tree as an operand. Leaves is the numbers of its leaves; of a CPD each leaf has one for each state of Child,
// which is negative elsewhere. Without nodes it is one leaf.
type TreeView struct {
	Leaves SpanID
	Child  model.VarID
	Nodes  []TreeTest
}

// TreeTest sends state i of Var to the node Next[i], or where that is negative to the leaf whose numbers begin at -1-Next[i].
type TreeTest struct {
	Var  model.VarID
	Next []int32
}

// Resample draws the joint state of the variables that loop in proportion to the weights, and adds to the tally of each, which may be
// NoSpan, the shares of its states. Weights is memory for the weights. Where Scaled, the products are kept within range by
// powers of two. Where no weight is left, which takes rounding, or CPDs of a dependency network that contradict the evidence, the
// states stay, and count as drawn.
type Resample struct {
	Row
	Weights SpanID
	Tallies []SpanID
	Scaled  bool
}

// Seek sets the states of the variables of its levels so that no row's weight is zero, by a search that draws each in turn. Outcome
// becomes 1, or 0 where there are no such states, or 2 where it gave up.
type Seek struct {
	Outcome SpanID
	Levels  []SeekLevel
}

// SeekLevel draws one variable, given those of earlier levels. Where no state is left, the reason lies at level Back or before it; -1 is
// for no such level.
type SeekLevel struct {
	Row
	Weights SpanID
	Back    int
}

// FoldKind says what a Fold does.
type FoldKind uint8

// The kinds of fold: the methods of pgmrt.ChainStats. The last two are of real variables, in place of those before.
const (
	FoldClear FoldKind = iota
	FoldBatch
	FoldHalf
	FoldRun
	FoldHalfReal
	FoldRunReal
)

var foldNames = [...]string{"foldclear", "foldbatch", "foldhalf", "foldrun", "foldhalfreal", "foldrunreal"}

// String names the kind as dumps do.
func (k FoldKind) String() string { return foldNames[k] }

// Fold takes a step of the statistics of one variable, in the order of pgmrt.ChainStats. Run is that of the Chain.
type Fold struct {
	Kind  FoldKind
	Stats [6]SpanID
	Run   [6]SpanID
}

func (*Resample) step() {}
func (*Seek) step()     {}
func (*Fold) step()     {}

// Drawn is how many of the axes loop, and how many joint states they have.
func (r *Row) Drawn() (vars, states int) {
	states = 1
	for ; vars < len(r.Axes) && r.Axes[vars].Kind == AxisOut; vars++ {
		states *= r.Axes[vars].Size
	}
	return vars, states
}

// spans are the operands of a row.
func (r *Row) spans() []*SpanID {
	var ids []*SpanID
	for i := range r.In {
		ids = append(ids, &r.In[i].Span)
	}
	for i := range r.Trees {
		ids = append(ids, &r.Trees[i].Leaves)
	}
	return ids
}

// chainSpans gives the references of a step of this file: those that it reads, and of these those that it writes; ok is false for other steps.
func chainSpans(step Step) (reads, writes []*SpanID, ok bool) {
	switch s := step.(type) {
	case *Resample:
		writes = []*SpanID{&s.Weights}
		for i := range s.Tallies {
			writes = append(writes, &s.Tallies[i])
		}
		reads = append(s.spans(), writes[1:]...)
	case *Seek:
		writes = []*SpanID{&s.Outcome}
		for i := range s.Levels {
			reads = append(reads, s.Levels[i].spans()...)
			writes = append(writes, &s.Levels[i].Weights)
		}
	case *Fold:
		for i := range s.Stats {
			reads = append(reads, &s.Stats[i])
		}
		for i := range s.Run {
			reads = append(reads, &s.Run[i])
		}
		switch s.Kind {
		case FoldRun:
			writes = reads[9:]
		case FoldRunReal: // the numbers of the run, and the mean and the variance
			writes = append(slices.Clone(reads[9:]), reads[2])
		default:
			writes = reads[:6]
		}
	case *Trial:
		reads, writes = s.spans()
	case *Kernel:
		return s.spans()
	default:
		return nil, nil, false
	}
	return reads, writes, true
}

// presentOf are the spans that references lead to.
func presentOf(refs []*SpanID) []SpanID {
	var ids []SpanID
	for _, id := range refs {
		ids = append(ids, present(*id)...)
	}
	return ids
}

// renumberChain replaces the references of a step of this file; ok is false for other steps.
func renumberChain(step Step, one func(*SpanID)) (ok bool) {
	switch s := step.(type) {
	case *Resample:
		for _, id := range s.spans() {
			one(id)
		}
		one(&s.Weights)
		for i := range s.Tallies {
			one(&s.Tallies[i])
		}
	case *Seek:
		one(&s.Outcome)
		for i := range s.Levels {
			for _, id := range append(s.Levels[i].spans(), &s.Levels[i].Weights) {
				one(id)
			}
		}
	case *Fold:
		for i := range s.Stats {
			one(&s.Stats[i])
			one(&s.Run[i])
		}
	case *Trial:
		reads, _ := s.spans()
		for _, id := range reads {
			one(id)
		}
		for i := range s.Levels {
			one(&s.Levels[i].Weights)
		}
	case *Kernel:
		for i := range s.Reads {
			one(&s.Reads[i])
		}
		for i := range s.Writes {
			one(&s.Writes[i])
		}
		one(&s.Work)
		one(&s.Ints)
	default:
		return false
	}
	return true
}

// LogZero stands for the logarithm of 0 in the rows of trials: sums of it and of numbers that occur stay below half of it.
const LogZero = -1e300

// Repeats reports whether some blocks of e run more than once.
func (e *Entry) Repeats() bool { return e.Loop != nil || e.Chain != nil }

// rowText writes `[v1:2 v0:3@] = s1(1 2) trees s4 child v1 { v0 1 -1 } end`.
func rowText(r *Row) string {
	b := &strings.Builder{}
	fmt.Fprintf(b, "%s =", axesText(r.Axes))
	for _, v := range r.In {
		b.WriteString(" " + viewText(v))
	}
	b.WriteString(" trees")
	for _, t := range r.Trees {
		fmt.Fprintf(b, " %s child v%d {", spanName(t.Leaves), t.Child)
		for _, n := range t.Nodes {
			fmt.Fprintf(b, " v%d", n.Var)
			for _, next := range n.Next {
				fmt.Fprintf(b, " %d", next)
			}
		}
		b.WriteString(" }")
	}
	b.WriteString(" end")
	return b.String()
}

func spanNames(ids []SpanID) string {
	words := make([]string, len(ids))
	for i, id := range ids {
		words[i] = spanName(id)
	}
	return strings.Join(words, " ")
}

// chainStepText writes a step of this file; ok is false for other steps.
func chainStepText(step Step) (text string, ok bool) {
	switch s := step.(type) {
	case *Resample:
		scaled := ""
		if s.Scaled {
			scaled = " scaled"
		}
		return fmt.Sprintf("resample%s %s tallies %s row %s", scaled, spanName(s.Weights), spanNames(s.Tallies), rowText(&s.Row)), true
	case *Seek:
		b := &strings.Builder{}
		fmt.Fprintf(b, "seek %s", spanName(s.Outcome))
		for i := range s.Levels {
			l := &s.Levels[i]
			fmt.Fprintf(b, " level %s %d %s", spanName(l.Weights), l.Back, rowText(&l.Row))
		}
		return b.String(), true
	case *Fold:
		return fmt.Sprintf("%s %s run %s", s.Kind, spanNames(s.Stats[:]), spanNames(s.Run[:])), true
	case *Trial:
		return trialText(s), true
	case *Kernel:
		return s.text(), true
	}
	return "", false
}

// chainText writes ` chain 1 2 3 4 5 iterations 1000 burnin 100 chains 4 seed 0 run s1 s2 s3 s4 s5 s6` as a part of an entry, with
// ` mode cool hot 2 cold 0.1 tenure 7` before the run where it is of trials.
func chainText(c *Chain) string {
	if c == nil {
		return ""
	}
	trial := ""
	if c.TrialOptions != (TrialOptions{}) {
		trial = fmt.Sprintf(" mode %v hot %v cold %v tenure %d", c.Mode, c.Hot, c.Cold, c.Tenure)
	}
	return fmt.Sprintf(" chain %d %d %d %d %d iterations %d burnin %d chains %d seed %d%s run %s", c.Cut[0], c.Cut[1], c.Cut[2], c.Cut[3], c.Cut[4],
		c.Iterations, c.BurnIn, c.Chains, c.Seed, trial, spanNames(c.Run))
}

// stateVars are the variables whose states a step of this file sets.
func stateVars(step Step) (vars []model.VarID) {
	add := func(r *Row) {
		for _, a := range r.Axes {
			if a.Kind == AxisOut {
				vars = append(vars, a.Var)
			}
		}
	}
	switch s := step.(type) {
	case *Resample:
		add(&s.Row)
	case *Seek:
		for i := range s.Levels {
			add(&s.Levels[i].Row)
		}
	case *Kernel:
		vars = s.Sets
	}
	return vars
}

// chainTurns are the places of n blocks of an entry with a chain in the order in which they run, its sweep twice.
func chainTurns(n int, cut [5]int) (places []int) {
	for i := range n {
		if i == cut[2] {
			for k := cut[1]; k < cut[2]; k++ {
				places = append(places, k)
			}
		}
		places = append(places, i)
	}
	return places
}
