package pgmrt_test

import (
	"bytes"
	"compress/flate"
	"slices"
	"testing"

	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// TestUnpack decodes a file that was written by hand.
func TestUnpack(t *testing.T) {
	data := []byte{0, 0, 0, 0, 0, 0, 0xf8, 0x3f} // 1.5
	data = append(data, 2, 20, 4, 1, 0x81, 0x01) // 10, 10+2, then -1, -1-65
	var file bytes.Buffer
	w, err := flate.NewWriter(&file, 1)
	if err != nil {
		t.Fatal(err)
	}
	w.Write(data)
	w.Close()
	numbers, words := make([]float64, 1), make([]int32, 4)
	pgmrt.Unpack(file.String(), len(data), numbers, words)
	if want := []int32{10, -1, 12, -66}; numbers[0] != 1.5 || !slices.Equal(words, want) {
		t.Errorf("got %v and %v; want 1.5 and %v", numbers, words, want)
	}
	defer func() {
		if recover() == nil {
			t.Error("a damaged file was decoded")
		}
	}()
	pgmrt.Unpack(file.String()[:3], len(data), numbers, words)
}
