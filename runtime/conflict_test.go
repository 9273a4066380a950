package pgmrt

import (
	"errors"
	"testing"
)

func TestConflict(t *testing.T) {
	if got, err := Conflict[int](1, nil, nil, nil, nil); got != 0 || err != nil {
		t.Errorf("no evidence gives %v, %v", got, err)
	}
	type evidence [4]string
	value := func(ev *evidence, i int) string { return ev[i] }
	set := func(ev *evidence, i int, text string) error {
		ev[i] = text
		return nil
	}
	failed := errors.New("failed")
	for _, c := range []struct {
		name  string
		ev    evidence
		query func(ev *evidence) error
		want  evidence
		err   error
	}{
		{"two of three", evidence{"a", "b", "", "c"}, func(ev *evidence) error {
			if ev[0] != "" && ev[3] != "" {
				return ErrImpossible
			}
			return nil
		}, evidence{"a", "", "", "c"}, nil},
		{"possible", evidence{"a"}, func(*evidence) error { return nil }, evidence{}, nil},
		{"a query fails", evidence{"a", "b"}, func(ev *evidence) error {
			if ev[0] == "" {
				return failed
			}
			return ErrImpossible
		}, evidence{}, failed},
	} {
		if got, err := Conflict(len(c.ev), &c.ev, value, set, c.query); got != c.want || !errors.Is(err, c.err) || (c.err == nil) != (err == nil) {
			t.Errorf("%s: found %q, %v; want %q, %v", c.name, got, err, c.want, c.err)
		}
	}
}
