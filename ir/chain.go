package ir

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/ir/model"
)

// Chain describes how an entry samples or searches. An entry runs either several Markov chains,
// sweep by sweep, with statistics taken per batch of sweeps and per half chain, or a number of
// trials, which are independent samples or restarts of a search. As in a [Loop], control lies
// between blocks. The states in Program.State and the statistics in persistent spans carry over
// from sweep to sweep.
type Chain struct {
	ChainOptions
	TrialOptions
	// Cut holds the end of each section in Entry.Blocks, by [Section]. The last section ends with
	// the blocks.
	Cut [SectionEnd]int
	// ChainRun holds the numbers of a run of chains, and TrialRun the numbers of a run of trials.
	// The other one is nil.
	ChainRun *ChainNumbers[SpanID]
	TrialRun *TrialNumbers[SpanID]
	// Refused holds two numbers of a method that makes Metropolis steps, and is else empty: the
	// largest shares, of a variable, of steps that were refused, and of draws by rejection with all
	// tries refused.
	Refused []SpanID
	// Functions holds the real variables that a chain computes from others. They cannot be
	// observed.
	Functions []model.VarID
}

// ObservedFunction returns the reason why a chain does not take the observation of a variable.
func ObservedFunction(name string) string {
	return fmt.Sprintf("variable %q is a function of its parents (variance 0), from which a chain computes it, and cannot be observed; methods clg and ep take its value", name)
}

// Section is a range of the blocks of an entry with a [Chain].
type Section int

// The sections, in the order of the blocks. The fourth and the fifth mean one thing for chains and
// another for trials.
const (
	SectionBegin   Section        = iota // begins the run
	SectionStart                         // sets the initial states of a chain or a trial
	SectionSweep                         // runs one sweep of a chain or one step of a trial
	SectionBatch                         // ends a batch of sweeps
	SectionHalf                          // ends half a chain
	SectionEnd                           // ends the run
	SectionTrial   = SectionBatch        // ends a trial
	SectionReasons = SectionHalf         // finds the reason if all samples have weight zero
)

// ChainOptions holds the defaults of the options that a caller may set for one run; see
// pgmrt.ChainOptions.
type ChainOptions struct {
	Iterations, BurnIn, Chains int
	Seed                       uint64
}

// TrialOptions holds further defaults for trials: the mode, the first and last temperature, and the
// number of steps during which a changed variable stays as it is.
type TrialOptions struct {
	Mode      TrialMode
	Hot, Cold float64
	Tenure    int
}

// OpChain is a [Chain] in a schedule, before spans exist.
type OpChain struct {
	ChainOptions
	TrialOptions
	Cut      [SectionEnd]int
	ChainRun *ChainNumbers[TableID]
	TrialRun *TrialNumbers[TableID]
	Refused  []TableID

	Functions []model.VarID
}

// Valid reports whether o can be run with.
func (o ChainOptions) Valid() bool {
	return o.Iterations >= 1 && o.Iterations <= math.MaxInt32 && o.BurnIn >= 0 && o.BurnIn <= math.MaxInt32 && o.Chains >= 1 && o.Chains <= math.MaxInt32
}

// Valid reports whether o can be run with.
func (o TrialOptions) Valid() bool {
	return int(o.Mode) < len(trialModes) && o.Cold > 0 && o.Hot >= o.Cold && o.Hot <= math.MaxFloat64 && o.Tenure >= 1 && o.Tenure <= math.MaxInt32
}

// Section returns the blocks of section s.
func (c *Chain) Section(blocks []int, s Section) []int {
	from, to := 0, len(blocks)
	if s > SectionBegin {
		from = c.Cut[s-1]
	}
	if s < SectionEnd {
		to = c.Cut[s]
	}
	return blocks[from:to]
}

// Refs visits the numbers of the run.
func (c *Chain) Refs(visit RefVisitor) { visit.each(c.Run(), Change) }

// Run returns pointers to the numbers of the run, in the order of the text form.
func (c *Chain) Run() []*SpanID { return runOf(c.ChainRun, c.TrialRun, c.Refused) }

