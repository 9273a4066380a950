// Package pc learns a class of structures by tests of independence. It removes an edge if its ends
// are independent given some of the variables around them; then it directs the colliders and all
// edges that follow from them.
//
// Data: rows of discrete and real variables; a row that misses a value that a test needs is left
// out of that test. Guarantee: if all tests are right and the distribution has exactly the
// independences of a structure, the result is the class of that structure. Cost: with d variables
// around each, at worst of the order of n² 2^d tests.
//
// Tests on data are sometimes wrong and contradict each other. The rules for such cases do not
// depend on the order of the variables:
//
//   - All tests with the same number of given variables see the same edges (PC-stable).
//   - If several tests separate two variables, the separating set is that of the test that agrees
//     best with independence.
//   - With a correction for the number of pairs, the tests of a pair say how well it agrees with
//     independence, and the pairs that agree better than the correction asks for have no edge.
//   - A test given variables that determine one of the two says nothing, as with exact linear
//     functions. It is not made, the edge stays, and the report names the variables.
//   - A pair without an edge by order of the user is tested all the same, so that a collider between
//     its ends stays one.
//   - Colliders are directed in the order of how well the separation of their parents agrees with
//     independence. One that contradicts a directed edge, or would close a cycle, is left out and
//     counted.
//   - An edge that a rule would direct against a directed path is directed along that path.
//   - If no structure has exactly those colliders, the result has a few additional ones, and they
//     are counted.
//
// Ties, and the choice of a structure in the class, go by the canonical order of columns.
//
// pc is for finding structure rather than for prediction, with few variables, many rows and strong
// dependences; see ges and hillclimb for searches by scores.
//
// Sources: Spirtes and Glymour 1991; Koller and Friedman, section 18.2; Colombo and Maathuis 2014,
// Order-independent constraint-based causal structure learning; Ramsey 2016 for the separating set
// of the largest p-value; Meek 1995.
package pc
