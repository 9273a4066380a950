package io

type Reader interface {
	Read(p []byte) (n int, err error)
}
type ReadCloser interface {
	Reader
	Close() error
}

func ReadAll(r Reader) ([]byte, error)
func ReadFull(r Reader, buf []byte) (n int, err error)
