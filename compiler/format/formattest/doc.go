// Package formattest checks that a format keeps the contract of package format.
//
// The test of a format gives [Run] what it knows: texts and files with posteriors that somebody published, and broken
// texts with the messages that they must give. Run reads them, compares posteriors with plain enumeration of the joint
// distribution, writes and reads back, and cuts the texts at every byte. [RoundTrip] is the property that a fuzz
// target checks; [SameNumbers] compares two files of one network.
//
// Enumeration is for small models only; for anything larger there are the engines.
package formattest
