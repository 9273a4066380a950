// Package predict adds posteriors of targets to the rows of a data file, as new columns of CSV, and
// reports how good the predictions are.
//
// It reads flags, files and columns. The posteriors and their measures come from rate.Predictor.
package predict
