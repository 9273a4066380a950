package plain

// Steps has the function of each kind of step.
var Steps = steps
