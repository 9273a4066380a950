package rowfile

import (
	"io"
	"sync/atomic"
)

// meter counts what was read: bytes of files or, of Sources, rows. A nil meter counts nothing.
type meter struct{ done, total atomic.Int64 }

func (m *meter) add(n int) {
	if m != nil {
		m.done.Add(int64(n))
	}
}

// metered counts the bytes that are read.
type metered struct {
	in io.Reader
	*meter
}

// Read reads bytes.
func (m metered) Read(b []byte) (int, error) {
	n, err := m.in.Read(b)
	m.add(n)
	return n, err
}
