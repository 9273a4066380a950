package sprinkler_test

import (
	"fmt"
	"log"
	"math"

	"github.com/pgmc-go/pgmc/generated/sprinkler"
)

// The expected numbers were found by enumeration of the 16 assignments; that of Example is printed in Russell and Norvig,
// Artificial Intelligence: A Modern Approach, in the section on approximate inference.

// That the sprinkler runs speaks for a clear sky, and so against rain.
func Example() {
	d, err := sprinkler.New().Rain(&sprinkler.Evidence{Sprinkler: sprinkler.SprinklerTrue}, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.4f\n", d)
	// Output:
	// [0.3000 0.7000]
}

func ExampleEngine_Marginals() {
	var m sprinkler.Marginals
	if err := sprinkler.New().Marginals(&sprinkler.Evidence{WetGrass: sprinkler.WetGrassTrue}, nil, &m); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("cloudy %.4f, sprinkler %.4f, rain %.4f\n", m.Cloudy, m.Sprinkler, m.Rain)
	fmt.Printf("P = %.4f\n", math.Exp(m.LogP))
	// Output:
	// cloudy [0.5758 0.4242], sprinkler [0.4298 0.5702], rain [0.7079 0.2921]
	// P = 0.6471
}

func ExampleEngine_MPE() {
	var a sprinkler.Assignment
	logp, err := sprinkler.New().MPE(&sprinkler.Evidence{Sprinkler: sprinkler.SprinklerTrue}, nil, &a)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("cloudy", a.Cloudy, "rain", a.Rain, "wet grass", a.WetGrass)
	fmt.Printf("%.2f\n", math.Exp(logp))
	// Output:
	// cloudy false rain false wet grass true
	// 0.18
}

// Where the sky is always cloudy it rains with probability 0.8, by the table of rain.
func ExampleNewWith() {
	params := sprinkler.DefaultParams()
	params.CPDOfCloudy = [2]float64{1, 0}
	e, err := sprinkler.NewWith(&params)
	if err != nil {
		log.Fatal(err)
	}
	d, err := e.Rain(nil, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.4f\n", d.P(sprinkler.RainTrue))
	// Output:
	// 0.8000
}
