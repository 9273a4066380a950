// Package gen makes Go packages of the clinic's models. It is a module of its own, so that nobody
// else requires the compiler and its dependencies: the service in ../app uses the generated
// packages and requires nothing.
//
// go.mod names the compiler as a tool, at a version as for any other requirement. (In this
// repository a replace directive puts the sources in this repository in the place of a version.)
package gen

//go:generate go tool pgmc compile --quiet -o ../app/asia ../../models/asia.bif
//go:generate go tool pgmc compile --quiet -o ../app/sprinkler --types shared ../../models/sprinkler.bif
//go:generate go tool pgmc compile --quiet -o ../imported/asia --runtime import ../../models/asia.bif
//go:generate go tool pgmc compile --quiet -o ../beam/asia --query logprob,sample ../../models/asia.bif
