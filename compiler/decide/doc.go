// Package decide solves influence diagrams: it finds the choices, given the known variables, with
// the maximum expected utility.
//
//	Testing --> TestResult <-- OilContents
//	   |            |               |
//	   +--------> Drilling ------> Reward
//
// [Solve] answers for a decision maker who forgets nothing: a decision knows its parents in the
// diagram, and everything that earlier decisions knew and chose. One path must then lead through
// all decisions that anything connects. The answer is exact. Variables are eliminated from the last
// to the first, a chance variable by a sum and a decision by a maximum, in pairs of a probability
// and an expected utility (Jensen, Jensen and Dittmer 1994). The cost grows with the largest table,
// which has all relevant knowledge of a decision; it is exponential in the number of decisions, if
// they share much.
//
// With [Options].Limited a decision knows only its parents, as in a LIMID (Lauritzen and Nilsson
// 2001). Variables that no best strategy looks at are left out. If the diagram is soluble, each
// policy is found once, and no other strategy is better. Otherwise policies begin as uniform, and
// are improved one at a time, from the last decision to the first, until no other policy of a
// single decision is better: that may be a local optimum. Further starts are random. Options.Best
// searches by branch and bound (Khaled, Yuan and Hansen 2013) with bounds from the diagram in which
// decisions forget nothing; a context with a deadline ends the search with the best strategy so far
// and a bound. The search is exponential in the number of cases in the worst case.
//
// A decision analysis network (see [model.Asymmetry]) is decomposed by histories: what is revealed
// is observed, then the best of the decisions whose turn it can be is taken, and what remains is
// summed out (Diez, Luque and Bermejo 2018). Its Solution has no policies and no cases, but a tree
// with the options of each choice; [ImposeSteps] takes the place of [Impose]. The cost is
// exponential in the number of decisions and observations.
//
// [Frontier] compares costs and effects: the strategies that are best for some willingness to pay.
// [Rivals] says what dominates the others.
//
// [Value] is the value of information: how much the maximum expected utility grows if some
// variables are known before a decision. A [Solution] has cases, moments and a
// distribution.
//
// Evidence is a likelihood of each variable. It is known from the outset, and may therefore not
// depend on a decision that is open.
package decide
