// Package convert implements the command convert: it reads a model or a data file in one format and
// writes it in another.
package convert
