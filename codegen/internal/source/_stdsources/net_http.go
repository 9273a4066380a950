package http

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
type Handler interface {
	ServeHTTP(ResponseWriter, *Request)
}
type ServeMux struct{}

func NewServeMux() *ServeMux
func (mux *ServeMux) HandleFunc(pattern string, handler func(ResponseWriter, *Request))
func (mux *ServeMux) ServeHTTP(w ResponseWriter, r *Request)

type MaxBytesError struct{ Limit int64 }

func (e *MaxBytesError) Error() string
func MaxBytesReader(w ResponseWriter, r io.ReadCloser, n int64) io.ReadCloser
