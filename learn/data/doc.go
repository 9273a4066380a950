// Package data reads data sets of discrete and real variables, and writes those of discrete ones: row by row as a [Reader] for what passes
// once over a file, and whole as a [Set] for learners.
//
//	CSV, TSV      a line of column names, then values
//	Libra .data   no header: numbers of states from 0, columns x0, x1, ...; "2.5|0,1,*" gives a row a weight
//	ARFF          nominal attributes with their states, sparse rows, weights
//
// Any of them may be compressed with gzip, begin with a UTF-8 byte order mark, and end its lines with CR LF. A Reader holds one row at a
// time, of at most 1 MiB and 65,536 columns; a Set is bounded by [LoadOptions].MaxMem. Messages name file, line and column.
//
// The separator of values is a tab in files called .tsv or .tab. Elsewhere it is that of comma, semicolon and tab which stands most
// often outside of quotes in the first line; the first named where they stand equally often.
//
// Missing values. A cell that is empty or NA, NaN, null, N/A, ? or * is missing, spelled exactly so, unless the variable is
// known to have a state of that name: then it is that state. Blanks around a value do not count.
//
// States come from a list of variables, such as those of a model ([VarsOf], [Reader.Bind]): columns are matched by name, or
// by position where a file without names has as many columns as there are variables. Or they are discovered in the data ([Load]).
//
// Numbers become states by intervals, in as many as [LoadOptions].Bins asks for and by a [Binning]; otherwise what is discovered in a
// column of numbers are its different texts. The states are called by their bounds: "..1.5", "1.5..2.5" and "2.5..", each with its
// upper bound. Where all states of a known variable are such intervals that follow upon each other, a number counts as the interval
// that it falls into, so that a model of intervals reads numbers.
//
// Columns that are named in [LoadOptions].Real, and those of real variables of a model, hold real numbers that stay what they are. To whatever
// asks for states such a variable has one, 0.
//
// The package holds numbers of states, real values and weights, and of counts those that [Counter] keeps; no scores, and nothing about models but
// the names of their states.
//
// The formats follow RFC 4180 for CSV, the manual of the Libra toolkit (Lowd and Rooshenas 2015) for .data and the Weka manual for
// ARFF. The collection of twenty binary data sets that circulates with density estimators (DEBD) is in the format of Libra.
package data
