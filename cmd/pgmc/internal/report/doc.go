// Package report writes a page about a model and the data that it describes: the model as a picture
// with its posteriors, the numbers of its CPDs, its cost, and with data how well it fits, how good
// its predictions are, what more data would bring, and which observations tell most about a target.
//
// The page is one file of HTML without scripts, with pictures and charts as inline SVG. It requests
// nothing. Numbers come from packages infer, rate and learn.
package report
