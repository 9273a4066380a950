package vet

import (
	"strings"

	"golang.org/x/tools/go/analysis/unitchecker"
)

// IsTool reports whether the arguments are those with which go vet calls its -vettool.
func IsTool(args []string) bool {
	if len(args) == 0 {
		return false
	}
	last := args[len(args)-1]
	return strings.HasPrefix(last, "-V=") || last == "-flags" || strings.HasSuffix(last, ".cfg")
}

// Tool runs the analyzers as go vet -vettool wants, and exits.
func Tool() { unitchecker.Main(Analyzers...) }
