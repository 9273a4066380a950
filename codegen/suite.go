package codegen

import (
	"github.com/pgmc-go/pgmc/codegen/backend"
	"github.com/pgmc-go/pgmc/codegen/nest"
	"github.com/pgmc-go/pgmc/codegen/tape"
	"github.com/pgmc-go/pgmc/codegen/unroll"
)

// Backends lists all back-ends; of two with the same predicted time the first is taken.
var Backends = []backend.Backend{
	unroll.Backend,
	nest.Backend,
	tape.Backend,
}
