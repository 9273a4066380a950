package ir

import "strconv"

// QueryKind says what kind of answer a query has. The method decides how; see [Query].
type QueryKind uint8

// The kinds of query. Evidence may be on any subset of the variables, as states or as likelihoods,
// unless the query is a Signature. Approximate methods use the kinds from Beliefs to Bounded;
// methods with the same form of answer share a kind. The kinds after them are about a sequence of
// slices.
const (
	Marginals QueryKind = iota
	Posterior
	LogProb
	MPE
	Sample
	Signature
	Joint
	MAP
	KMPE
	Gradient
	Sensitivity
	Statistics
	Jeffrey
	Sets
	Session
	Mixture
	MaxMarginals
	Policy
	Best
	Information
	Follow
	Beliefs
	Decoding
	Estimates
	Weighted
	Climb
	Bounded
	Filter
	Smooth
	Viterbi
	Innovation
	Trajectory
)

// Kind is one row of [Kinds]: the properties common to the queries of a kind.
type Kind struct {
	Name   string // the name in queries and dumps
	Doc    string // describes the answer
	Run    Run
	Answer Answer
	Wants  Wants
}

// Kinds is the table of the kinds of query, by QueryKind.
var Kinds = [...]Kind{
	Marginals:    {"marginals", "the posterior of every variable, and ln P(evidence)", RunOnce, AnswerMarginals, WantsNothing},
	Posterior:    {"posterior", "the posterior of the one target", RunOnce, AnswerMarginals, WantsTarget},
	LogProb:      {"logprob", "ln P(evidence)", RunOnce, AnswerNumber, WantsNothing},
	MPE:          {"mpe", "a most probable completion of the evidence, and its log-probability", RunOnce, AnswerStates, WantsNothing},
	Sample:       {"sample", "a completion drawn from P(. | evidence)", RunOnce, AnswerStates, WantsNothing},
	Signature:    {"signature", "the posterior of the one target given states of exactly Query.Evidence", RunOnce, AnswerMarginals, WantsEvidence},
	Joint:        {"joint", "the joint posterior of the targets", RunOnce, AnswerTables, WantsTargets},
	MAP:          {"map", "a most probable joint state of the targets, all others summed out, and its log-probability", RunOnce, AnswerStates, WantsTargets},
	KMPE:         {"kmpe", "the Query.K most probable completions, best first", RunOnce, AnswerStates, WantsCount},
	Gradient:     {"gradient", "the derivative of ln P(evidence) by each parameter, and the expected counts", RunOnce, AnswerTables, WantsParams},
	Sensitivity:  {"sensitivity", "the derivative of the probability of one event by each parameter", RunOnce, AnswerTables, WantsParams},
	Statistics:   {"statistics", "the expected sufficient statistics of each CPD of a network with Gaussian CPDs", RunOnce, AnswerTables, WantsLearner},
	Jeffrey:      {"jeffrey", "the posteriors nearest to the model's under which some variables have given distributions", RunOnce, AnswerMarginals, WantsNothing},
	Sets:         {"sets", "the posterior of every variable given a set of states for each", RunOnce, AnswerMarginals, WantsNothing},
	Session:      {"session", "marginals and ln P under evidence that changes by one finding at a time", RunOnce, AnswerMarginals, WantsNothing},
	Mixture:      {"mixture", "the posterior mixture of the one target, a real variable", RunOnce, AnswerTables, WantsTarget},
	MaxMarginals: {"maxmarginals", "for each state of a variable the probability of a most probable completion with it, normalised over the states, and the log-probability of the best", RunOnce, AnswerMarginals, WantsNothing},
	Policy:       {"policy", "the choice of each decision in each case, which maximises the mean utility", RunOnce, AnswerTables, WantsNothing},
	Best:         {"best", "the mean utility of each option of a decision, if later decisions are the best ones", RunOnce, AnswerTables, WantsNothing},
	Information:  {"information", "by how much the mean utility grows if each of some variables is known before a decision", RunOnce, AnswerTables, WantsNothing},
	Follow:       {"follow", "the posterior of every variable if decisions follow the best strategy, and the mean and the variance of each utility and of their sum", RunOnce, AnswerMarginals, WantsNothing},
	Beliefs:      {"beliefs", "approximate marginals and ln P, to which a loop converges", RunLoop, AnswerMarginals, WantsMethod},
	Decoding:     {"decoding", "a probable completion that a loop of messages chooses, and a bound of its probability", RunLoop, AnswerStates, WantsMethod},
	Estimates:    {"estimates", "marginals averaged over Markov chains", RunChain, AnswerMarginals, WantsMethod},
	Weighted:     {"weighted", "marginals and ln P estimated from weighted samples", RunTrials, AnswerMarginals, WantsMethod},
	Climb:        {"climb", "the best completion that a local search met", RunSearch, AnswerStates, WantsMethod},
	Bounded:      {"bounded", "bounds that hold of ln P and of the posterior of every variable", RunLoop, AnswerIntervals, WantsMethod},
	Filter:       {"filter", "the posterior of every variable of a slice given the evidence up to it, and ln P of that", RunStream, AnswerMarginals, WantsNothing},
	Smooth:       {"smooth", "the posterior of every variable of a slice given the evidence on all slices", RunStream, AnswerMarginals, WantsNothing},
	Viterbi:      {"viterbi", "a most probable completion of a sequence", RunStream, AnswerStates, WantsNothing},
	Innovation:   {"innovation", "the means and covariances of the real variables of a slice given the evidence before it", RunStream, AnswerTables, WantsNothing},
	Trajectory:   {"trajectory", "a completion of a sequence drawn from P(. | evidence)", RunStream, AnswerStates, WantsNothing},
}

