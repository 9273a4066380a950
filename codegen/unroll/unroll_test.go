package unroll_test

import (
	"testing"

	"github.com/pgmc-go/pgmc/codegen/backendtest"
	"github.com/pgmc-go/pgmc/codegen/unroll"
)

func TestBackend(t *testing.T) { backendtest.Run(t, unroll.Backend) }
