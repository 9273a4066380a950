// Command wasmgo is the engine of the playground with the generator of Go packages. The page loads
// it when a package is wanted: it is larger than command wasm.
package main

import (
	"context"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/playground/bridge"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/playground/engine"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/playground/source"
)

func main() {
	e := &engine.Engine{Source: source.Of}
	bridge.Run(func(request []byte) []byte { return e.Serve(context.Background(), request) })
}
