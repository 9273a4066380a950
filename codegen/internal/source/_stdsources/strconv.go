package strconv

func AppendFloat(dst []byte, f float64, fmt byte, prec, bitSize int) []byte
func FormatFloat(f float64, fmt byte, prec, bitSize int) string
func FormatUint(i uint64, base int) string
func Itoa(i int) string
func ParseFloat(s string, bitSize int) (float64, error)
func Quote(s string) string
