// Package rate scores models by rows of data, and learned structures by the true one.
//
// Scorer computes the mean log-likelihood or pseudo-log-likelihood of a data set, Conditionals the
// conditional ones, Predictor the posteriors of targets and how good they are, and CrossValidate
// the scores of rows that a learner has not seen. Compare measures the distance of a learned
// network from the true one. They are built from the parts below.
//
// Rows computes the log-likelihood and the pseudo-log-likelihood of complete rows without
// inference. The pseudo-log-likelihood of a row is the sum over variables of the log-probability of
// their state given the states of all others. In a Bayesian or Markov network it follows from the
// factors that contain the variable, since all others are equal for each of its states; in a
// dependency network it is the product of the CPDs. The values of a circuit in each state of each
// variable are its derivatives by the indicators of the states. The probability of a row is the
// product of the CPDs of a Bayesian network. A Markov network's needs the partition function, and a
// dependency network's is estimated, state by state.
//
// The probability of one part of a row given another part needs inference, which Engine
// provides. It is the basis of conditional log-likelihoods, of the part as a whole
// (Conditional) or of each of its variables separately (Marginal), of the Protocol that draws
// growing parts of a row as evidence, and of the log-likelihood of rows of dependency networks
// (InTurn). A paired t-test compares two models on the same rows. CompareStructures compares class
// graphs.
//
// CompareDrawn tests the goodness of fit: it compares statistics of rows with those of data sets
// that the model draws. SampleSize bounds the number of rows that estimates need.
//
// Cost of a row: one table look-up for each state of each variable and each of its tables; one walk
// through each tree for each variable on its path; one pass up and one down through each smooth and
// decomposable circuit, for eight rows at once.
//
// Sources: Lowd and Shamaei 2011, Mean field inference in dependency networks: an empirical study,
// for the protocol; Besag 1975, Statistical analysis of non-lattice data; Heckerman et al. 2000,
// Dependency networks for inference, collaborative filtering, and data visualization; Darwiche
// 2003, A differential approach to inference in Bayesian networks, for derivatives; Welford 1962,
// for means and their errors; Koller and Friedman, section 16.2.3, and Tsamardinos, Brown and
// Aliferis 2006, The max-min hill-climbing Bayesian network structure learning algorithm, for the
// distance of structures.
package rate
