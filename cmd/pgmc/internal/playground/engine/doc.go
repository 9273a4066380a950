// Package engine answers the requests of the playground's page: it reads models, answers questions
// about one of them, returns the cost of a variable, and changes and saves models.
//
// Requests and replies are JSON, so that the same code serves a page, through WebAssembly, and
// tests. Of the page, the package holds the models that undo may come back to; a question brings all
// its evidence.
package engine
