// Package engine answers the requests of the playground's page: it reads models, answers questions
// about one of them, and returns the cost of a variable.
//
// Requests and replies are JSON, so that the same code serves a page, through WebAssembly, and
// tests. The package holds no state of the page: a question brings all its evidence.
package engine
