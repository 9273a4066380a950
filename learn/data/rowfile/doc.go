// Package rowfile reads data sets of discrete and real variables from files, and writes files of
// rows. A [Reader] reads row by row, for a single pass over a file. [Reader.Load] makes a
// [data.Set] of the rows, for learners.
//
//	CSV, TSV      a line of column names, then values
//	Libra .data   no header: numbers of states from 0, columns x0, x1, ...;
//	              "2.5|0,1,*" gives a row a weight
//	JSON Lines    an object a line; the members of the first 1,000 are the columns, and null or no
//	              member is a missing value
//	ARFF          nominal attributes with their states, sparse rows, weights
//
// [Binding.EachBlock] reads rows in blocks by variable, on all cores: pieces of whole lines of CSV
// and JSON Lines, and the columns of a [data.Source]. Rows of other files, of CSV with one column,
// and of values over several lines, are read one by one. Blocks come back in the order of the file,
// with the messages of [Binding.Each], and memory does not grow with the rows.
//
// A file may be compressed with gzip, begin with a UTF-8 byte order mark, and end its lines with CR
// LF. A Reader holds one row at a time, of at most 1 MiB and 65,536 columns. [LoadOptions].MaxMem
// bounds a Set. Messages name file, line and column.
//
// A folder, or a pattern of names, is one data set of all its files, in the order of their names
// ([FindParts]). Names that begin with "_" or "." do not count. A folder called day=3 gives its
// files a column day, with "%2F" for a slash and so on, and __HIVE_DEFAULT_PARTITION__ for a
// missing value. All files have one format, and one type for each column. Columns may have another
// order in each file, and values are missing in a file that has no column of theirs. A column that
// the first file does not have counts only if it is one of a known variable.
//
// The separator is a tab in files called .tsv or .tab. In others it is the most frequent of comma,
// semicolon and tab outside quotes in the first line; if two are equally frequent, the first in
// this list. Without one of these it is a bar, or if the first row is of numbers, any number of
// blanks. A first line "sep=;", which Excel writes, names it. Where words might be columns or one
// text, it is an error to leave out [ReadOptions].Separator. Text must be UTF-8.
//
// Missing values. A cell that is empty or, in any case of letters, NA, NaN, NULL, N/A, #N/A, <NA>,
// -nan, ? or * is missing, unless the variable is known to have a state of that name. Blanks around
// a value are ignored. In CSV of one column, a blank line before another row is an empty cell;
// other blank lines are skipped. [ReadOptions] can name other marks, say that there is no header,
// and choose columns and rows.
//
// States come from a list of variables, such as a model's ([data.VarsOf], [Reader.Bind]), or from
// the data ([Load]). With a list, columns are matched by name, or by position if a file without
// names has as many columns as there are variables.
//
// Numbers become intervals if [LoadOptions].Bins asks for a number of them, by the rule of a
// [Binning]. Otherwise each different number in a column of numbers is a state: 1 and 1.0 are one,
// also if the state is a known variable's. A column with a code such as 007 holds texts, see
// [model.Number]. Intervals are named by their bounds: "..1.5", "1.5..2.5" and "2.5..", and each
// includes its upper bound. If all states of a known variable are such consecutive intervals, a
// number in the data becomes the interval that contains it, so that a model of intervals reads
// numbers.
//
// A column in which all texts are dates or times, such as 2026-01-31 15:04, is no variable; see
// package times. [Reader.Rearrange] gives rows another order, which package timeline takes from
// such a column.
//
// The columns in [LoadOptions].Real, and the columns of real variables of a model, hold real
// numbers, and with [LoadOptions].Numeric columns of numbers that look like measurements. Where
// states are required, a real variable has one, 0.
//
// The formats follow RFC 4180 for CSV, the manual of the Libra toolkit (Lowd and Rooshenas 2015)
// for .data and the Weka manual for ARFF. The twenty binary data sets used for density estimation
// (DEBD) are in the format of Libra.
package rowfile
