package main

import (
	"fmt"
	"math"
)

// errInfeasible says that a task has no answer by messages.
func errInfeasible(method string) error {
	return fmt.Errorf("method %s found no states of positive value, which does not prove that there are none; try --method jointree or circuit", method)
}

// infeasible reports whether a logarithm is that of states of probability 0.
func infeasible(logP float64) bool { return math.IsInf(logP, -1) }
