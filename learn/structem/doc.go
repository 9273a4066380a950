// Package structem learns the structure of a Bayesian network from rows that miss values, and with hidden variables (structural EM).
//
// Each round fits the numbers of the structure so far by some steps of EM, completes the rows by it, and searches from there by hill
// climbing on what was completed, until the structure stays. A row with few completions is there with all of them, each with the weight of
// its probability; of more, some are drawn. Every row draws by the same random numbers in each round, so that structures differ by what
// was learned and not by chance. At the end the numbers are fitted until EM converges.
//
// Hidden variables come with the network to begin from. Guarantee: with all completions, no round makes the expected score less
// (Friedman 1998); the result is a local maximum, and depends on where it began. Cost: a pass of inference a row and step of
// EM, and counts over the completed rows. Values have to be missing at random, see package em.
//
// Sources: Friedman 1997, Learning belief networks in the presence of missing values and hidden variables; Friedman 1998, The Bayesian
// structural EM algorithm; Koller and Friedman, section 19.4.3.
package structem
