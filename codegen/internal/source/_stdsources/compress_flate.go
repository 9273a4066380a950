package flate

import "io"

func NewReader(r io.Reader) io.ReadCloser
