// Package picture draws models with their numbers: posteriors as bars in the nodes, before and
// after evidence, the strength of edges as the width of their lines, and two structures in one
// drawing.
//
// It computes no layout, see package draw, and no posteriors, see package infer.
package picture
