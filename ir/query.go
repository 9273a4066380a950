package ir

import (
	"slices"

	"github.com/pgmc-go/pgmc/ir/model"
)

// QueryKind says what a query answers.
type QueryKind uint8

// The kinds of query. Evidence may be on any subset of the variables, as states or as likelihoods, unless
// the query is a Signature.
const (
	Marginals    QueryKind = iota // the posterior of every variable, and ln P(evidence)
	Posterior                     // the posterior of the one target
	LogProb                       // ln P(evidence)
	MPE                           // a most probable completion of the evidence, and its log-probability
	Sample                        // a completion drawn from P(. | evidence)
	Signature                     // the posterior of the one target given states of exactly Query.Evidence
	Joint                         // the joint posterior of the targets
	MAP                           // a most probable joint state of the targets, everything else summed out, and its log-probability
	KMPE                          // the Query.K most probable completions, best first
	Gradient                      // the derivative of ln P(evidence) by each parameter, and the expected counts
	Sensitivity                   // the derivative of the probability of one event by each parameter
	Jeffrey                       // the posteriors nearest to the model's under which some variables have given distributions
	Sets                          // the posterior of every variable given a set of states for each
	Session                       // marginals and ln P under evidence that changes by one finding at a time
	BP                            // approximate marginals and ln P by belief propagation
	MeanField                     // approximate marginals and a bound of ln P by mean field
	EdgeDeletion                  // approximate marginals and ln P by a clique tree, after deleting edges
	Gibbs                         // marginals estimated by Gibbs sampling
	MaxProduct                    // a probable completion by loopy max-product, and max-marginals
	TRWS                          // a probable completion and a bound by sequential tree-reweighted message passing
	MPLP                          // a probable completion and a bound by max-product linear programming
	LW                            // marginals and ln P estimated by likelihood weighting
	AIS                           // marginals and ln P estimated by annealed importance sampling
	ICM                           // a good completion, by iterated conditional modes
	Tabu                          // a good completion, by tabu search
	Anneal                        // a good completion, by simulated annealing
)

var queryKinds = [...]string{"marginals", "posterior", "logprob", "mpe", "sample", "signature", "joint", "map", "kmpe", "gradient",
	"sensitivity", "jeffrey", "sets", "session", "bp", "meanfield", "edgedel", "gibbs", "maxprod", "trws", "mplp", "lw", "ais", "icm", "tabu", "anneal"}

// String names the kind as `--query` and dumps write it.
func (k QueryKind) String() string { return queryKinds[k] }

// Chooses reports whether answers of the kind are states of variables, as steps pick them.
func (k QueryKind) Chooses() bool {
	return k == MPE || k == Sample || k == MAP || k == KMPE || k.Decodes()
}

// Decodes reports whether answers of the kind are states that a loop chooses by messages.
func (k QueryKind) Decodes() bool { return k == MaxProduct || k == TRWS || k == MPLP }

// Iterates reports whether answers of the kind are what a loop settles to.
func (k QueryKind) Iterates() bool {
	return k == BP || k == MeanField || k == EdgeDeletion || k.Decodes()
}

// Chains reports whether answers of the kind are estimated by Markov chains, or come of trials.
func (k QueryKind) Chains() bool { return k == Gibbs || k.Trials() }

// Trials reports whether answers of the kind come of trials.
func (k QueryKind) Trials() bool { return k.Weighs() || k.Climbs() }

// Weighs reports whether answers of the kind are estimated from weighted samples.
func (k QueryKind) Weighs() bool { return k == LW || k == AIS }

// Climbs reports whether answers of the kind are the best states that a search came across.
func (k QueryKind) Climbs() bool { return k == ICM || k == Tabu || k == Anneal }

// Tables reports whether the answers of the kind are tables over sets of variables, not one for a variable each.
func (k QueryKind) Tables() bool { return k == Joint || k == Gradient || k == Sensitivity }

// Query is one question that a program will answer many times.
type Query struct {
	Name     string // unique within a problem
	Kind     QueryKind
	Targets  []model.VarID // Posterior and Signature: the one target; Joint and MAP: the set, in the order of the call
	Evidence []model.VarID // Signature: the variables whose states are given, in the order of the call
	Do       []model.VarID // Signature: those of Evidence that are set from outside, which cuts them off from their parents
	K        int           // KMPE: how many completions
	// Factors are the factors, by number, that can change the answer of a Signature, as pruning found; nil is all.
	Factors []int
}

// Cuts reports whether f is the CPD of a variable that q sets from outside: it then says nothing about that variable, and the
// query is about the product of the other factors (the truncated factorisation of Pearl 2009, section 3.2.1).
func (q *Query) Cuts(f *model.Factor) bool {
	return f.Child >= 0 && slices.Contains(q.Do, f.ChildVar())
}

// ParamMode says what the compiler may assume of the numbers of the model.
type ParamMode uint8

// The parameter modes.
const (
	Const ParamMode = iota // they never change: products are folded, zeros and ones vanish, equal numbers merge
	Var                    // they may be replaced at run time: each keeps its place, nothing is folded, messages are always rescaled
)

// Problem is what a method is asked to plan: a model that passed its checks, and the queries.
type Problem struct {
	Model   *model.Model
	Queries []*Query
	Params  ParamMode
}
