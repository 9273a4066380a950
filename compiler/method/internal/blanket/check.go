package blanket

import (
	"fmt"

	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/model"
)

// CheckGroups warns of factors with zeros that keep variables from changing one at a time, and that
// have too many joint states for a joint change. The message gives consequence before the advice.
func CheckGroups(m *model.Model, consequence string, by method.Peers) (list diag.List) {
	_, wide := Groups(m)
	if len(wide) == 0 {
		return list
	}
	others := ""
	if n := len(wide) - 1; n > 0 {
		others = fmt.Sprintf(", and %d more", n)
	}
	f, pos := m.Factors[wide[0]], diag.Pos{File: m.File}
	if f.Pos.Line > 0 {
		pos = f.Pos
	}
	list.Warnf(pos, "zeros of the %s%s keep variables from changing one at a time, and they are too many to be drawn together; %s: compare several seeds, or try %v",
		m.FactorName(f), others, consequence, by(method.Tables))
	return list
}
