package cli

import (
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/method"
)

// Approximate returns the method of that name if it answers a query of its own in place of
// marginals and ln P; nil if it is exact or there is none.
func Approximate(name string) *method.Method {
	m, err := compiler.FindMethod(name)
	if err != nil || m.Answers == nil {
		return nil
	}
	return &m
}
