package misconception_test

import (
	"fmt"
	"log"
	"math"

	"github.com/pgmc-go/pgmc/generated/misconception"
)

// The expected numbers follow from the rows of Koller and Friedman, Probabilistic Graphical Models,
// figure 4.2, and their sum 7,201,840.

// Bob is likely to believe what the lecturer misspoke, with probability 5,301,610 / 7,201,840,
// unless Charles does not: 101,010 / 1,701,110.
func Example() {
	e := misconception.New()
	for _, ev := range []misconception.Evidence{{}, {Charles: misconception.CharlesNo}} {
		d, err := e.Bob(&ev, nil)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%.4f\n", d.P(misconception.BobYes))
	}
	// Output:
	// 0.7361
	// 0.0594
}

// The partition function is the sum of the product of all potentials.
func ExampleEngine_LogPartition() {
	logz, err := misconception.New().LogPartition(nil, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.2f\n", math.Exp(logz))
	// Output:
	// 7201840.00
}

// The largest row has 5,000,000 of 7,201,840.
func ExampleEngine_MPE() {
	var a misconception.Assignment
	logp, err := misconception.New().MPE(nil, nil, &a)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("Alice", a.Alice, "Bob", a.Bob, "Charles", a.Charles, "Debbie", a.Debbie)
	fmt.Printf("%.4f\n", math.Exp(logp))
	// Output:
	// Alice no Bob yes Charles yes Debbie no
	// 0.6943
}

// LogProb is normalised, as for a Bayesian network.
func ExampleEngine_LogProb() {
	logp, err := misconception.New().LogProb(&misconception.Evidence{Charles: misconception.CharlesNo}, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.4f\n", math.Exp(logp))
	// Output:
	// 0.2362
}
