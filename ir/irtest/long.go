package irtest

import (
	"fmt"
	"hash/fnv"
	"os"
	"testing"
)

// Long reports whether the test t runs at full length. PGMC_LONG chooses the tests that do: 1 means
// all of them, i/n is share i (0 to n-1) of n, by the names of the tests, and unset means none.
func Long(t testing.TB) bool {
	t.Helper()
	return long(t, t.Name())
}

// LongCase reports whether case i of the test t runs at full length. Shares choose cases by the
// name of t and i, so that each share has some cases of a test that has many.
func LongCase(t testing.TB, i int) bool {
	t.Helper()
	return long(t, fmt.Sprint(t.Name(), "/", i))
}

func long(t testing.TB, name string) bool {
	t.Helper()
	in, err := inShare(os.Getenv("PGMC_LONG"), name)
	if err != nil {
		t.Fatal(err)
	}
	return in
}

// SkipUnlessLong skips the test t unless it runs at full length, see [Long].
func SkipUnlessLong(t testing.TB) {
	t.Helper()
	if !Long(t) {
		t.Skip("a long test; PGMC_LONG=1 runs it")
	}
}

// Count returns the number of cases that the test t runs: long if it runs at full length, see
// [Long], and short otherwise.
func Count(t testing.TB, short, long int) int {
	t.Helper()
	if Long(t) {
		return long
	}
	return short
}

// Cases returns the numbers of the cases that the test t runs: the first short ones, and the cases
// from short to long-1 that run at full length, see [LongCase].
func Cases(t testing.TB, short, long int) []uint64 {
	t.Helper()
	var cases []uint64
	for i := range long {
		if i < short || LongCase(t, i) {
			cases = append(cases, uint64(i))
		}
	}
	return cases
}

// inShare reports whether the test of the given name belongs to a share of the long tests.
func inShare(share, name string) (bool, error) {
	switch share {
	case "", "0":
		return false, nil
	case "1":
		return true, nil
	}
	var i, n uint32
	if _, err := fmt.Sscanf(share, "%d/%d", &i, &n); err != nil || n == 0 || i >= n {
		return false, fmt.Errorf("PGMC_LONG is %q; want 1 for all long tests, or i/n for share i of n", share)
	}
	h := fnv.New32a()
	h.Write([]byte(name))
	return h.Sum32()%n == i, nil
}
