package asia_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"math"
	"sync"

	"github.com/pgmc-go/pgmc/generated/asia"
)

// The expected numbers follow from the tables of Lauritzen and Spiegelhalter (JRSS B 50, 1988), and
// were found by enumeration of the 256 assignments.

// A patient who has been to Asia is short of breath.
func Example() {
	e := asia.New()
	ev := asia.Evidence{Asia: asia.AsiaYes, Dysp: asia.DyspYes}
	var m asia.Marginals
	if err := e.Marginals(&ev, nil, &m); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("tuberculosis %.4f\n", m.Tub.P(asia.TubYes))
	fmt.Printf("lung cancer  %.4f\n", m.Lung.P(asia.LungYes))
	fmt.Printf("bronchitis   %.4f\n", m.Bronc.P(asia.BroncYes))
	fmt.Printf("evidence     %.4f\n", math.Exp(m.LogP))
	// Output:
	// tuberculosis 0.0878
	// lung cancer  0.0995
	// bronchitis   0.8114
	// evidence     0.0045
}

// Without evidence the posteriors are the priors.
func ExampleEngine_Marginals() {
	var m asia.Marginals
	if err := asia.New().Marginals(nil, nil, &m); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("tub %.4f, lung %.4f, bronc %.4f\n", m.Tub, m.Lung, m.Bronc)
	fmt.Printf("either %.4f, xray %.4f, dysp %.4f\n", m.Either, m.Xray, m.Dysp)
	// Output:
	// tub [0.0104 0.9896], lung [0.0550 0.9450], bronc [0.4500 0.5500]
	// either [0.0648 0.9352], xray [0.1103 0.8897], dysp [0.4360 0.5640]
}

func ExampleEngine_Lung() {
	e := asia.New()
	ev := asia.Evidence{Smoke: asia.SmokeYes, Dysp: asia.DyspYes}
	d, err := e.Lung(&ev, nil)
	if err != nil {
		log.Fatal(err)
	}
	for state, p := range d.All() {
		fmt.Printf("%v %.4f\n", state, p)
	}
	// Output:
	// yes 0.1483
	// no 0.8517
}

// The zero fields of an Evidence are not observed, and a nil one observes nothing. Max returns the
// most likely state.
func ExampleLungDist_Max() {
	d, err := asia.New().Lung(&asia.Evidence{Smoke: asia.SmokeYes, Xray: asia.XrayYes, Dysp: asia.DyspYes}, nil)
	if err != nil {
		log.Fatal(err)
	}
	state, p := d.Max()
	fmt.Printf("%v with %.4f\n", state, p)
	// Output:
	// yes with 0.7237
}

