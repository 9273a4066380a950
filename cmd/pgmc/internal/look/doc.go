// Package look looks at data before a model is learned from it: it describes columns, and finds
// columns of numbers that would become states, identifiers, and a first line that is no header.
package look
