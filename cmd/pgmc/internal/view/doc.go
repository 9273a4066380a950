// Package view shows models, what the compiler makes of them, and what pgmc knows, for people and
// as JSON.
//
// Show prints the lists of methods, formats, learners and passes, and describes or draws a model,
// its clique tree, its circuit or a stage of its compilation. Stats prints sizes: of the model, of
// its elimination orders, and of the package that it would compile to. Package view decides nothing
// about models: it prints what compiler and ir work out. Drawings are laid out by package draw.
package view
