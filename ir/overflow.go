package ir

import (
	"fmt"
	"math"
)

// ErrOverflow is wrapped by errors about constants of a model whose product exceeds float64.
var ErrOverflow = fmt.Errorf("numbers of a product exceed float64 (%.2g)", math.MaxFloat64)

// DivideAdvice is what can be done about an [ErrOverflow].
const DivideAdvice = "divide the numbers of a potential by a constant, which divides the partition function by it and changes neither marginals nor best states"
