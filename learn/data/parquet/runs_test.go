package parquet

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"
)

// TestBytes compares bytes with read, in runs of both kinds, in parts that end anywhere.
func TestBytes(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for width := uint(1); width <= 8; width++ {
		var text []byte
		total := 0
		for range 200 {
			n := 1 + rng.IntN(20)
			if rng.IntN(2) == 0 { // equal numbers
				text = binary.AppendUvarint(text, uint64(n)<<1)
				text = append(text, uint8(rng.IntN(1<<width)))
				total += n
				continue
			}
			text = binary.AppendUvarint(text, uint64(n)<<1|1)
			for range n * int(width) {
				text = append(text, uint8(rng.Uint32()))
			}
			total += 8 * n
		}
		var list [256]uint8
		for i := range list {
			list[i] = uint8(rng.IntN(marked))
		}
		list[1] = marked
		table := newByteTable(width, &list)
		quick, slow := runs{b: text, width: width}, runs{b: text, width: width}
		marks := 0
		for total > 0 {
			n := min(total, 1+rng.IntN(40))
			total -= n
			numbers, got := make([]uint32, n), make([]uint8, n)
			if err := slow.read(numbers); err != nil {
				t.Fatal(err)
			}
			want := true
			for _, k := range numbers {
				want = want && k != 1
			}
			ok, err := quick.bytes(got, table)
			if ok != want || err != nil {
				t.Fatalf("width %d: bytes of %d is %v, %v; want %v", width, numbers, ok, err, want)
			}
			if !ok {
				marks++
				quick = slow
				continue
			}
			for i, k := range numbers {
				if got[i] != list[k] {
					t.Fatalf("width %d: byte %d of number %d; want %d", width, got[i], k, list[k])
				}
			}
		}
		if marks == 0 {
			t.Errorf("width %d: no marked bytes", width)
		}
		if err := slow.read(make([]uint32, 1)); err == nil {
			t.Errorf("width %d: read goes on after the end", width)
		}
		if _, err := quick.bytes(make([]uint8, 1), table); err == nil {
			t.Errorf("width %d: bytes goes on after the end", width)
		}
	}
}
