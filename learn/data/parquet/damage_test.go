package parquet_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"time"

	peer "github.com/parquet-go/parquet-go"

	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/parquet"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
)

// limit is the memory that reading a damaged file may take.
const limit = 8 << 20

// readAll reads a file by rows and by blocks, and returns the first error and a sum of what it
// read.
func readAll(b []byte) (rows int, err error) {
	f, err := parquet.NewFile("rows.parquet", bytes.NewReader(b), int64(len(b)), limit)
	if err != nil {
		return 0, err
	}
	rec := data.Record{Cells: make([]data.Cell, len(f.Columns()))}
	for g := range f.Groups() {
		for i, column := range f.Columns() {
			c, failed := f.Open(g, []int{i})
			if err = errors.Join(err, failed); failed != nil {
				continue
			}
			for failed == nil && rows < 1<<18 { // damage may make many rows of a few bytes
				rows++
				failed = c.Next(&rec)
			}
			c.Close()
			if failed != nil && failed != io.EOF {
				err = errors.Join(err, failed)
			}
			err = errors.Join(err, readBlocks(f, g, i, column.Type == "double"))
		}
	}
	return rows, err
}

// readBlocks reads some blocks of a column.
func readBlocks(f *parquet.File, group, column int, real bool) error {
	c, err := f.Open(group, []int{column})
	if err != nil {
		return err
	}
	defer c.Close()
	b := data.BlockColumn{Column: column, State: func(text string) (int, bool) { return len(text) % 200, len(text) < 300 }}
	if real {
		b.Reals = make([]float64, 4096)
	} else {
		b.Bytes = make([]uint8, 4096)
	}
	for range 64 {
		if _, err := c.Block([]data.BlockColumn{b}, 4096); err != nil {
			if err == io.EOF {
				err = nil
			}
			return err
		}
	}
	return nil
}

// guarded calls readAll, and fails if that panics, hangs or takes too much memory.
func guarded(t *testing.T, name string, b []byte) error {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	failed := make(chan error, 1)
	go func() {
		_, err := readAll(b)
		failed <- err
	}()
	select {
	case err := <-failed:
		runtime.ReadMemStats(&after)
		// each of some 50 cursors may take the limit, one after the other
		if taken := after.HeapSys - min(before.HeapSys, after.HeapSys); taken > 16*limit {
			t.Errorf("%s: %d bytes of memory", name, taken)
		}
		for _, e := range strings.Split(fmt.Sprint(err), "\n") {
			if err != nil && !strings.HasPrefix(e, "rows.parquet: ") {
				t.Errorf("%s: the error %q does not name the file", name, e)
			}
			if strings.Contains(e, "runtime error") {
				t.Errorf("%s: %s: only recover has found it", name, e)
			}
		}
		return err
	case <-time.After(time.Minute):
		t.Fatalf("%s: hangs", name)
	}
	return nil
}

// damage returns a damaged copy of a file: bits flipped, a part cut off, or a part of other bytes.
func damage(rng *rand.Rand, whole []byte) []byte {
	b := bytes.Clone(whole)
	at := rng.IntN(len(b))
	if rng.IntN(3) == 0 { // in the footer, which is a small part
		at = len(b) - 1 - rng.IntN(min(len(b), 3000))
	}
	switch rng.IntN(6) {
	case 0:
		return b[:at]
	case 1:
		return append(b[:at], b[min(len(b), at+1+rng.IntN(100)):]...)
	case 2:
		for i := range min(8, len(b)-at) {
			b[at+i] = byte(rng.Uint32())
		}
	default:
		b[at] ^= 1 << rng.IntN(8)
	}
	return b
}

// TestDamage reads damaged files, of all codecs and kinds of pages, with and without checksums.
func TestDamage(t *testing.T) {
	defer parquet.Unchecked(false)
	rng := rand.New(rand.NewPCG(3, 3))
	ours, _ := written(t, 6000, 2)
	files := [][]byte{ours}
	for i, codec := range codecs {
		opt := []peer.WriterOption{peer.Compression(codec), peer.DataPageVersion(1 + i%2), peer.PageBufferSize(3000)}
		if i%3 == 0 {
			opt = append(opt, &peer.WriterConfig{DictionaryMaxBytes: 600})
		}
		files = append(files, file(t, rows(1000, uint64(i)), opt...))
	}
	found := map[bool]int{}
	const n = 200
	for i := range n {
		b := damage(rng, files[i%len(files)])
		for _, ignore := range []bool{false, true} {
			parquet.Unchecked(ignore)
			if guarded(t, fmt.Sprintf("file %d, checksums ignored: %v", i, ignore), b) != nil {
				found[ignore]++
			}
		}
	}
	t.Logf("of %d damaged files, %d are found, and %d without checksums", n, found[false], found[true])
	if found[false] < n/2 || found[true] >= found[false] {
		t.Errorf("of %d damaged files, %d are found, and %d without checksums; want most, and fewer", n, found[false], found[true])
	}
}

// TestChecksum flips bits of pages, each of which a checksum shows.
func TestChecksum(t *testing.T) {
	b, _ := written(t, 20000, 4)
	for at := 200; at < len(b)/2; at += 977 { // the pages of texts, which are before others
		b[at] ^= 4
		if _, err := cells(b, rowfile.ReadOptions{}); err == nil {
			t.Errorf("byte %d: no error", at)
		}
		b[at] ^= 4
	}
}

// FuzzRead reads any bytes.
func FuzzRead(f *testing.F) {
	ours, _ := written(f, 30, 2)
	f.Add(ours)
	for i, codec := range codecs {
		f.Add(file(f, rows(20, uint64(i)), peer.Compression(codec), peer.DataPageVersion(1+i%2)))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		parquet.Unchecked(true)
		begin := time.Now()
		defer func() {
			if took := time.Since(begin); took > 20*time.Second {
				t.Errorf("it took %v", took)
			}
		}()
		if _, err := readAll(b); err != nil && strings.Contains(err.Error(), "runtime error") {
			t.Error(err) // recovered, but a check should have found it
		}
	})
}
