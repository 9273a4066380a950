// Package learning implements the commands learn and fit: it reads the files that the flags name,
// runs a learner, cross-validates it, and writes models and reports.
//
// The learners themselves are in package learn and its folders. The flags are declared by the
// commands.
package learning