// Run returns pointers to the numbers of the run.
func (c *OpChain) Run() []*TableID { return runOf(c.ChainRun, c.TrialRun, c.Refused) }

// runOf returns the numbers of a run; one of chains and trials is nil.
func runOf[T any](chains *ChainNumbers[T], trials *TrialNumbers[T], refused []T) (all []*T) {
	if chains != nil {
		all = append(all, chains.All()...)
	}
	if trials != nil {
		all = append(all, trials.All()...)
	}
	for i := range refused {
		all = append(all, &refused[i])
	}
	return all
}

// chainTurns returns the places of n blocks of an entry with a chain, in the order in which they
// run, with the sweep twice.
func chainTurns(n int, cut [SectionEnd]int) (places []int) {
	for i := range n {
		if i == cut[SectionSweep] {
			for k := cut[SectionStart]; k < cut[SectionSweep]; k++ {
				places = append(places, k)
			}
		}
		places = append(places, i)
	}
	return places
}

// text writes ` chain 1 2 3 4 5 iterations 1000 burnin 100 chains 4 seed 0 run s1 s2 s3 s4 s5 s6`
// as a part of an entry, and ` refused s7 s8` if there are Metropolis steps. For trials, ` mode
// cool hot 2 cold 0.1 tenure 7` precedes the run.
func (c *Chain) text() string {
	if c == nil {
		return ""
	}
	b := &strings.Builder{}
	b.WriteString(" chain")
	for _, at := range c.Cut {
		fmt.Fprintf(b, " %d", at)
	}
	fmt.Fprintf(b, " iterations %d burnin %d chains %d seed %d", c.Iterations, c.BurnIn, c.Chains, c.Seed)
	if c.TrialOptions != (TrialOptions{}) {
		fmt.Fprintf(b, " mode %v hot %v cold %v tenure %d", c.Mode, c.Hot, c.Cold, c.Tenure)
	}
	b.WriteString(" run " + spanNames(values(runOf(c.ChainRun, c.TrialRun, nil))))
	if c.Refused != nil {
		b.WriteString(" refused " + spanNames(c.Refused))
	}
	if c.Functions != nil {
		b.WriteString(" functions" + varsText(c.Functions))
	}
	return b.String()
}

// chain reads the form that text writes, after its first word.
func (ps *parser) chain() *Chain {
	c := &Chain{}
	for i := range c.Cut {
		c.Cut[i] = ps.int()
	}
	ps.expect("iterations")
	c.Iterations = ps.int()
	ps.expect("burnin")
	c.BurnIn = ps.int()
	ps.expect("chains")
	c.Chains = ps.int()
	ps.expect("seed")
	w := ps.word()
	seed, err := strconv.ParseUint(w, 10, 64)
	if err != nil {
		ps.fail("found %q; want a seed", w)
	}
	c.Seed = seed
	if strings.HasPrefix(ps.rest, "mode ") {
		ps.expect("mode")
		c.Mode = TrialMode(slices.Index(trialModes[:], ps.oneOf(trialModes[:]...)))
		ps.expect("hot")
		c.Hot = ps.float()
		ps.expect("cold")
		c.Cold = ps.float()
		ps.expect("tenure")
		c.Tenure = ps.int()
	}
	ps.expect("run")
	ps.run(c)
	if strings.HasPrefix(ps.rest, "refused ") {
		ps.expect("refused")
		c.Refused = []SpanID{ps.spanID(), ps.spanID()}
	}
	if strings.HasPrefix(ps.rest, "functions ") {
		ps.expect("functions")
		for strings.HasPrefix(ps.rest, "v") {
			c.Functions = append(c.Functions, model.VarID(ps.after("v", ps.word())))
		}
	}
	return c
}

// run reads the numbers of the run of c. The kind of c follows from their count.
func (ps *parser) run(c *Chain) {
	var ids []SpanID
	for strings.HasPrefix(ps.rest, "s") {
		ids = append(ids, ps.spanID())
	}
	chains, trials := &ChainNumbers[SpanID]{}, &TrialNumbers[SpanID]{}
	switch len(ids) {
	case len(chains.All()):
		c.ChainRun = chains
	case len(trials.All()):
		c.TrialRun = trials
	default:
		ps.fail("found %d numbers of a run; want %d or %d", len(ids), len(chains.All()), len(trials.All()))
	}
	for i, id := range c.Run() {
		*id = ids[i]
	}
}

