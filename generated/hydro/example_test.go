package hydro_test

import (
	"errors"
	"fmt"
	"log"
	"math"

	"github.com/pgmc-go/pgmc/generated/hydro"
)

// The expected numbers follow by hand from a few rows of the model.

// A hot reading makes the protection stop the unit, by logic. That the bearing is worn becomes only
// more likely.
func Example() {
	var m hydro.Marginals
	if err := hydro.New().Marginals(&hydro.Evidence{TempReading: hydro.TempReadingHot}, nil, &m); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("temperature trip %.2f, unit trip %.2f\n", m.TempTrip.P(hydro.TempTripYes), m.UnitTrip.P(hydro.UnitTripYes))
	fmt.Println("worn more likely than before:", m.BearingWear.P(hydro.BearingWearBad) > 0.05)
	// Output:
	// temperature trip 1.00, unit trip 1.00
	// worn more likely than before: true
}

// All seasons are equally likely, so that given heavy snowmelt their probabilities are in
// proportion to 0.01, 0.3, 0.02 and 0.
func ExampleEngine_Season() {
	d, err := hydro.New().Season(&hydro.Evidence{Snowmelt: hydro.SnowmeltHeavy}, nil)
	if err != nil {
		log.Fatal(err)
	}
	for season, p := range d.All() {
		fmt.Printf("%v %.4f\n", season, p)
	}
	// Output:
	// winter 0.0303
	// spring 0.9091
	// summer 0.0606
	// autumn 0.0000
}

// The probability of heavy snowmelt is a quarter of 0.01 + 0.3 + 0.02. In autumn there is none.
func ExampleEngine_LogProb() {
	e := hydro.New()
	logp, err := e.LogProb(&hydro.Evidence{Snowmelt: hydro.SnowmeltHeavy}, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.4f\n", math.Exp(logp))
	_, err = e.LogProb(&hydro.Evidence{Snowmelt: hydro.SnowmeltHeavy, Season: hydro.SeasonAutumn}, nil)
	fmt.Println(errors.Is(err, hydro.ErrImpossible))
	// Output:
	// 0.0825
	// true
}

// A most probable completion obeys the logic of the protection.
func ExampleEngine_MPE() {
	var a hydro.Assignment
	if _, err := hydro.New().MPE(&hydro.Evidence{TempReading: hydro.TempReadingHot}, nil, &a); err != nil {
		log.Fatal(err)
	}
	fmt.Println("temperature trip", a.TempTrip, "unit trip", a.UnitTrip)
	// Output:
	// temperature trip yes unit trip yes
}
