package codegen

import (
	"github.com/pgmc-go/pgmc/codegen/backend"
	"github.com/pgmc-go/pgmc/codegen/nest"
	"github.com/pgmc-go/pgmc/codegen/tape"
	"github.com/pgmc-go/pgmc/codegen/unroll"
	"github.com/pgmc-go/pgmc/codegen/vector"
)

// Backends holds all back-ends. If two predict the same time, the first is taken.
var Backends = []backend.Backend{
	unroll.Backend,
	vector.Backend,
	vector.Scalar,
	nest.Backend,
	tape.Backend,
}
