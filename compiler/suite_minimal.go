//go:build minimal

package compiler

import "github.com/pgmc-go/pgmc/compiler/method"

var furtherExact, approximateInTime, approximate []method.Method

// Programs of this build are interpreted: no pass readies them for vectors.

func (*build) interleave() error { return nil }
func (*build) lay() error        { return nil }
func (*build) ways() error       { return nil }
func (*build) steady() error     { return nil }
