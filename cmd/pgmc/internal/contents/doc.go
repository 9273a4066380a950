// Package contents describes what columns of data hold, in one pass and bounded memory: the commonest
// values, moments, quartiles and histograms of numbers, and which pairs of columns depend on each
// other.
//
// A [Sample] keeps some rows, all if they are few. Package look reads the rows and knows the kinds
// of columns.
package contents
