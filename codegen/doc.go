// Package codegen turns an ir.Program into the Go package that answers its queries: types named
// after the model's variables and states, an Engine with a method a query, the numbers, and the
// parts of the runtime that it needs.
//
// [Emit] gives a [Package] in memory and writes nothing; [Package.WriteDir] writes it to a folder,
// all files or none, and [Package.Compare] reports whether a folder is fresh. Emit chooses a
// back-end a block by the back-ends' own predictions and has them emit the blocks; all else
// (identifiers, API, evidence, memories, data) is decided here. It knows nothing of formats, orders
// or methods: a model for its names and a program for its steps are all it reads.
//
// The same input gives the same bytes, whoever built the compiler. Names of a model are data from
// outside: they become identifiers by package names, and reach comments, strings and struct tags
// only escaped.
//
// The shape of the output follows protobuf-go (version handshake), stringer (enums) and sqlc
// (header, plain structs).
package codegen
