// Package ep plans expectation propagation in networks with real variables: messages between the
// clusters of a tree, with weights and normal distributions as numbers.
//
// Models: Bayesian networks of discrete and real variables with Gaussian CPDs, softmax CPDs and
// expressions; also discrete networks. Query: ep, the marginals of all variables
// and an estimate of the ln density of the evidence. Guarantee: exact if the report of the compiler
// says so, which is the case if no message needs an approximation of more than means and variances
// and no CPD is approximated; otherwise none, not even of convergence. Cost: for each message, the
// cube of the real variables of a cluster times the joint states of its discrete ones.
//
// If all is exact in a network with real variables, the program is that of method clg, which loses
// no digits to means that are far apart: the loop ends after one round. What follows is about other
// networks.
//
// A cluster holds the factors and messages that the elimination of one variable brings together.
// Real variables are eliminated before discrete ones as long as a cluster has at most max-cluster
// joint states of discrete variables; then all messages towards the root are exact, as in method
// clg. Where a cluster would be larger, discrete variables are eliminated while real ones are left.
// The message is then a mixture of normal distributions, which is replaced by the normal
// distribution with the same mean and covariance for each joint state of the separator (weak
// marginals). It is divided by the message from the other side, so that the approximation is good
// where the posterior is.
//
// A message may start only after the densities of the real variables of its cluster have arrived.
// In the order of messages each finds its inputs. A message with which a precision would not be
// positive is not used: the old one stays. The report counts such messages of the last iteration.
//
// The CPD of a discrete child of real parents, and the CPD of a real child with an expression as
// mean, is a site: a Gaussian function of the real variables that each iteration fits again. A
// softmax site has, for each state, the weight, mean and covariance of the softmax function times
// the messages of all others. A function is replaced by its linear regression under the posterior
// of its parents, plus noise with the variance that the regression leaves. Option rule selects how
// the integrals are computed: hermite (Gauss-Hermite, exact for polynomials of degree 2 points-1 in
// each variable), precision5 (exact to degree 5), unscented (to degree 3), or taylor, the tangent
// of an expression. The default is hermite in one and three dimensions and precision5 beyond. In
// two it is a product of distances from the mean and directions, exact for polynomials of degree
// 23: unlike hermite it is accurate for distances such as sqrt(x^2 + y^2). The compiler integrates
// each expression by a finer rule too, over independent parents with their prior moments, and the
// report says if the mean or the variance differ by more than a thousandth.
//
// Numbers of a real variable are relative to its observed value, or to its prior mean, in units of
// its prior standard deviation. A network is refused in which the prior means of a variable in
// different states are so far apart that this leaves no digits. No precision holds a variance of 0,
// so a function without noise, linear or an expression, gets the variance 1e-8 in these units; the
// compiler warns of it. Posteriors change by about that much, and the posterior of a parent of
// small weight that follows from an observed function by more: the noise is divided by the square
// of the weight. If a function is observed together with all its parents, its density stands for a
// probability in ln P, and a contradiction makes P small instead of 0. A CPD with variance 0 in
// some rows only is refused: an observed value would have a probability in one row and a density in
// another, and no density is comparable with a probability.
//
// Sources: Minka 2001, Expectation propagation for approximate Bayesian inference; Heskes and
// Zoeter 2002, Expectation propagation for approximate inference in dynamic Bayesian networks;
// Lauritzen 1992; Lerner 2002, Hybrid Bayesian networks for reasoning about complex systems;
// García-Fernández, Svensson, Morelande and Särkkä 2015, Posterior linearization filter; Julier and
// Uhlmann 1997, A new extension of the Kalman filter to nonlinear systems; Koller and Friedman,
// sections 14.3.3 and 14.4.
package ep
