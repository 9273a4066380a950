package rowfile_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/parquet"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
)

// TestShare reads a file, a compressed one, a Parquet file and a folder, of which the share that is
// read grows from 0 to 1.
func TestShare(t *testing.T) {
	dir := t.TempDir()
	text := "a,b\n" + strings.Repeat("yes,no\n", 100_000)
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	var columns bytes.Buffer
	sink, err := parquet.NewWriter(&columns, []data.Output{{Name: "a"}, {Name: "b"}})
	if err != nil {
		t.Fatal(err)
	}
	for range 100_000 {
		sink.Text("yes")
		sink.Text("no")
		if err := sink.End(); err != nil {
			t.Fatal(err)
		}
	}
	if err := sink.Flush(); err != nil {
		t.Fatal(err)
	}
	for name, b := range map[string][]byte{"a.csv": []byte(text), "a.csv.gz": packed.Bytes(), "a.parquet": columns.Bytes(), "parts/1.csv": []byte(text), "parts/2.csv": []byte(text)} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"a.csv", "a.csv.gz", "a.parquet", "parts"} {
		r, err := parquet.OpenReader(rowfile.ReadOptions{}, filepath.Join(dir, name), 0)
		if err != nil {
			t.Fatal(err)
		}
		share, rows := 0.0, 0
		for {
			now, known := r.Share()
			if !known || now < share || rows == 1000 && name != "a.csv.gz" && now > .8 {
				t.Errorf("%s: %v of the file is read after %d rows, known %t; it was %v", name, now, rows, known, share)
			}
			share = now
			if _, err := r.Next(); err == io.EOF {
				break
			} else if err != nil {
				t.Fatal(err)
			}
			rows++
		}
		if share != 1 {
			t.Errorf("%s: %v of the file is read after all %d rows; want 1", name, share, rows)
		}
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
	}
	r, err := rowfile.NewReader("x.csv", strings.NewReader(text), rowfile.CSV)
	if err != nil {
		t.Fatal(err)
	}
	if share, known := r.Share(); known {
		t.Errorf("%v of a stream is read; want an unknown share", share)
	}
}
