package codegen

import (
	"slices"
	"testing"

	"github.com/pgmc-go/pgmc/codegen/internal/answer"
	"github.com/pgmc-go/pgmc/codegen/internal/source"
)

// TestShownNames checks that the runtime has the names that are part of the API of some packages.
func TestShownNames(t *testing.T) {
	for _, name := range slices.Concat([]string{answer.SearchError}, shownNames()) {
		var u source.RuntimeUse
		u.Keep(name)
		if _, err := u.Copy(nil); err != nil {
			t.Error(err)
		}
	}
}

// shownNames returns the names of the runtime that some kinds of query show.
func shownNames() (names []string) {
	for i := range answerKinds {
		names = append(names, answerKinds[i].shown...)
	}
	return names
}
