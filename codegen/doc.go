// Package codegen turns an ir.Program into the Go package that answers its queries. The package has
// types named after the model's variables and states, an Engine with a method for each query, the
// numbers, and the parts of the runtime that it needs.
//
// [Emit] returns a [Package] in memory and writes nothing. [Package.WriteDir] writes it to a
// folder, all files or none, and [Package.Compare] reports whether a folder is up to date. Emit
// chooses a back-end for each block by the times that the back-ends predict, and lets it emit the
// block. The packages of codegen/internal write the parts: source the files, store the numbers, api
// the types and evidence, engine the type Engine, query and answer the methods, batch the methods
// for many rows, and stream the methods for sequences. Codegen does not know formats, elimination
// orders or methods: it reads a model for its names and a program for its steps.
//
// The same input gives the same bytes, on any machine. The names of a model are untrusted input:
// package names turns them into identifiers, and they reach comments, strings and struct tags only
// escaped.
//
// The shape of the output follows protobuf-go (version handshake), stringer (enums) and sqlc
// (header, plain structs).
package codegen
