package codegen

import (
	"go/token"
	"strings"
)

// PackageName makes a name for the package of a model from the model's name: its ASCII letters and
// digits in lower case, after "model" if a letter has to be first or the name means something in
// Go.
func PackageName(model string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(model) {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			b.WriteRune(r)
		}
	}
	name := b.String()
	switch {
	case name == "":
		return "model"
	case name[0] <= '9' || token.IsKeyword(name) || name == "main":
		return "model" + name
	}
	return name
}
