// Package compilertest helps to test the compiler, and what runs its programs, on small models.
package compilertest

import "github.com/pgmc-go/pgmc/compiler/internal/trial"

// Trial makes the compiler treat a small model as it treats large ones. A test gives it to the
// method Trial of compiler.Options.
type Trial = trial.Options
