// Package blanket plans what methods share that draw or change variables given all others: the
// weights of a variable's states given its Markov blanket, the groups of variables that must change
// together, the search for joint states that agree with the evidence, and trials.
//
// It is not a method: it plans the operations of a trial and of a step, and does not choose the
// query they answer.
//
// Sources: Dechter 1990, Enhancement schemes for constraint processing (backjumping); Jensen, Kong
// and Kjærulff 1995, Blocking Gibbs sampling in very large probabilistic expert systems (groups).
package blanket
