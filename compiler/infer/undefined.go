package infer

import (
	"fmt"

	"github.com/pgmc-go/pgmc/compiler/infer/internal/temporal"
)

// UndefinedError reports a mean that is not defined where a filter needs it, such as the square
// root of a number that is expected to be negative. The evidence itself may be possible.
type UndefinedError struct {
	Var  string // the variable whose mean it is
	Mean string // the expression
	At   string // the values of its variables: "x = -0.5, dt = 0"; those that a filter expects if they are not known
	Near bool   // not defined at a point near those values, among which a filter averages
}

// Error names the expression and the values.
func (e *UndefinedError) Error() string {
	where := "at"
	if e.Near {
		where = "everywhere near"
	}
	return fmt.Sprintf("the mean of %q is not defined: found %s; want it defined %s %s", e.Var, e.Mean, where, e.At)
}

// undefined returns an *UndefinedError if the cause of a probability of 0 is a mean that is not
// defined, and err otherwise; see [temporal.Undefined].
func (e *Engine) undefined(err error, found *Findings, in [][]float64) error {
	if x := temporal.Undefined(e.vars.m, found.State, found.Value, in); x != nil {
		return &UndefinedError{x.Var, x.Mean, x.At, x.Near}
	}
	return err
}
