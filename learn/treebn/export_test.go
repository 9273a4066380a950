package treebn

// AsGiven learns from data with its columns in the given order, which then breaks ties.
var AsGiven = (*Options).learn
