// Package tokens splits text formats in the style of C into words, strings and punctuation, and
// holds the steps that their parsers share. It knows no grammar.
package tokens
