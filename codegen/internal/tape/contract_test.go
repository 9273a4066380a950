package tape_test

import (
	"testing"

	"github.com/pgmc-go/pgmc/codegen/backendtest"
	"github.com/pgmc-go/pgmc/codegen/internal/tape"
)

func TestContract(t *testing.T) { backendtest.Run(t, tape.Backend) }

func TestNarrowed(t *testing.T) { backendtest.Check(t, tape.Backend, backendtest.Narrowed()) }
