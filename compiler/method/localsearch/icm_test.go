package localsearch_test

import (
	"testing"

	"github.com/pgmc-go/pgmc/compiler/method/methodtest"
)

// TestAgainstBruteForceICM checks that the value is that of the states, never exceeds the best, and
// nearly always equals it.
func TestAgainstBruteForceICM(t *testing.T) { methodtest.Climbed(t, "icm") }
