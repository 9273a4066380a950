package ir

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Draw says how histories are drawn.
type Draw struct {
	Seed   uint64
	Scheme Scheme
	// Whole means that a history is a particle, with a state or value of each variable. A run draws
	// one: the caller sets the states of the variables before the slice, which are numbered after
	// the slice's variables, and the last span of In to the values of the real ones. If it proposes
	// FromPosterior, the first span of In takes the joint state, as above, in place of states. See
	// [Stream.Particle].
	Whole bool
	// Enough is the effective sample size, as a share of Most, from which on histories are not
	// resampled; with Whole.
	Enough float64
	// Proposal is what particles are drawn from; with Whole.
	Proposal Proposal
	// Ahead is the number of trial draws of a slice from each particle. Their weights choose the
	// particles that go on; 0 chooses particles by their own weights. With Whole.
	Ahead int
	// Moves is the number of moves of each particle after a slice that left few which count; with
	// Whole.
	Moves int
	// Paths is the number of trajectories that smoothing draws back; with Whole.
	Paths int
	// Kept is set if a particle has values of some real variables, and moments of the others given
	// these; with Whole.
	Kept *Kept
}

// Kept describes the real variables of particles that are not drawn. In the values of a particle,
// each has its mean given what is drawn, and variances and covariances follow.
type Kept struct {
	Values  int   // numbers of a particle
	Spread  []int // by real variable of the model: the place of its variance, or 0 if it is drawn
	Carried []int // places of the numbers that enter a slice after the values of the variables before it
}

// Proposal is a distribution that particles are drawn from.
type Proposal uint8

// The proposals.
const (
	FromCPDs      Proposal = iota // the CPDs
	FromPosterior                 // the distribution of the slice given its evidence
	FromTangents                  // a normal distribution of what persists given the evidence, by method ekf
	FromPoints                    // the same by method ukf
)

var proposalNames = []string{"bootstrap", "posterior", "ekf", "ukf"}

// String returns the name of the proposal.
func (p Proposal) String() string { return proposalNames[p] }

// Proposals returns the names of all proposals.
func Proposals() []string { return slices.Clone(proposalNames) }

// ProposalOf returns the proposal of a name, and whether there is one.
func ProposalOf(name string) (Proposal, bool) {
	i := slices.Index(proposalNames, name)
	return Proposal(max(i, 0)), i >= 0
}

// Scheme is a way to draw histories, as many as are kept.
type Scheme uint8

// The ways: at distances of 1/n from a random start, one in each of n intervals, or the whole part
// of n times a probability and the rest at random.
const (
	Systematic Scheme = iota
	Stratified
	Residual
)

var schemeNames = []string{"systematic", "stratified", "residual"}

// String returns the name of the scheme.
func (s Scheme) String() string { return schemeNames[s] }

// Schemes returns the names of all schemes.
func Schemes() []string { return slices.Clone(schemeNames) }

// SchemeOf returns the scheme of a name, and whether there is one.
func SchemeOf(name string) (Scheme, bool) {
	i := slices.Index(schemeNames, name)
	return Scheme(max(i, 0)), i >= 0
}

// text returns ` systematic whole ekf ahead 5 moves 2 paths 200 enough 0.5 seed 7`, with the
// numbers of Kept before enough: ` kept 3 spread 0 2 carried 2 end`.
func (d *Draw) text() string {
	if d == nil {
		return ""
	}
	text := " " + d.Scheme.String()
	if d.Whole {
		text += " whole " + d.Proposal.String() + " " + line("ahead %d moves %d paths %d", d.Ahead, d.Moves, d.Paths)
	}
	if k := d.Kept; k != nil {
		text += " " + line("kept %d spread %s carried %s end", k.Values, strings.Trim(fmt.Sprint(k.Spread), "[]"), strings.Trim(fmt.Sprint(k.Carried), "[]"))
	}
	return text + " " + line("enough %s seed %s", number(d.Enough), strconv.FormatUint(d.Seed, 10))
}

// draw reads what text writes.
func (ps *parser) draw() *Draw {
	d := &Draw{}
	d.Scheme, _ = SchemeOf(ps.oneOf(schemeNames...))
	if d.Whole = strings.HasPrefix(ps.rest, "whole "); d.Whole {
		ps.expect("whole")
		d.Proposal, _ = ProposalOf(ps.oneOf(proposalNames...))
		for _, count := range []struct {
			word string
			to   *int
		}{{"ahead", &d.Ahead}, {"moves", &d.Moves}, {"paths", &d.Paths}} {
			ps.expect(count.word)
			*count.to = ps.int()
		}
	}
	if strings.HasPrefix(ps.rest, "kept ") {
		ps.expect("kept")
		d.Kept = &Kept{Values: ps.int()}
		ps.expect("spread")
		d.Kept.Spread, d.Kept.Carried = ps.ints("carried"), ps.ints("end")
	}
	ps.expect("enough")
	d.Enough = ps.float()
	ps.expect("seed")
	seed, err := strconv.ParseUint(ps.word(), 10, 64)
	if err != nil {
		ps.fail("found a seed that is no whole number")
	}
	d.Seed = seed
	return d
}
