package rate

// TwoSided is for tests of its accuracy.
var TwoSided = twoSided
