package libra

import (
	"math"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/numbers"
	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/text"
)

// parseLog parses a logarithm. Minus infinity is valid, plus infinity is not.
func parseLog(s string) (x float64, ok bool) {
	if strings.EqualFold(s, "-inf") || strings.EqualFold(s, "-infinity") {
		return math.Inf(-1), true
	}
	x, err := text.Number(s)
	return x, err == nil
}

// maxLog is the largest logarithm of a number. On some machines math.Exp returns infinity above
// 709.44.
const maxLog = 709

// maxValue is the largest number whose logarithm is within maxLog.
var maxValue = math.Exp(maxLog)

// The writers of logarithms, and of the logarithms of numbers up to maxValue.
var (
	writeLog   = numbers.WriteLog
	writeLogOf = numbers.WriteLogOf
)
