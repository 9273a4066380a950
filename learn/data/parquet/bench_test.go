package parquet_test

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"

	peer "github.com/parquet-go/parquet-go"

	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/data/parquet"
)

// wide returns a file of n rows of 37 variables with two to four states, as alarm has.
func wide(b *testing.B, n int) []byte {
	var out bytes.Buffer
	var columns []data.Output
	for i := range 37 {
		columns = append(columns, data.Output{Name: fmt.Sprint("v", i)})
	}
	w, err := parquet.NewWriter(&out, columns)
	if err != nil {
		b.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range n {
		for i := range columns {
			w.Text([]string{"normal", "low", "high", "zero"}[rng.IntN(2+i%3)*rng.IntN(2)])
		}
		if err := w.End(); err != nil {
			b.Fatal(err)
		}
	}
	if err := w.Flush(); err != nil {
		b.Fatal(err)
	}
	return out.Bytes()
}

// BenchmarkBlock turns the cells of rows into states.
func BenchmarkBlock(b *testing.B) {
	const n = 1 << 18
	text := wide(b, n)
	f, err := parquet.NewFile("rows.parquet", bytes.NewReader(text), int64(len(text)), 0)
	if err != nil {
		b.Fatal(err)
	}
	var all []int
	var columns []data.BlockColumn
	for i := range f.Columns() {
		all = append(all, i)
		columns = append(columns, data.BlockColumn{Column: i, Bytes: make([]uint8, 8192), State: func(s string) (int, bool) { return len(s), true }})
	}
	for b.Loop() {
		for g := range f.Groups() {
			c, err := f.Open(g, all)
			if err != nil {
				b.Fatal(err)
			}
			for err == nil {
				_, err = c.Block(columns, 8192)
			}
			if err != io.EOF {
				b.Fatal(err)
			}
			c.Close()
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/row")
}

// BenchmarkLibrary decodes the numbers in dictionaries of the same cells by the other library.
func BenchmarkLibrary(b *testing.B) {
	const n = 1 << 18
	text := wide(b, n)
	f, err := peer.OpenFile(bytes.NewReader(text), int64(len(text)))
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		for _, g := range f.RowGroups() {
			for _, c := range g.ColumnChunks() {
				pages := c.Pages()
				for {
					p, err := pages.ReadPage()
					if err == io.EOF {
						break
					}
					if err != nil {
						b.Fatal(err)
					}
					values := p.Data()
					if len(values.Int32()) == 0 {
						b.Fatal("no values")
					}
					peer.Release(p)
				}
				pages.Close()
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/row")
}
