package math

const (
	Ln2        = 0.693147180559945309417232121458176568075500134360255254120680009
	MaxFloat64 = 0x1p1023 * (1 + (1 - 0x1p-52))
	MaxInt     = 1<<63 - 1
	MaxInt32   = 1<<31 - 1
	MinInt32   = -1 << 31
	Pi         = 3.14159265358979323846264338327950288419716939937510582097494459
)

func Abs(x float64) float64
func Atan2(y, x float64) float64
func Cos(x float64) float64
func Erfc(x float64) float64
func Erfinv(x float64) float64
func Exp(x float64) float64
func FMA(x, y, z float64) float64
func Float64bits(f float64) uint64
func Float64frombits(b uint64) float64
func Float32bits(f float32) uint32
func Float32frombits(b uint32) float32
func Frexp(f float64) (frac float64, exp int)
func Remainder(x, y float64) float64
func Round(x float64) float64
func Inf(sign int) float64
func IsInf(f float64, sign int) bool
func IsNaN(f float64) (is bool)
func Ldexp(frac float64, exp int) float64
func Log(x float64) float64
func Log1p(x float64) float64
func Log2(x float64) float64
func NaN() float64
func Pow(x, y float64) float64
func Sin(x float64) float64
func Sqrt(x float64) float64
func Tanh(x float64) float64
