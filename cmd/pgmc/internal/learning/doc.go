// Package learning runs learners for the commands learn and fit: it reads the files that the flags
// name, learns, cross-validates, and writes models and reports.
//
// The learners are those of package learn, and the commands have the flags.
package learning
