package localsearch_test

import (
	"testing"

	"github.com/pgmc-go/pgmc/compiler/method/methodtest"
)

// Values are those of the states that were found, never better than the best there are, and nearly
// always as good.
func TestAgainstBruteForceICM(t *testing.T) { methodtest.Climbed(t, "icm") }
