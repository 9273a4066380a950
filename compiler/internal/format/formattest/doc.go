// Package formattest checks that a format fulfils the contract of package format.
//
// The test of a format passes to [Run] texts and files with published posteriors, and broken texts
// with the messages that they must cause. Run reads them, compares posteriors with plain
// enumeration of the joint distribution, writes the models and reads them back, and cuts the texts
// at every byte. [RoundTrip] is the property for a fuzz target. [SameNumbers] compares two files of
// one network.
//
// Enumeration suits small models only. Larger ones need a method of inference.
package formattest
