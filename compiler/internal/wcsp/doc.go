// Package wcsp finds a joint state of largest value by branch and bound with soft arc consistency.
// A product of tables is a weighted constraint satisfaction problem: the energies of all factors
// are added up, and a zero is a constraint.
//
// The bound of a node is a constant that is moved out of the factors without changing the energy of
// any joint state: factors hand energy to their variables, variables to the constant, and back to
// factors where that lets another variable hand on more (existential directional arc consistency).
// At the root, sweeps of sequential tree-reweighted message passing do the same for as long as they
// pay, and at the nodes only the neighbourhood of a decision is looked at. Energies are integers,
// so that moving them loses nothing, and the answer is the same on every machine.
//
// Variables are eliminated first if that makes no larger table. Parts of the problem that share no
// variable are searched apart. The search is best first by depth-first dives: the rest of a dive is
// a node of the frontier, and the frontier's least bound is the problem's. In between, limited
// discrepancy searches and neighbourhoods of the best states look for better ones. Of equal optima
// the first in the order of the variables is found by deciding, variable by variable, whether a
// lower state has an optimum.
//
// The package is not for sums, and needs problems with a tight bound or a short search. For those
// that are narrow, mini-buckets (package bound) know more.
//
// Sources: Larrosa, de Givry, Heras and Zytnicki 2005, Existential arc consistency; Cooper, de
// Givry, Sanchez, Schiex, Zytnicki and Werner 2010, Soft arc consistency revisited; Kolmogorov 2006
// and 2015, tree-reweighted message passing and its reparameterisation for factors of any size;
// Allouche, de Givry, Katsirelos, Schiex and Zytnicki 2015, Anytime hybrid best-first search;
// Harvey and Ginsberg 1995, Limited discrepancy search; Shaw 1998, Using constraint programming and
// local search methods to solve vehicle routing problems;
// Boussemart, Hemery, Lecoutre and Sais 2004, Boosting systematic search by weighting constraints;
// Lecoutre, Sais, Tabary and Vidal 2009, Reasoning from last conflicts.
package wcsp
