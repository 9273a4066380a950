package codegen

import (
	"github.com/pgmc-go/pgmc/codegen/internal/backend"
	"github.com/pgmc-go/pgmc/codegen/internal/nest"
	"github.com/pgmc-go/pgmc/codegen/internal/tape"
	"github.com/pgmc-go/pgmc/codegen/internal/unroll"
	"github.com/pgmc-go/pgmc/codegen/internal/vector"
)

// Backends holds all back-ends. If two predict the same time, the first is taken.
var Backends = []backend.Backend{
	unroll.Backend,
	vector.Backend,
	vector.Scalar,
	nest.Backend,
	tape.Backend,
}