// chain checks that a query has a chain if and only if it samples or searches.
func (l *faultList) chain(q *Query, chain bool) {
	if q.Kind.Valid() && (q.Kind.Run() >= RunChain) != chain {
		l.errorf("%v, which has %s chain", q.Kind, map[bool]string{true: "a", false: "no"}[chain])
	}
}

// chainOptions checks the sections of a chain over n blocks, and its options.
func (l *faultList) chainOptions(cut [SectionEnd]int, n int, o ChainOptions) {
	if last := append(cut[:], n); cut[0] < 0 || !slices.IsSorted(last) {
		l.errorf("sections of %d blocks that end at %v", n, cut)
	}
	if !o.Valid() {
		l.errorf("%d chains of %d iterations after %d", o.Chains, o.Iterations, o.BurnIn)
	}
}

// chainOf checks the references of the chain of e.
func (v *verifier) chainOf(e *Entry) {
	v.chain(e.Query, e.Chain != nil)
	if e.Chain == nil {
		return
	}
	v.chainOptions(e.Chain.Cut, len(e.Blocks), e.Chain.ChainOptions)
	v.runNumbers(values(e.Chain.Run()))
	v.trialOptions(e)
	if e.Exp != NoSpan {
		v.errorf("exponent of an entry with a chain")
	}
	if e.Root == NoSpan {
		v.errorf("chain without an outcome of its start")
	}
}

// trialOptions checks that the chain of e has valid options and numbers for trials if its query
// runs trials, and that other chains have no options of trials.
func (v *verifier) trialOptions(e *Entry) {
	o, trials := e.Chain.TrialOptions, e.Query.Kind.Run() > RunChain
	want := len((&ChainNumbers[SpanID]{}).All())
	if trials {
		want = len((&TrialNumbers[SpanID]{}).All())
	}
	if e.Chain.Refused != nil {
		want += 2
	}
	if n := len(e.Chain.Run()); n != want {
		v.errorf("%d numbers of a run; want %d", n, want)
	}
	if trials != o.Valid() || !trials && o != (TrialOptions{}) {
		v.errorf("%v with temperatures from %v to %v and a tenure of %d", e.Query.Kind, o.Hot, o.Cold, o.Tenure)
	}
}

// runNumbers checks the numbers of a run.
func (v *verifier) runNumbers(run []SpanID) {
	for _, id := range run {
		v.one(id, "a number of the run")
		if v.known(id) && v.p.Spans[id].Role != RolePersistent {
			v.errorf("a number of the run, s%d, is %v; want a persistent span", id, v.p.Spans[id].Role)
		}
	}
}

// text describes how sections repeat, for the end of an entry's line.
func (c *OpChain) text() string {
	if c == nil {
		return ""
	}
	return fmt.Sprintf("  # sections end at %v; %d chains of %d sweeps after %d", c.Cut, c.Chains, c.Iterations, c.BurnIn)
}

// chainOf checks the chain of e.
func (v *scheduleVerifier) chainOf(e *ScheduleEntry) {
	v.chain(e.Query, e.Chain != nil)
	if e.Chain == nil {
		return
	}
	v.chainOptions(e.Chain.Cut, len(e.Blocks), e.Chain.ChainOptions)
	v.scalars(values(e.Chain.Run())...)
}

// lower returns the chain with the spans of its numbers.
func (c *OpChain) lower(l *Lowering) *Chain {
	if c == nil {
		return nil
	}
	chain := &Chain{ChainOptions: c.ChainOptions, TrialOptions: c.TrialOptions, Cut: c.Cut, Functions: c.Functions}
	if c.ChainRun != nil {
		chain.ChainRun = &ChainNumbers[SpanID]{}
	}
	if c.TrialRun != nil {
		chain.TrialRun = &TrialNumbers[SpanID]{}
	}
	if c.Refused != nil {
		chain.Refused = make([]SpanID, len(c.Refused))
	}
	l.numbers(c.Run(), chain.Run())
	return chain
}
