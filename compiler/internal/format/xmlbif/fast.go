package xmlbif

import (
	"strconv"
	"strings"

	"github.com/pgmc-go/pgmc/compiler/internal/format/internal/text"
	"github.com/pgmc-go/pgmc/ir/model"
)

// fastStates returns the states of a variable as aGrUM writes it in one word:
//
//	A[3]            0, 1 and 2
//	A[2,5]          2 to 5
//	A[1,1.5,2]      the intervals between the bounds
//	A{yes|no}       these
//
// A variable has intervals if there are three numbers or more in brackets; they get pgmc's names. A
// bare "A" has the states 0 and 1. It reports false for anything else, and for more than most
// states.
func fastStates(s string, most int) (states []string, ok bool) {
	s = strings.TrimSpace(s)
	i := strings.IndexAny(s, "[{")
	if i < 0 {
		return []string{"0", "1"}, s != ""
	}
	list := s[i+1:]
	if labels, is := strings.CutSuffix(list, "}"); is && s[i] == '{' {
		states = strings.Split(labels, "|")
		return states, len(states) <= most
	}
	list, ok = strings.CutSuffix(list, "]")
	if !ok || s[i] == '{' {
		return nil, false
	}
	var xs []float64
	for word := range strings.SplitSeq(list, ",") {
		x, err := text.Number(strings.TrimSpace(word))
		if err != nil || len(xs) > 0 && x <= xs[len(xs)-1] {
			return nil, false
		}
		xs = append(xs, x)
	}
	from, to := 0.0, xs[0]-1
	switch len(xs) {
	case 1:
	case 2:
		from, to = xs[0], xs[1]
	default:
		return model.IntervalNames(xs[1 : len(xs)-1]), len(xs) <= most
	}
	if from != float64(int(from)) || to != float64(int(to)) || to < from || to-from >= float64(most) {
		return nil, false
	}
	for x := int(from); x <= int(to); x++ {
		states = append(states, strconv.Itoa(x))
	}
	return states, true
}
