// Package decision solves the influence diagrams of pgmc decide and prints the choices and the
// value of information.
package decision
