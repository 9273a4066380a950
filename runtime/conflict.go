package pgmrt

import "errors"

// Conflict returns a part of evidence on some variables, if it is impossible, that is impossible
// only with each of its findings. It returns no findings if the evidence is possible. Value returns
// the finding of a variable, which is empty if there is none, set replaces it, and query fails with
// ErrImpossible if evidence is impossible. Other errors of query end the search.
func Conflict[E any](variables int, given *E, value func(ev *E, variable int) string, set func(ev *E, variable int, value string) error, query func(ev *E) error) (E, error) {
	var none E
	if given == nil {
		return none, nil
	}
	ev := *given
	if err := query(&ev); !errors.Is(err, ErrImpossible) {
		return none, err
	}
	for i := range variables {
		if value(&ev, i) == "" {
			continue
		}
		less := ev
		if err := set(&less, i, ""); err != nil {
			return none, err
		}
		switch err := query(&less); {
		case errors.Is(err, ErrImpossible):
			ev = less
		case err != nil:
			return none, err
		}
	}
	return ev, nil
}
