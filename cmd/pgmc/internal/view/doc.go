// Package view shows models, the stages of their compilation, and the lists of methods, formats,
// learners and passes, as text, drawings and JSON.
//
// Show prints a list, or describes or draws a model, its clique tree, its circuit or a stage of its
// compilation. Stats prints sizes: of the model, of its elimination orders, and of the package that
// it would compile to. Package view computes nothing about models itself: it prints results of
// packages compiler and ir. Package draw lays out the drawings.
package view
