// Package playground makes the page of pgmc playground, on which a model is opened, asked by
// clicks, built and changed, and serves it.
//
// The page is static: it has no server. Its engine is pgmc's readers, compiler and interpreter as
// WebAssembly in a worker ([github.com/pgmc-go/pgmc/cmd/pgmc/internal/playground/wasm]); package
// built says where it comes from. A second engine, which the page loads only when a Go package is
// wanted, has the generator too. A policy in the page forbids requests to other addresses.
package playground
