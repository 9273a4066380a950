// Package gen is where the clinic's models become Go. It is a module of its own, so that the compiler and what the compiler
// needs are requirements of nobody else: the service in ../app uses what stands here and requires nothing.
//
// go.mod names the compiler as a tool, at a version as with any other requirement. (In this repository a replace
// directive puts the sources beside it in place of a version.)
package gen

//go:generate go tool pgmc compile --quiet -o ../app/asia ../../models/asia.bif
//go:generate go tool pgmc compile --quiet -o ../app/sprinkler --types shared ../../models/sprinkler.bif
//go:generate go tool pgmc compile --quiet -o ../imported/asia --runtime import ../../models/asia.bif
