package learner

// Scoring holds the options of the learners that score structures, besides the name of the score,
// whose default is the learner's own. They embed it.
type Scoring struct {
	ESS       float64 `opt:"ess" default:"1" help:"equivalent sample size of the score"`
	EdgePrior string  `opt:"edge-prior" help:"log prior odds of edges, added to the score for each: a number for all, a->b=1 for one, a--b=1 for both directions"`
	PriorOdds float64 `opt:"prior-odds" default:"10" help:"factor by which a structure is less probable for each edge that only it or only the prior structure has"`
	Prior     float64 `opt:"prior" default:"1" help:"pseudo-count of each parameter"`
}

// Constraints are rules about the edges of structures. Learners of structures embed them.
type Constraints struct {
	Require string `opt:"require" help:"required edges: a->b,b->c"`
	Forbid  string `opt:"forbid" help:"forbidden edges: a->b,b->c"`
	Allow   string `opt:"allow" help:"the only edges that are allowed: a->b, or a--b for both directions; all if it is empty"`
	Tiers   string `opt:"tiers" help:"tiers of variables, from first to last: a,b<c<d; no edge leads from a later tier to an earlier one, and variables of no tier are free"`
}
