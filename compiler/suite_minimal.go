//go:build minimal

package compiler

import "github.com/pgmc-go/pgmc/compiler/method"

var furtherExact, approximateInTime, approximate []method.Method
