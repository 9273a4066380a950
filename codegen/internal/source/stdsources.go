package source

// stdSources declares the parts of the standard library that generated packages and the runtime
// use. Each package comes after those that it imports. A test compares the declarations with the
// library's.
var stdSources = []struct{ path, text string }{
	{"time", "package time\ntype Time struct{}"},
	{"context", `package context
import "time"
type Context interface {
	Deadline() (deadline time.Time, ok bool)
	Done() <-chan struct{}
	Err() error
	Value(key any) any
}`},
	{"io", `package io
type Reader interface { Read(p []byte) (n int, err error) }
type ReadCloser interface { Reader; Close() error }
func ReadAll(r Reader) ([]byte, error)
func ReadFull(r Reader, buf []byte) (n int, err error)`},
	{"compress/flate", `package flate
import "io"
func NewReader(r io.Reader) io.ReadCloser`},
	{"encoding/binary", `package binary
type littleEndian struct{}
func (littleEndian) Uint32([]byte) uint32
func (littleEndian) Uint64([]byte) uint64
func (littleEndian) AppendUint32([]byte, uint32) []byte
func (littleEndian) AppendUint64([]byte, uint64) []byte
var LittleEndian littleEndian`},
	{"encoding/json", `package json
import "io"
type RawMessage []byte
type Decoder struct{}
func (dec *Decoder) Decode(v any) error
func (dec *Decoder) More() bool
func (dec *Decoder) Token() (Token, error)
type Delim rune
type Token any
func Marshal(v any) ([]byte, error)
func NewDecoder(r io.Reader) *Decoder
func Unmarshal(data []byte, v any) error`},
	{"errors", `package errors
func As(err error, target any) bool
func Is(err, target error) bool
func Join(errs ...error) error
func New(text string) error`},
	{"fmt", `package fmt
func Println(a ...any) (n int, err error)`},
	{"iter", `package iter
type Seq[V any] func(yield func(V) bool)
type Seq2[K, V any] func(yield func(K, V) bool)`},
	{"math", `package math
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
func Float64bits(f float64) uint64
func Float64frombits(b uint64) float64
func Float32bits(f float32) uint32
func Float32frombits(b uint32) float32
func Frexp(f float64) (frac float64, exp int)
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
func Tanh(x float64) float64`},
	{"math/bits", `package bits
func Add64(x, y, carry uint64) (sum, carryOut uint64)
func Len64(x uint64) (n int)
func Mul64(x, y uint64) (hi, lo uint64)
func TrailingZeros64(x uint64) int`},
	{"net/url", `package url
type URL struct { Path string }`},
	{"net/http", `package http
import (
	"io"
	"net/url"
)
const (
	StatusOK                    = 200
	StatusBadRequest            = 400
	StatusNotFound              = 404
	StatusMethodNotAllowed      = 405
	StatusRequestEntityTooLarge = 413
	StatusUnsupportedMediaType  = 415
	StatusUnprocessableEntity   = 422
	StatusInternalServerError   = 500
)
type Header map[string][]string
func (h Header) Get(key string) string
func (h Header) Set(key, value string)
type ResponseWriter interface {
	Header() Header
	Write([]byte) (int, error)
	WriteHeader(statusCode int)
}
type Request struct {
	Method string
	URL    *url.URL
	Header Header
	Body   io.ReadCloser
}
type Handler interface { ServeHTTP(ResponseWriter, *Request) }
type ServeMux struct{}
func NewServeMux() *ServeMux
func (mux *ServeMux) HandleFunc(pattern string, handler func(ResponseWriter, *Request))
func (mux *ServeMux) ServeHTTP(w ResponseWriter, r *Request)
type MaxBytesError struct { Limit int64 }
func (e *MaxBytesError) Error() string
func MaxBytesReader(w ResponseWriter, r io.ReadCloser, n int64) io.ReadCloser`},
	{"strconv", `package strconv
func AppendFloat(dst []byte, f float64, fmt byte, prec, bitSize int) []byte
func FormatFloat(f float64, fmt byte, prec, bitSize int) string
func FormatUint(i uint64, base int) string
func Itoa(i int) string
func ParseFloat(s string, bitSize int) (float64, error)
func Quote(s string) string`},
	{"strings", `package strings
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
func TrimSuffix(s, suffix string) string`},
	{"sync", `package sync
type Pool struct { New func() any }
func (p *Pool) Get() any
func (p *Pool) Put(x any)
func OnceValue[T any](f func() T) func() T { return f }`},
}
