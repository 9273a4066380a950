package strings

func Cut(s, sep string) (before, after string, found bool)
func CutSuffix(s, suffix string) (before string, found bool)
func HasPrefix(s, prefix string) bool
func HasSuffix(s, suffix string) bool
func Join(elems []string, sep string) string

type Reader struct{}

func (*Reader) Read(b []byte) (n int, err error)
func NewReader(s string) *Reader
func Split(s, sep string) []string
func ToLower(s string) string
func ToValidUTF8(s, replacement string) string
func TrimPrefix(s, prefix string) string
func TrimSpace(s string) string
func TrimSuffix(s, suffix string) string
