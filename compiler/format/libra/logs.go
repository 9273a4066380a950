package libra

import (
	"math"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/format/internal/numbers"
	"github.com/pgmc-go/pgmc/compiler/format/internal/text"
)

// parseLog is the number that a word stands for as a logarithm: minus infinity may be one, plus infinity not.
func parseLog(s string) (x float64, ok bool) {
	if strings.EqualFold(s, "-inf") || strings.EqualFold(s, "-infinity") {
		return math.Inf(-1), true
	}
	x, err := text.Number(s)
	return x, err == nil
}

// maxLog is the largest logarithm of a number; math.Exp gives infinity for more than 709.44 on some machines.
const maxLog = 709

// maxValue is the largest number that has a logarithm here.
var maxValue = math.Exp(maxLog)

// How logarithms and the logarithms of numbers up to maxValue are written.
var (
	writeLog   = numbers.WriteLog
	writeLogOf = numbers.WriteLogOf
)