// Valid reports whether k is one of Kinds.
func (k QueryKind) Valid() bool { return int(k) < len(Kinds) }

// String returns the name of the kind in queries and dumps.
func (k QueryKind) String() string { return k.row().Name }

// row returns the row of k in Kinds, or a row with only a name if k is not valid.
func (k QueryKind) row() *Kind {
	if !k.Valid() {
		return &Kind{Name: "kind " + strconv.Itoa(int(k))}
	}
	return &Kinds[k]
}

// Run returns how a query of the kind is run.
func (k QueryKind) Run() Run { return k.row().Run }

// Answer returns the shape of the answer of a query of the kind.
func (k QueryKind) Answer() Answer { return k.row().Answer }

// Wants returns the parts of a query besides its kind.
func (k QueryKind) Wants() Wants { return k.row().Wants }

// Picks reports whether steps of the program pick the states of the answer. A search keeps its best
// states instead and does not pick.
func (k QueryKind) Picks() bool { return k.Answer() == AnswerStates && k.Run() < RunChain }

// Run is how a query is run.
type Run uint8

// The ways to run a query. Those from RunChain on draw random numbers and have an [Entry.Chain].
const (
	RunOnce   Run = iota // each block of the entry runs once
	RunStream            // once for each slice of a sequence; see [Stream]
	RunLoop              // blocks repeat until convergence; see [Loop]
	RunChain             // several Markov chains are averaged; see [Chain]
	RunTrials            // independent samples are weighted
	RunSearch            // a local search restarts from several states
)

// Answer is the shape of the answer of a query.
type Answer uint8

// The shapes of answers.
const (
	AnswerMarginals Answer = iota // a distribution for each of some variables
	AnswerTables                  // tables over sets of variables or parameters
	AnswerStates                  // states of variables
	AnswerNumber                  // one number
	AnswerIntervals               // a lower and an upper bound for each state of some variables
)

// Wants lists the parts of a query besides its kind.
type Wants uint8

// What queries state.
const (
	WantsNothing  Wants = iota
	WantsTarget         // the only variable of Query.Targets
	WantsTargets        // the variables of Query.Targets, one or more
	WantsEvidence       // one target, and the variables of Query.Evidence
	WantsCount          // Query.K
	WantsParams         // nothing, but the parameters of the program can be replaced; see [Var]
	WantsLearner        // as WantsParams; learners ask such queries, and packages do not answer them
	WantsMethod         // Query.Method and Query.By
)
