package bound

// The shares of its time at which the phases of a query end at the latest, in their order.
const (
	orderUntil       = .08 // search for an elimination order
	planUntil        = .1  // sizes of the tables of mini-buckets
	rowPlanUntil     = .2  // the same with rows that are not zero
	upperUntil       = .3  // rounds of messages for the upper bound
	lowerUntil       = .35 // for the lower bound
	diveUntil        = .4  // a dive for possible states
	localSearchUntil = .45 // local search, before exact search
	repairUntil      = .52 // soft arc consistency for possible states
	regionsUntil     = .65 // regions that bound marginals
	clampsUntil      = .7  // sums with each state of each variable
	refineUntil      = .8  // search that tightens the bounds of a sum
	unsearchedUntil  = .9  // local search, if exact search is impossible
	rowsUntil        = .93 // rounds of messages over rows
	sampleEachUntil  = .93 // samples, if bounds of marginals follow
	sampleUntil      = .95 // samples
	searchUntil      = .95 // search for best states
	consistentUntil  = .97 // the same by soft arc consistency
	propagateUntil   = .97 // bounds of marginals through regions
)

// The shares of the time that parts of phases take.
const (
	climbShare        = .25 // local search over many variables at a time
	trialShare        = .2  // of a search, before rounds of messages may follow in its place
	startBoundShare   = .04 // messages for the states where a sampled lower bound starts
	startClimbShare   = .03 // local search from there
	chooseTuplesShare = .03 // the choice of variables that are fixed
	sumTuplesShare    = .03 // sums over the others
)
