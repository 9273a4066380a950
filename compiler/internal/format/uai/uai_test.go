package uai_test

import (
	"testing"

	"github.com/pgmc-go/pgmc/compiler/internal/format/formattest"
	"github.com/pgmc-go/pgmc/compiler/internal/format/uai"
)

func TestContract(t *testing.T) {
	formattest.Run(t, uai.Format, formattest.Cases{Models: texts, Errors: broken})
	formattest.Run(t, uai.LG, formattest.Cases{Models: logs, Errors: brokenLogs})
}
