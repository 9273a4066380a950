// Package internal holds packages that pgmc wrote, for tests. They have the queries with which the
// command answers, so that answers agree to the last bit.
package internal

//go:generate go run -C ../../.. ./cmd/pgmc compile --quiet --runtime import -o runtime/beam/internal/asia --query logprob,lung testdata/models/asia.bif
//go:generate go run -C ../../.. ./cmd/pgmc compile --quiet --runtime import -o runtime/beam/internal/hybrid runtime/beam/testdata/hybrid.json
