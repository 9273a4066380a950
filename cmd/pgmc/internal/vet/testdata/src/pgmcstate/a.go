package pgmcstate

import (
	"asia"
	"other"
)

func converts(s other.Smoke, ev other.Evidence) (asia.Smoke, asia.Evidence) {
	a := asia.Smoke(s) // want `other.Smoke is converted to asia.Smoke, whose states may have other numbers; convert by name`
	return a, asia.Evidence{Smoke: asia.Smoke(1)}
}

func same(s asia.Smoke) uint8 { return uint8(asia.Smoke(s)) }
