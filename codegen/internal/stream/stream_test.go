package stream

import (
	"testing"

	"github.com/pgmc-go/pgmc/codegen/internal/source"
)

// TestNamesOfErrors checks that the runtime has the errors that are part of the API of some
// packages.
func TestNamesOfErrors(t *testing.T) {
	for _, name := range []string{filterError, particlesError, historiesError} {
		var u source.RuntimeUse
		u.Keep(name)
		if _, err := u.Copy(nil); err != nil {
			t.Error(err)
		}
	}
}
