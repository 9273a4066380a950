package pgmrt

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestEachRow(t *testing.T) {
	if err := EachRow(&light, 3, func(int) error { return nil }); err != nil {
		t.Errorf("no row fails: %v", err)
	}
	err := EachRow(&light, 14, func(row int) error {
		if row == 1 {
			return nil
		}
		return light.BadState(0, uint(row)+10)
	})
	lines := strings.Split(text(err), "\n")
	first := `light: row 0: light: variable "light" has no state 10 (states: [red green a "b"])`
	if len(lines) != 11 || lines[0] != first || lines[10] != "light: and 3 more rows" || !errors.Is(err, ErrState) {
		t.Errorf("found %q", lines)
	}
}

// recorder records the calls of functions for rows.
type recorder struct{ calls []string }

func (r *recorder) one(row int) { r.calls = append(r.calls, fmt.Sprint(row)) }

func (r *recorder) want(t *testing.T, calls ...string) {
	t.Helper()
	if !slices.Equal(r.calls, calls) {
		t.Errorf("calls %q; want %q", r.calls, calls)
	}
	r.calls = nil
}

func TestEachGroup(t *testing.T) {
	var r recorder
	group := func(at, end int) { r.calls = append(r.calls, fmt.Sprintf("%d-%d", at, end)) }
	EachGroup(8, 3, func(at, end int) bool { return end-at < 3 }, r.one, group)
	r.want(t, "0-3", "3-6", "6", "7")
	EachGroup(7, 3, nil, nil, group)
	r.want(t, "0-3", "3-6", "6-7")
}

func TestGatherRows(t *testing.T) {
	var r recorder
	list := make([]int, 3)
	group := func(n int) { r.calls = append(r.calls, fmt.Sprint(list[:n])) }
	enter := func(row, place int) bool { return row != 2 }
	GatherRows(list, 6, 2, enter, r.one, group)
	r.want(t, "2", "[0 1 3]", "[4 5]")
	GatherRows(list, 5, 2, enter, r.one, group)
	r.want(t, "2", "[0 1 3]", "4")
	GatherRows(list, 0, 1, enter, r.one, group)
	r.want(t)
}

func TestCheckRows(t *testing.T) {
	for _, c := range []struct {
		out, soft []int
		want      string
	}{
		{make([]int, 2), nil, ""},
		{make([]int, 2), make([]int, 2), ""},
		{nil, nil, "light: out has 0 rows; want 2"},
		{make([]int, 2), make([]int, 3), "light: soft has 3 rows; want 2"},
	} {
		if err := CheckRows(&light, 2, c.out, c.soft); text(err) != c.want {
			t.Errorf("CheckRows(%v, %v): %v; want %q", c.out, c.soft, err, c.want)
		}
	}
}
