package student_test

import (
	"fmt"
	"log"
	"math"

	"github.com/pgmc-go/pgmc/generated/student"
)

// The expected numbers are printed in Koller and Friedman, Probabilistic Graphical Models, section 3.2.1, where no other
// source is named.

// A bad grade makes a student look less able, and a good test score puts some of the blame on the course.
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
