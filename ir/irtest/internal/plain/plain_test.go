package plain_test

import (
	"testing"

	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/irtest/internal/plain"
)

// TestSteps checks that each kind of step has a function.
func TestSteps(t *testing.T) {
	names := map[string]bool{}
	for kind := range plain.Steps {
		names[kind.Elem().Name()] = true
	}
	for _, name := range irtest.StepTypes(t) {
		if !names[name] {
			t.Errorf("ir.%s has no function", name)
		}
		delete(names, name)
	}
	for name := range names {
		t.Errorf("the function of %s is for no kind of step", name)
	}
}
