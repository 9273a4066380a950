package parquet

import "github.com/klauspost/compress/zstd"

// room is the memory for pages that the readers of a cursor share.
type room struct {
	head, body []byte // of a page
	zstd       *zstd.Decoder
	used       int64 // bytes of memory
	limit      int64
}

// take adds n bytes to the memory that is used.
func (m *room) take(n int) error {
	if m.used += int64(n); m.used > m.limit {
		return tooLarge("the pages that are read at a time", m.used, m.limit)
	}
	return nil
}

// grow returns b with n bytes, in new memory if it has no room for them.
func (m *room) grow(b []byte, n int) ([]byte, error) {
	if n <= cap(b) {
		return b[:n], nil
	}
	if err := m.take(n - cap(b)); err != nil {
		return nil, err
	}
	return make([]byte, n), nil
}

// window returns n bytes for the header of a page.
func (m *room) window(n int64) []byte {
	if int64(cap(m.head)) < n {
		m.head = make([]byte, n)
	}
	return m.head[:n]
}

// packed returns n bytes for the bytes of a page, valid until the next call.
func (m *room) packed(n int64) (_ []byte, err error) {
	m.body, err = m.grow(m.body, int(n))
	return m.body, err
}
