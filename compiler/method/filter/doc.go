// Package filter is inference in dynamic Bayesian networks, one slice after another, exact if means
// are linear. What a
// slice leaves for the next one is a belief over the variables that have an effect on it: a table
// of their joint states, or the means and covariances of real ones. Each query runs in constant
// memory.
//
//   - discrete.go: the belief is a table. It enters the network of a step as a front, and the joint
//     posterior of the same variables in the new slice is the next belief. This is the interface
//     algorithm of Murphy 2002, "Dynamic Bayesian Networks", section 3.2, on the tree of another
//     method, which also eliminates real variables of the slice.
//   - gaussian.go: all variables are real. The moments of the belief are pushed through the CPDs of
//     the slice and conditioned, one observation at a time: the Kalman filter (Koller and Friedman,
//     section 15.4.1) as scalar arithmetic, in which zeros and constants vanish.
//
// The option Clusters keeps a belief about discrete variables as a product of tables (Boyen and
// Koller 1998, "Tractable inference for complex stochastic processes"): each is a front of the next
// slice, and the belief after it is projected to the marginals of the clusters. It is exact if
// there is one cluster, or if the clusters stay independent of each other. Clusters may share
// variables if they have a tree with running intersection (Koller and Friedman, example 15.5): the
// belief is the product of their marginals over the marginals of what neighbours share, and enters
// as that of one cluster and of each other one given what it shares. This is the distribution of
// that form with the least relative entropy from the posterior.
//
// Smoothing goes back in time. In both cases a step of it takes the filtered belief before the
// slice, the evidence on the slice, and the smoothed belief after it: a discrete one as the ratio
// of the smoothed to the filtered table, a Gaussian one by the regression of everything else on the
// variables that persist (Rauch, Tung and Striebel 1965).
//
// Where differences of covariances would lose many digits, or a function of others may be observed,
// the belief has factors of its covariances (Bierman 1977); see [gauss.NeedsFactors]. An observed
// value that other evidence determines then has no density: it must be the value that they
// determine, up to 1e-9 of it, and is impossible otherwise.
//
// In a network of only real variables, priors may be diffuse, and means may be expressions that are
// linear given the given variables, as x + dt*v is if dt is given.
//
// If real variables persist beside discrete ones, the exact belief is a mixture with a Gaussian for
// each history of states, and grows with each slice. Its program, which package switching plans, is
// about one history: it takes a state and moments, and leaves probabilities and moments for each
// state that follows. Who runs it keeps the histories, since a stream has a fixed number of numbers
// and the number of histories is known only at run time. Equal ones are merged, so that a belief
// does not grow if the real variables are observed. Beyond the limits of tables and memory the
// slice fails. The option Modes keeps the most probable ones instead. Smoothing goes back along
// each history that remains after the last slice, by the regression above, and so is exact too if
// all were kept. The most probable path of a network with states and real variables goes back along
// the history whose best values have the largest density, also if no real variable persists, and
// draws go back along histories drawn by their probabilities. Packages have all of these but draws.
//
// Means that are not linear in real variables need an approximate filter. The methods ekf, ukf and
// ghf run the program of gaussian.go, with a linear function and its noise in place of each
// function that is not linear: in ekf the tangent at the mean of its variables, and in ukf and ghf
// its regression on them, from its values at points. A function is replaced once the variables
// observed before it, in the order of the network, are conditioned on, and so has the best mean
// there is; filters that replace all functions of a slice at the predicted mean give other numbers
// for a slice with several nonlinear observations. Guarantee: none; exact if no function needs to
// be replaced, and equal to the Kalman filter for each function that is linear in effect. ghf
// integrates polynomials of a degree up to 2·points-1 in each variable without error, ukf those of
// degree 3 in all. A variance that the negative weights of ukf (more variables than its spread)
// make negative is taken for 0. If a function is not defined at its mean in ekf, or at one of its
// points in ukf and ghf, the slice ends with an error that names the function and the values; in a
// package it is that of impossible evidence. An observed value of a circular variable stands for
// the value nearest to the predicted mean, modulo the period, and so do the values of its function
// at points for those nearest to the value at the mean; the density has that one term of the
// wrapped normal density. Beliefs are about unwrapped numbers, and answers have means of at most
// half a period. Queries: filter, smooth and innovation; packages have the first two.
//
// Sources: Koller and Friedman, section 15.4.1.2; Julier and Uhlmann 1997, "A new extension of the
// Kalman filter to nonlinear systems"; Ito and Xiong 2000, "Gaussian filters for nonlinear
// filtering problems"; Särkkä 2013, "Bayesian Filtering and Smoothing", chapters 5, 6, 9 and 10.
package filter
