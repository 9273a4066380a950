// Package blanket plans what methods share that draw or move variables given all others: the rows
// of their Markov blankets, the groups of variables that have to change together, the search for
// joint states that agree with the evidence, and trials.
//
// It is no method: it says what rows hold and what runs once, a trial and a step, and not which
// query that answers.
//
// Sources: Dechter 1990, Enhancement schemes for constraint processing (backjumping); Jensen, Kong
// and Kjærulff 1995, Blocking Gibbs sampling in very large probabilistic expert systems (groups).
package blanket
