package store

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
	m := Memories{Data: []float64{0, math.Pi, math.Inf(1)}, Code: []int32{math.MinInt32, math.MaxInt32, -1}}
	for len(m.Code) < plainBytes {
		m.Code = append(m.Code, int32(r.Uint32())>>r.IntN(32), m.Code[len(m.Code)-3]+int32(r.IntN(5)))
	}
	file, size, err := m.encode()
	if err != nil || !m.packed() {
		t.Fatal(err, m.packed())
	}
	data, code := make([]float64, len(m.Data)), make([]int32, len(m.Code))
	pgmrt.Unpack(string(file), size, data, code)
	if !slices.Equal(data, m.Data) || !slices.Equal(code, m.Code) {
		t.Error("the data changed")
	}
	var other bytes.Buffer
	w, err := flate.NewWriter(&other, flate.HuffmanOnly)
	if err != nil {
		t.Fatal(err)
	}
	raw := packWords(nil, m.Code)
	w.Write(raw)
	w.Close()
	m.Data = nil
	if file, _, err = m.encode(); err != nil || !SameData(file, other.Bytes()) {
		t.Error(err, "other compression of the same data is other data")
	}
	if m.Code[7]++; err == nil {
		changed, _, _ := m.encode()
		if SameData(file, changed) || SameData(file, nil) {
			t.Error("other data are the same")
		}
	}
}
