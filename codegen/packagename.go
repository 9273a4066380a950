package codegen

import (
	"go/token"
	"strings"
)

// PackageName returns a package name made from the name of a model: its ASCII letters and digits,
// in lower case. The name begins with "model" if it would otherwise be empty, begin with a digit,
// or be a Go keyword or "main".
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
