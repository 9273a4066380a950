// Package editing is the work of pgmc edit: it reads edits from the command line, applies them in
// their order by package ir/model/edit, and writes the model.
package editing
