// Package counts holds counts of families of variables, so that networks are learned from them
// where the rows are not: it reads and writes them as files, adds those of different rows, and
// answers learners from them.
//
// It learns nothing and counts no rows itself, except in [Add], row by row. Counts of a family give
// the counts of its parts, as far as no row misses a value of the variables that are summed out.
//
// A file is a list of records, as a table in CSV or Parquet, or as a JSON array of objects with the
// same names:
//
//	record,family,states,n,mean,cross
//	rows,,,1000,,
//	variable,"[""smoke""]","[""yes"",""no""]",,,
//	variable,"[""height""]",,,,
//	family,"[""smoke"",""height""]",,2,,
//	count,"[""smoke"",""height""]","[""yes""]",480,[171.5],[2400]
//
// The record rows has the weight of all rows, a variable its states, or none if it is real. A
// family has the weight of the rows that miss a value of it, and after it come the joint states
// that have rows: the states of the discrete variables, the weight n, and the means of the real
// ones with the cross products of differences from the means, the lower triangle row by row.
package counts
