package experiment

import (
	"time"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
)

// Options are the flags of pgmc experiment.
type Options struct {
	Quick    bool
	Full     bool
	Data     string
	Out      string
	Networks []string
	Trials   int
	MaxTime  time.Duration
	Models   string
	Rows     int
	Engine   cli.Choice
}
