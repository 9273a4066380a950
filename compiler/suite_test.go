package compiler_test

import (
	"testing"

	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/ir/irtest"
)

// TestMethodsAreDescribed checks that every method states what it takes, what it guarantees and
// what it costs.
func TestMethodsAreDescribed(t *testing.T) {
	for _, m := range compiler.Methods {
		if m.Doc == "" || m.Kinds == "" || m.Guarantee == "" || m.Cost == "" {
			t.Errorf("method %s: doc %q, kinds %q, guarantee %q, cost %q; want all of them", m.Name, m.Doc, m.Kinds, m.Guarantee, m.Cost)
		}
	}
}

// TestRoles checks that each role has one method, which errors can name.
func TestRoles(t *testing.T) {
	for r := method.Tables; r <= method.ParticleFilter; r++ {
		var names []string
		for _, m := range compiler.Methods {
			if m.Role == r {
				names = append(names, m.Name)
			}
		}
		if len(names) != 1 || compiler.By(r) != method.By(names[0]) {
			t.Errorf("role %d has the methods %q and is named %v; want one method", r, names, compiler.By(r))
		}
	}
}

// TestOptions checks what the tags of all methods' options declare.
func TestOptions(t *testing.T) {
	for _, m := range compiler.Methods {
		irtest.CheckOptions(t, m.New())
	}
}
