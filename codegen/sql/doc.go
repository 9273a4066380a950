// Package sql writes queries that compute a model's answers for the rows of a table in a database:
// ln P of a row, posteriors, and the cells that the model does not know. It writes text; it opens
// no connection.
//
// A complete row needs no inference. Its ln P is a sum over factors, and the posterior of a
// variable a product over the factors of its Markov blanket. Each factor becomes a nested CASE over
// the states of its scope, or an element of a list if columns hold state numbers. Rows with missing
// cells run a program of the compiler: package symbolic turns it into a circuit, and the circuit
// becomes a chain of WITH steps.
//
// Two things are refused, with what works: factors without such a form, and texts that engines do
// not take. Package sqltext has the rules of the dialects.
package sql
