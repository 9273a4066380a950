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

// Share returns the share of its files that r has read, and false if that is unknown, as of
// standard input. It may be called while another goroutine reads.
func (r *Reader) Share() (share float64, known bool) {
	if r.meter == nil || r.meter.total.Load() <= 0 {
		return 0, false
	}
	return min(1, float64(r.meter.done.Load())/float64(r.meter.total.Load())), true
}
