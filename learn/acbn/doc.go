// Package acbn learns a Bayesian network of decision trees together with its arithmetic circuit
// (LearnAC). Inference in the learned model is exact and linear in the edges of the circuit.
//
// It begins with independent variables and splits one leaf at a time on a state of a variable,
// always the one with the highest
//
//	gain in log-likelihood - split penalty - edge penalty * edges that it adds to the circuit
//
// The gain of a split never changes, but its cost changes with the circuit. A heap orders the
// candidates by their costs as last measured, at first 0. The top of the heap is measured again; a
// measurement stops once the split cannot pay. After a split, the costs of candidates are outdated
// if their part of the circuit has changed. With Quick, measured costs remain as lower bounds.
//
// acbn does not search for the network of the highest likelihood, as treebn and hillclimb do;
// inference in their networks may be intractable.
//
// Rows that miss a value are counted wherever the value is not needed. With validation data, the
// splits after the best one are undone. Leaves are smoothed towards their parent nodes if that
// raises the validation score: as if there were up to 32 further rows, distributed as at the
// parent.
//
// The search is greedy: early splits determine how much larger the circuit becomes by later ones. A
// restart continues from the best result so far without a few random splits, and others may be
// better in their place; the validation data choose. This is iterated greedy search.
//
// A stopped search continues from a checkpoint with its splits and the candidates with their gains
// and costs.
//
// Sources: Lowd and Domingos 2008, Learning arithmetic circuits; Lowd and Rooshenas 2015, The Libra
// toolkit for probabilistic models, for smoothed gains and the falling penalty of edges; Ruiz and
// Stuetzle 2007, A simple and effective iterated greedy algorithm, for restarts.
package acbn
