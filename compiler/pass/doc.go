// Package pass holds the compiler's passes: each changes one thing about a problem, a schedule or
// a program, or takes it from one stage to the next. Their list, order and reasons are in package
// compiler; files are named by the stage they work on.
//
// Passes know nothing of formats, inference methods or Go syntax, and they keep the meaning: what
// a program answers before and after is the same up to rounding.
package pass
