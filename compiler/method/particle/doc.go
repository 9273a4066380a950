// Package particle filters sequences with random samples, called particles.
//
//   - particle draws states and values of all variables. Each particle goes on from the variables
//     that persist, and its weight is multiplied by the density of the evidence: the bootstrap
//     filter draws from the CPDs and takes the density at what was drawn; with a posterior
//     proposal, it draws given the evidence on the slice and takes the density given the slice
//     before, for discrete and linear Gaussian models. The proposals ekf and ukf draw the
//     real variables that persist near that, from the belief of such a filter that begins at one
//     particle, and the weights make up for the difference. Trial draws of a slice may choose the
//     particles that go on (an auxiliary particle filter), and particles may move after a slice
//     that left few which count, by Metropolis steps that leave the distribution of the slice given
//     the particle before it as it is. If the effective sample size falls below a share of the
//     particles, they are resampled.
//   - rbpf, the Rao-Blackwellised filter, draws discrete variables alone. A particle is a history
//     of their states with a Gaussian over the real ones, which is exact given the history. All
//     states that follow each particle are weighed before as many as are kept are drawn, so that
//     nothing is drawn while they are not too many.
//     With the option Draw, a particle has values of some real variables too, and means, variances
//     and those covariances of the others that are not 0 in every slice: given the path of a robot,
//     landmarks are independent (FastSLAM). A mean that is not linear in the others given the drawn
//     ones is replaced by its tangent, or with proposal ukf by its regression. A state that only
//     measurements wait for is drawn by their density, such as the landmark that was measured. The
//     proposals ekf and ukf draw the states by the density of the measurements while the drawn
//     variables are spread, then these near their posterior; weights make up for the difference.
//
// Models: Bayesian networks with a transition; for particle with CPDs of any kind, for rbpf with
// Gaussian ones, and with Draw expressions. Queries: filter and, without Draw, smooth, of particle
// by trajectories that are drawn back from the last slice to any particle of the one before, and of
// rbpf along the histories that remain. Guarantee: estimates approach the exact answers as
// particles grow, of rbpf with Draw if means are linear given what is drawn, and the estimate of
// P(evidence), not that of its logarithm, is unbiased. The report has the effective sample size,
// the largest standard error of a probability, and that of ln P, which are estimated from the same
// particles and leave out what resampling adds. Cost: particles times the CPDs of a slice; for rbpf
// times the joint states that follow, each with the cube of the number of real variables; with Draw
// times the states of a measurement's parents, each with the kept variables that are dependent on
// each other given the drawn ones, and twice that with a proposal.
//
// The program of rbpf is that of the exact filter, about one history (package switching), and who
// runs it draws (pgmrt.Growth). That of particle draws one particle from the CPDs, as package
// forward plans; who runs it loops over particles, weighs and resamples them (pgmrt.Cloud).
// Generated packages do so too, with the types Filter and Particles. With ekf and ukf that program
// has the filter's step from one value in it. A posterior proposal has the step of the exact filter
// from one particle, after which it draws.
// Smoothing runs the same program with all variables of a slice observed, which then draws nothing
// and has the density of the slice given a particle before it; packages smooth without latent
// variables, which cannot be observed.
//
// Values of circular variables are wrapped into half a period on either side of 0 when they are
// drawn or observed, and the density of an observed one is the wrapped normal density with the
// terms of the nearest period and its neighbours. Their answers are circular means, and variances
// around them.
//
// Sources: Gordon, Salmond and Smith 1993; Doucet, Godsill and Andrieu 2000, "On sequential Monte
// Carlo sampling methods for Bayesian filtering"; Pitt and Shephard 1999; Gilks and Berzuini 2001;
// Godsill, Doucet and West 2004; Doucet, de Freitas, Murphy and Russell 2000, "Rao-Blackwellised
// particle filtering for dynamic Bayesian networks"; Montemerlo, Thrun, Koller and Wegbreit 2002
// and 2003, "FastSLAM" and "FastSLAM 2.0"; Douc and Cappé 2005 for the schemes of resampling;
// Koller and Friedman, section 15.3.3.
package particle
