package codegen

import (
	"bytes"
	"compress/flate"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// TestPack unpacks what encode packed, and compares data files.
func TestPack(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	m := memories{data: []float64{0, math.Pi, math.Inf(1)}, code: []int32{math.MinInt32, math.MaxInt32, -1}}
	for len(m.code) < plainBytes {
		m.code = append(m.code, int32(r.Uint32())>>r.IntN(32), m.code[len(m.code)-3]+int32(r.IntN(5)))
	}
	file, size, err := m.encode()
	if err != nil || !m.packed() {
		t.Fatal(err, m.packed())
	}
	data, code := make([]float64, len(m.data)), make([]int32, len(m.code))
	pgmrt.Unpack(string(file), size, data, code)
	if !slices.Equal(data, m.data) || !slices.Equal(code, m.code) {
		t.Error("the data changed")
	}
	var other bytes.Buffer
	w, err := flate.NewWriter(&other, flate.HuffmanOnly)
	if err != nil {
		t.Fatal(err)
	}
	raw := packWords(nil, m.code)
	w.Write(raw)
	w.Close()
	m.data = nil
	if file, _, err = m.encode(); err != nil || !sameData(file, other.Bytes()) {
		t.Error(err, "other compression of the same data is other data")
	}
	if m.code[7]++; err == nil {
		changed, _, _ := m.encode()
		if sameData(file, changed) || sameData(file, nil) {
			t.Error("other data are the same")
		}
	}
}
