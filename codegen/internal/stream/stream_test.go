package stream

import (
	"testing"

	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// TestNamesOfErrors checks that the runtime has the errors that are part of the API of some
// packages.
func TestNamesOfErrors(t *testing.T) {
	for _, name := range []string{filterError, particlesError, historiesError} {
		if _, err := pgmrt.Files(name); err != nil {
			t.Error(err)
		}
	}
}
