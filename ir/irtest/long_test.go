package irtest

import (
	"fmt"
	"testing"
)

func TestInShare(t *testing.T) {
	for _, c := range []struct {
		share string
		want  bool
	}{{"", false}, {"0", false}, {"1", true}, {"0/1", true}} {
		if got, err := inShare(c.share, "TestOracle/alarm"); err != nil || got != c.want {
			t.Errorf("share %q: %v, %v; want %v", c.share, got, err, c.want)
		}
	}
	for _, bad := range []string{"yes", "1/0", "3/3", "1/", "-1/4"} {
		if _, err := inShare(bad, "TestOracle"); err == nil {
			t.Errorf("share %q gives no error", bad)
		}
	}
}

// TestSharesPartition checks that each test belongs to exactly one of the shares.
func TestSharesPartition(t *testing.T) {
	const shares = 6
	size := make([]int, shares)
	for k := range 600 {
		name := fmt.Sprintf("Test%d", k)
		in := 0
		for i := range shares {
			if ok, err := inShare(fmt.Sprintf("%d/%d", i, shares), name); err != nil {
				t.Fatal(err)
			} else if ok {
				size[i]++
				in++
			}
		}
		if in != 1 {
			t.Errorf("%s is in %d shares", name, in)
		}
	}
	for i, n := range size {
		if n < 50 {
			t.Errorf("share %d has %d of 600 tests", i, n)
		}
	}
}
