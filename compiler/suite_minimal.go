//go:build minimal

package compiler

import "github.com/pgmc-go/pgmc/compiler/method"

// absent holds the names of the methods with a role that this build lacks, for errors to advise
// them.
var absent = map[method.Role]string{
	method.Projection: "ep", method.ForwardSamples: "lw", method.MarkovChain: "gibbs",
	method.MaxMessages: "maxprod", method.DualMessages: "trws",
	method.MergingFilter: "gpb2", method.MixingFilter: "imm", method.ParticleFilter: "particle",
}

var furtherExact, approximateInTime, approximate []method.Method

// Programs of this build are interpreted: no pass readies them for vectors.

func (*build) interleave() error { return nil }
func (*build) lay() error        { return nil }
func (*build) ways() error       { return nil }
func (*build) steady() error     { return nil }
