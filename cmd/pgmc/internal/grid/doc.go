// Package grid makes Markov networks of images, with a variable for each pixel, and draws their
// states as images again: Koller and Friedman 2009, box 13.B.
//
// A model has two kinds of energy. The data term of a pixel says how well a label explains its grey
// value; the smoothness term of two pixels beside or below each other says how far their labels
// differ, up to a cap. A most probable state is a segmentation, an image without noise, or the
// disparities of a pair of images. Package grid infers nothing itself.
package grid
