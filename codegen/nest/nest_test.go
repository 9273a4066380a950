package nest_test

import (
	"testing"

	"github.com/pgmc-go/pgmc/codegen/backendtest"
	"github.com/pgmc-go/pgmc/codegen/nest"
)

func TestBackend(t *testing.T) { backendtest.Run(t, nest.Backend) }
