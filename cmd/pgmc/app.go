package main

import "github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"

// app is one run of the command, with the subcommands as methods.
type app struct{ *cli.App }