func ExampleEngine_LogProb() {
	logp, err := asia.New().LogProb(&asia.Evidence{Dysp: asia.DyspYes}, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("ln P = %.6f, P = %.4f\n", logp, math.Exp(logp))
	// Output:
	// ln P = -0.830180, P = 0.4360
}

// The most probable completion if the X-ray shows something: cancer of a smoker with bronchitis.
func ExampleEngine_MPE() {
	var a asia.Assignment
	logp, err := asia.New().MPE(&asia.Evidence{Xray: asia.XrayYes}, nil, &a)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("asia", a.Asia, "tub", a.Tub, "smoke", a.Smoke, "lung", a.Lung)
	fmt.Println("bronc", a.Bronc, "either", a.Either, "xray", a.Xray, "dysp", a.Dysp)
	fmt.Printf("P = %.8f\n", math.Exp(logp))
	// Output:
	// asia no tub no smoke yes lung yes
	// bronc yes either yes xray yes dysp yes
	// P = 0.02593345
}

// A sample agrees with the evidence, here also by logic: with tuberculosis "either" must be yes.
func ExampleEngine_Sample() {
	var a asia.Assignment
	err := asia.New().Sample(&asia.Evidence{Tub: asia.TubYes}, nil, asia.NewRand(1), &a)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("tub", a.Tub, "either", a.Either)
	// Output:
	// tub yes either yes
}

// The share of lung cancer among samples is near the posterior, 0.4887. The seed determines the
// numbers.
func ExampleEngine_Samples() {
	seq, err := asia.New().Samples(&asia.Evidence{Xray: asia.XrayYes}, nil, asia.NewRand(1))
	if err != nil {
		log.Fatal(err)
	}
	n, cancer := 0, 0
	for a := range seq {
		if a.Lung == asia.LungYes {
			cancer++
		}
		if n++; n == 100000 {
			break
		}
	}
	fmt.Println(math.Abs(float64(cancer)/float64(n)-0.4887) < 0.005)
	// Output:
	// true
}

// A signature was declared when the package was compiled. Its observations are arguments.
func ExampleEngine_LungGivenSmokeXray() {
	e := asia.New()
	for _, xray := range asia.XrayValues() {
		d, err := e.LungGivenSmokeXray(asia.SmokeYes, xray)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("X-ray %v: %.4f\n", xray, d.P(asia.LungYes))
	}
	// Output:
	// X-ray yes: 0.6460
	// X-ray no: 0.0024
}

func ExampleEngine_Batch() {
	evs := []asia.Evidence{{}, {Asia: asia.AsiaYes}, {Tub: asia.TubYes, Either: asia.EitherNo}}
	out := make([]asia.Marginals, len(evs))
	err := asia.New().Batch(evs, nil, out)
	fmt.Println("impossible:", errors.Is(err, asia.ErrImpossible))
	for i := range out {
		fmt.Printf("%.4f\n", out[i].Tub)
	}
	// Output:
	// impossible: true
	// [0.0104 0.9896]
	// [0.0500 0.9500]
	// [0.0000 0.0000]
}

func ExampleEngine_LogProbs() {
	evs := []asia.Evidence{{Asia: asia.AsiaYes}, {Xray: asia.XrayYes}, {Xray: asia.XrayYes, Dysp: asia.DyspYes}}
	out := make([]float64, len(evs))
	if err := asia.New().LogProbs(evs, out); err != nil {
		log.Fatal(err)
	}
	for _, logp := range out {
		fmt.Printf("%.6f\n", math.Exp(logp))
	}
	// Output:
	// 0.010000
	// 0.110290
	// 0.070670
}

// Rows come as columns of numbers, as data files and engines hold them. A dictionary turns the names
// of a column into numbers once.
func ExampleEngine_LogProbColumns() {
	c := asia.Columns{
		Rows:  3,
		Smoke: []uint8{1, 2, 0}, // yes, no, not observed
		Xray:  []uint8{1, 1, 2},
	}
	e, out := asia.New(), make([]float64, c.Rows)
	if err := e.LogProbColumns(&c, out); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.4f\n", out)
	dictionary := make([]uint8, 3)
	err := asia.Dictionary(2, []string{"no", "yes", "maybe"}, dictionary)
	fmt.Println(dictionary[:2], err)
	// Output:
	// [-2.5790 -3.3686 -0.1169]
	// [2 1] asia: variable "smoke" has no state "maybe" (states: [yes no])
}

// A nil column of the answer is not wanted. Rows that observe the Markov blanket of a variable are
// looked up in a table.
func ExampleEngine_BatchColumns() {
	c := asia.Columns{Rows: 2, Smoke: []uint8{1, 2}, Either: []uint8{1, 1}, Tub: []uint8{2, 2}}
	out := asia.MarginalColumns{Dysp: [2][]float64{make([]float64, 2)}}
	lung := [2][]float64{make([]float64, 2)}
	e := asia.New()
	if err := errors.Join(e.BatchColumns(&c, &out), e.LungColumns(&c, &lung)); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("P(dysp=yes) %.4f, P(lung=yes) %.4f\n", out.Dysp[0], lung[0])
	// Output:
	// P(dysp=yes) [0.8200 0.7600], P(lung=yes) [1.0000 1.0000]
}

// Every goroutine borrows an engine of its own.
func ExamplePool() {
	var pool asia.Pool
	var done sync.WaitGroup
	var answers [2]asia.LungDist
	for i, smoke := range asia.SmokeValues() {
		done.Go(func() {
			e := pool.Get()
			defer pool.Put(e)
			answers[i], _ = e.Lung(&asia.Evidence{Smoke: smoke}, nil)
		})
	}
	done.Wait()
	fmt.Printf("%.2f\n", answers)
	// Output:
	// [[0.10 0.90] [0.01 0.99]]
}

// A radiologist finds the X-ray three times as likely if there is something to be seen. That is
// soft evidence and not an observation.
func ExampleSoft() {
	soft := asia.Soft{Xray: asia.XrayDist{3, 1}}
	d, err := asia.New().Lung(&asia.Evidence{Dysp: asia.DyspYes}, &soft)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.4f\n", d.P(asia.LungYes))
	// Output:
	// 0.2297
}

// In JSON, evidence has the names of the model. What was not observed is left out.
func ExampleEvidence_json() {
	text, err := json.Marshal(asia.Evidence{Smoke: asia.SmokeYes, Dysp: asia.DyspNo})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(text))
	var ev asia.Evidence
	if err := json.Unmarshal([]byte(`{"asia": "yes", "xray": ""}`), &ev); err != nil {
		log.Fatal(err)
	}
	fmt.Println(ev.Asia, ev.Xray, ev == asia.Evidence{Asia: asia.AsiaYes})
	err = json.Unmarshal([]byte(`{"asia": "maybe"}`), &ev)
	fmt.Println(errors.Is(err, asia.ErrState))
	// Output:
	// {"smoke":"yes","dysp":"no"}
	// yes unset true
	// true
}

// Three errors say what was wrong.
func Example_errors() {
	e := asia.New()
	_, err := e.LogProb(&asia.Evidence{Lung: asia.LungYes, Either: asia.EitherNo}, nil)
	fmt.Println(errors.Is(err, asia.ErrImpossible))
	_, err = e.LogProb(&asia.Evidence{Smoke: 7}, nil)
	fmt.Println(errors.Is(err, asia.ErrState), err)
	_, err = e.LogProb(nil, &asia.Soft{Smoke: asia.SmokeDist{-1, 1}})
	fmt.Println(errors.Is(err, asia.ErrLikelihood))
	// Output:
	// true
	// true asia: variable "smoke" has no state 7 (states: [yes no])
	// true
}
