package student_test

import (
	"errors"
	"fmt"
	"log"
	"math"
	"testing"

	"github.com/pgmc-go/pgmc/generated/student"
)

// All that is known of the grade is that it was not the best. By the tables of the book, P(g1) is
// .74 for the able students, with probability .3, and .2 for the others, so that P(i1 | g2 or g3) =
// .3·.26/(.3·.26 + .7·.8).
func ExampleEngine_MarginalsIn() {
	sets := student.StateSets{Grade: student.GradeSet(student.GradeG2, student.GradeG3)}
	var m student.Marginals
	if err := student.New().MarginalsIn(nil, &sets, &m); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("P(i1) = %.4f\n", m.Intelligence.P(student.IntelligenceI1))
	fmt.Printf("grade %.4f, P = %.3f\n", m.Grade, math.Exp(m.LogP))
	// Output:
	// P(i1) = 0.1223
	// grade [0.0000 0.4520 0.5480], P = 0.638
}

// A set of one state is an observation. A set of all states and an empty one are no evidence.
func TestStateSets(t *testing.T) {
	e := student.New()
	for _, c := range []struct {
		name string
		ev   student.Evidence
		sets student.StateSets
		same student.Evidence
	}{
		{"one", student.Evidence{}, student.StateSets{Grade: student.GradeSet(student.GradeG3)}, student.Evidence{Grade: student.GradeG3}},
		{"all", student.Evidence{}, student.StateSets{Grade: student.GradeSet(student.GradeValues()...)}, student.Evidence{}},
		{"none", student.Evidence{Sat: student.SatS1}, student.StateSets{Grade: student.GradeSet(student.GradeUnset)}, student.Evidence{Sat: student.SatS1}},
		{"both", student.Evidence{Grade: student.GradeG2}, student.StateSets{Grade: student.GradeSet(student.GradeG2, student.GradeG3), Sat: student.SatSet(student.SatS1)},
			student.Evidence{Grade: student.GradeG2, Sat: student.SatS1}},
	} {
		var got, want student.Marginals
		if err := e.MarginalsIn(&c.ev, &c.sets, &got); err != nil {
			t.Fatal(err)
		}
		if err := e.Marginals(&c.same, nil, &want); err != nil {
			t.Fatal(err)
		}
		if got != want {
			t.Errorf("%s: %+v; want %+v", c.name, got, want)
		}
		if logp, err := e.LogProbIn(&c.ev, &c.sets); err != nil || logp != want.LogP {
			t.Errorf("%s: ln P %v, %v; want %v", c.name, logp, err, want.LogP)
		}
		if n := testing.AllocsPerRun(20, func() { e.MarginalsIn(&c.ev, &c.sets, &got); e.LogProbIn(&c.ev, &c.sets) }); n != 0 {
			t.Errorf("%s: %v allocations", c.name, n)
		}
	}
}

func TestStateSetsRefused(t *testing.T) {
	e := student.New()
	for _, c := range []struct {
		name string
		ev   student.Evidence
		sets student.StateSets
		want error
		text string
	}{
		{"no state", student.Evidence{}, student.StateSets{Grade: student.GradeSet(student.GradeG1, 4)}, student.ErrState,
			`student: variable "grade": a set has a bit beyond the states (states: [g1 g2 g3])`},
		{"far beyond", student.Evidence{}, student.StateSets{Sat: student.SatSet(255)}, student.ErrState,
			`student: variable "sat": a set has a bit beyond the states (states: [s0 s1])`},
		{"contradiction", student.Evidence{Grade: student.GradeG1}, student.StateSets{Grade: student.GradeSet(student.GradeG2, student.GradeG3)},
			student.ErrImpossible, "the evidence is impossible"},
	} {
		m := student.Marginals{LogP: 1}
		if err := e.MarginalsIn(&c.ev, &c.sets, &m); !errors.Is(err, c.want) || err.Error() != c.text || m != (student.Marginals{LogP: math.Inf(-1)}) {
			t.Errorf("%s: %v; want %s", c.name, err, c.text)
		}
		if logp, err := e.LogProbIn(&c.ev, &c.sets); !errors.Is(err, c.want) || !math.IsInf(logp, -1) {
			t.Errorf("%s: ln P %v, %v; want %v", c.name, logp, err, c.want)
		}
	}
}
