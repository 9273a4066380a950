//go:build minimal

package compiler

import "github.com/pgmc-go/pgmc/compiler/method"

var furtherExact, approximateInTime, approximate []method.Method

// Programs of this build are interpreted: no pass readies them for vectors.

func (*state) interleave() error { return nil }
func (*state) lay() error        { return nil }
func (*state) ways() error       { return nil }
func (*state) steady() error     { return nil }
