package rate

// TwoSided exports twoSided for tests of its accuracy.
var TwoSided = twoSided
