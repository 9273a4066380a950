// Package pass implements the compiler's passes. Each changes one thing about a problem, a schedule
// or a program, or turns one stage into the next. Package compiler has their list, order and
// reasons. Files are named after the stage that a pass works on.
//
// Passes know nothing of formats, inference methods or Go syntax. They preserve meaning: the
// answers of a program before and after a pass agree up to rounding.
package pass
