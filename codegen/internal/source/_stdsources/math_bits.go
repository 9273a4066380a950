package bits

func Add64(x, y, carry uint64) (sum, carryOut uint64)
func Len64(x uint64) (n int)
func Mul64(x, y uint64) (hi, lo uint64)
func TrailingZeros64(x uint64) int
