package ir

import (
	"errors"
	"fmt"
	"math"
)

// ErrOverflow is wrapped by errors about constants of a model with a product that exceeds float64.
var ErrOverflow = fmt.Errorf("numbers of a product exceed float64 (%.2g)", math.MaxFloat64)

// ErrUnderflow is wrapped by errors about models with a product of 0 at each joint state, or one
// that becomes 0 on the way, since numbers underflow.
var ErrUnderflow = errors.New("the potentials leave no state of positive weight, or its weight is lost below the smallest number (2.2e-308)")

// DivideAdvice is what can be done about an [ErrOverflow].
const DivideAdvice = "divide the numbers of a potential by a constant, which divides the partition function by it and changes neither marginals nor best states"
