// Package jsontext parses JSON for readers of formats that are written in it. Errors have the
// position of what was found, which encoding/json does not give.
//
// A [Lexer] splits text into tokens and reads values. The package knows no format.
package jsontext
