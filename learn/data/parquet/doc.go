// Package parquet reads and writes rows of discrete and real variables as Apache Parquet files. A
// [File] is a [data.Source], and [OpenReader] gives its rows to all that reads by rows; a [Writer]
// writes rows.
//
// Columns at the top of the schema are read if they hold texts (strings, enumerations, JSON, plain
// bytes of UTF-8), booleans (true and false), integers, floats, or decimals; each is a variable
// with states, or a real one. Dates and timestamps are texts in the form of ISO 8601, and times
// for package data. Columns of other types (times of a day, lists, groups, INT96) and encrypted
// ones are listed and not read. Null and NaN are missing. Pages may be compressed by
// snappy, gzip, zstd, brotli, LZ4_RAW or not at all, and coded by dictionary, plainly, by
// differences or by split bytes. The framed LZ4 of old files is refused, since writers disagree
// about its frames.
//
//	file     PAR1, row groups, footer, length of the footer, PAR1
//	group    a chunk for each column, of the same rows
//	chunk    the page of a dictionary, if any, and pages of data: levels that tell nulls, values
//
// A cursor reads only the columns that it is asked for, and holds a page of each, so that its
// memory does not depend on the sizes of row groups. A value of a dictionary is turned into a state
// once, and a cell by one look-up. Goroutines may read different row groups at the same time.
//
// Damage that the structure of the file or a checksum shows is an error; other damage changes
// values. Whatever the bytes of a file are, reading ends, does not panic, and takes no more memory
// than it was given: sizes that the file claims are compared with its own size and the limit before
// memory is taken, and numbers in dictionaries are checked. For this reason the package decodes
// pages itself, since a library that trusts a claimed length has taken the memory before it
// returns, and takes from github.com/parquet-go/parquet-go the description of the format.
//
// The format is that of https://github.com/apache/parquet-format, version 2.12.
package parquet
