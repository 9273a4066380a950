package sprinkler_test

import (
	"fmt"
	"log"
	"math"

	"github.com/pgmc-go/pgmc/generated/sprinkler"
)

// The expected numbers were found by enumeration of the 16 assignments. Russell and Norvig,
// Artificial Intelligence: A Modern Approach, print that of Example in the section on approximate
// inference.

// A running sprinkler makes a clear sky more likely, and rain less likely.
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

// If the sky is always cloudy, it rains with probability 0.8, by the table of rain.
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

// The derivative of P(wet) with respect to the probability of wet grass given sprinkler and rain is
// P(sprinkler, rain) = 0.5·0.1·0.8 + 0.5·0.5·0.2 = 0.09. That of its logarithm is 0.09 / 0.6471.
func ExampleEngine_Gradient() {
	var g sprinkler.Params
	if _, err := sprinkler.New().Gradient(&sprinkler.Evidence{WetGrass: sprinkler.WetGrassTrue}, nil, &g); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.4f\n", g.CPDOfWetGrass[0])
	// Output:
	// 0.1391
}

// The expected counts of the parameters of Cloudy are its posterior; see the example of Marginals.
func ExampleEngine_ExpectedCounts() {
	var n sprinkler.Params
	if _, err := sprinkler.New().ExpectedCounts(&sprinkler.Evidence{WetGrass: sprinkler.WetGrassTrue}, nil, &n); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.4f\n", n.CPDOfCloudy)
	// Output:
	// [0.5758 0.4242]
}

// The derivative of P(rain | wet grass) with respect to the prior of Cloudy is (P(rain, wet | c) -
// P(rain | wet) P(wet | c)) / P(wet), where P(wet | cloudy) = 0.7452 and P(rain, wet | cloudy) =
// 0.7272, and without clouds 0.549 and 0.189.
func ExampleEngine_Sensitivity() {
	var d sprinkler.Params
	wet, rain := &sprinkler.Evidence{WetGrass: sprinkler.WetGrassTrue}, &sprinkler.Evidence{Rain: sprinkler.RainTrue}
	p, err := sprinkler.New().Sensitivity(wet, rain, &d)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.4f, by the clouds' numbers %.4f\n", p, d.CPDOfCloudy)
	// Output:
	// 0.7079, by the clouds' numbers [0.3085 -0.3085]
}

// Findings are added and removed. The session computes again only what depends on them.
func ExampleSession() {
	s := sprinkler.New().Session()
	show := func() {
		var m sprinkler.Marginals
		if err := s.Marginals(&m); err != nil {
			log.Fatal(err)
		}
		fmt.Printf("rain %.4f, P = %.4f\n", m.Rain.P(sprinkler.RainTrue), math.Exp(m.LogP))
	}
	show()
	if err := s.Observe(&sprinkler.Evidence{WetGrass: sprinkler.WetGrassTrue}); err != nil {
		log.Fatal(err)
	}
	show()
	if err := s.Observe(&sprinkler.Evidence{Sprinkler: sprinkler.SprinklerTrue}); err != nil {
		log.Fatal(err)
	}
	show()
	s.Retract(&sprinkler.Evidence{WetGrass: sprinkler.WetGrassTrue})
	show()
	// Output:
	// rain 0.5000, P = 1.0000
	// rain 0.7079, P = 0.6471
	// rain 0.3204, P = 0.2781
	// rain 0.3000, P = 0.3000
}
