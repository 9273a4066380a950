package student_test

import (
	"context"
	"fmt"
	"log"
	"math"

	"github.com/pgmc-go/pgmc/generated/student"
)

// The expected numbers are printed in Koller and Friedman, Probabilistic Graphical Models, section
// 3.2.1, unless a comment names another source.

// A bad grade makes a student seem less able. A good test score then makes a difficult course more
// likely.
func Example() {
	e := student.New()
	for _, ev := range []student.Evidence{
		{},
		{Grade: student.GradeG3},
		{Grade: student.GradeG3, Sat: student.SatS1},
	} {
		d, err := e.Intelligence(&ev, nil)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%.3f\n", d.P(student.IntelligenceI1))
	}
	// Output:
	// 0.300
	// 0.079
	// 0.578
}

func ExampleEngine_Letter() {
	e := student.New()
	for _, ev := range []student.Evidence{
		{},
		{Intelligence: student.IntelligenceI0},
		{Intelligence: student.IntelligenceI0, Difficulty: student.DifficultyD0},
	} {
		d, err := e.Letter(&ev, nil)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%.3f\n", d.P(student.LetterL1))
	}
	// Output:
	// 0.502
	// 0.389
	// 0.513
}

// By enumeration of the 48 assignments.
func ExampleEngine_Marginals() {
	var m student.Marginals
	if err := student.New().Marginals(&student.Evidence{Letter: student.LetterL1}, nil, &m); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("grade %.4f\n", m.Grade)
	fmt.Printf("P(l1) = %.6f\n", math.Exp(m.LogP))
	// Output:
	// grade [0.6486 0.3445 0.0070]
	// P(l1) = 0.502336
}

// By enumeration of the 48 assignments: 0.4·0.7·0.7·0.95·0.99.
func ExampleEngine_MPE() {
	var a student.Assignment
	logp, err := student.New().MPE(nil, nil, &a)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(a)
	fmt.Printf("%.6f\n", math.Exp(logp))
	// Output:
	// {d1 i0 g3 s0 l0}
	// 0.184338
}

// With the worst grade, difficulty d1 and intelligence i0 have 0.4·0.7·0.7 = 0.196, and d0 and i0
// have 0.126. The best completions are these two times P(s0|i0)·P(l0|g3) = 0.95·0.99, then d1 and
// i1 with 0.024·P(s1|i1)·P(l0|g3) = 0.024·0.8·0.99.
func ExampleEngine_KMPE() {
	e := student.New()
	ev := student.Evidence{Grade: student.GradeG3}
	var best student.Assignment
	logp, err := e.MAPDifficultyIntelligence(context.Background(), &ev, nil, &best)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%v %v %v: %.3f\n", best.Difficulty, best.Intelligence, best.Sat == student.SatUnset, math.Exp(logp))
	out, logps := make([]student.Assignment, 3), make([]float64, 3)
	n, err := e.KMPE(&ev, nil, out, logps)
	if err != nil {
		log.Fatal(err)
	}
	for i := range n {
		fmt.Printf("%v %v %v %v: %.6f\n", out[i].Difficulty, out[i].Intelligence, out[i].Sat, out[i].Letter, math.Exp(logps[i]))
	}
	// Output:
	// d1 i0 true: 0.196
	// d1 i0 s0 l0: 0.184338
	// d0 i0 s0 l0: 0.118503
	// d1 i1 s1 l0: 0.019008
}
