// Package engines tests the SQL that pgmc prints in the engines that run it. It is a module of its
// own, since DuckDB needs cgo and no user of pgmc needs DuckDB.
package engines
