// Package pc learns a class of structures by tests of independence: an edge goes where its ends are independent given some of the
// variables around them; then colliders, and what follows from them, are directed.
//
// Data: rows of discrete variables; a row that misses a value that a test asks for is left out of that test. Guarantee: if all tests are right and
// the distribution has no independences but those of a structure, the class of that structure. Cost: for d variables around each, in the
// order of n² 2^d tests at worst.
//
// Tests on data are wrong now and then, and contradict each other. What then holds is said by rules that do not ask in which order the
// variables stand:
//
//   - Which edges go is decided for all tests of so many given variables at once, by the edges that were there before (PC-stable).
//   - Of the tests that separate two variables, the one that agrees best with independence says by what they are separated.
//   - Colliders are directed in the order of how well the separation of their parents agrees with independence. One that contradicts an edge that
//     has a direction already, or would make a cycle, is left out, and counted.
//   - An edge that a rule would direct against a way along directed edges goes along that way.
//   - Where no structure has just those colliders, one with few more is taken, and they are counted.
//
// Ties alone are broken by the order of the variables, as is the choice of a structure in the class.
//
// It is for finding out about structure rather than for prediction, with few variables, many rows and strong dependences; see ges and
// hillclimb for scores.
//
// Sources: Spirtes and Glymour 1991; Koller and Friedman, section 18.2; Colombo and Maathuis 2014, Order-independent constraint-based causal
// structure learning; Ramsey 2016 for the separating set of the largest p-value; Meek 1995.
package pc
