//go:build !minimal

package compiler

import (
	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/belief"
	"github.com/pgmc-go/pgmc/compiler/method/cut"
	"github.com/pgmc-go/pgmc/compiler/method/edgedel"
	"github.com/pgmc-go/pgmc/compiler/method/ep"
	"github.com/pgmc-go/pgmc/compiler/method/filter"
	"github.com/pgmc-go/pgmc/compiler/method/gibbs"
	"github.com/pgmc-go/pgmc/compiler/method/gpb"
	"github.com/pgmc-go/pgmc/compiler/method/importance"
	"github.com/pgmc-go/pgmc/compiler/method/ldfm"
	"github.com/pgmc-go/pgmc/compiler/method/localsearch"
	"github.com/pgmc-go/pgmc/compiler/method/maxsum"
	"github.com/pgmc-go/pgmc/compiler/method/meanfield"
	"github.com/pgmc-go/pgmc/compiler/method/minibucket"
	"github.com/pgmc-go/pgmc/compiler/method/particle"
	"github.com/pgmc-go/pgmc/compiler/method/topdown"
)

// absent holds the names of methods that this build lacks, by role.
var absent map[method.Role]string

// furtherExact lists the exact methods that are not the default of a kind of model.
var furtherExact = []method.Method{topdown.Method}

// approximateInTime lists the approximate methods for sequences.
var approximateInTime = []method.Method{
	filter.EKF,
	filter.UKF,
	filter.GHF,
	gpb.GPB1,
	gpb.GPB2,
	gpb.IMM,
	particle.Method,
	particle.RBPF,
}

// approximate lists the other approximate methods.
var approximate = []method.Method{
	belief.Method,
	ep.Method,
	meanfield.Method,
	edgedel.Method,
	gibbs.Method,
	ldfm.Method,
	maxsum.MaxProduct,
	maxsum.TRWS,
	maxsum.MPLP,
	minibucket.Bound,
	minibucket.Search,
	cut.Method,
	importance.LW,
	importance.AIS,
	localsearch.ICM,
	localsearch.Tabu,
	localsearch.Anneal,
}
