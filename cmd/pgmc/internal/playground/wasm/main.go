// Command wasm is the engine of the playground: package engine behind the worker of a page, if it
// is built for the browser, and otherwise behind lines of JSON on standard input and output.
package main

import (
	"context"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/playground/bridge"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/playground/engine"
)

func main() {
	e := &engine.Engine{}
	bridge.Run(func(request []byte) []byte { return e.Serve(context.Background(), request) })
}
