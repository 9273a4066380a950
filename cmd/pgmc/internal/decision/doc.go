// Package decision solves the influence diagrams of pgmc decide and prints what to choose, and what
// it is worth to know more.
package decision
