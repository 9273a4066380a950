package main

import "github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"

// app is one run of the program. Its methods make and run the subcommands.
type app struct{ *cli.App }
