package asia_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"math"
	"testing"

	"github.com/pgmc-go/pgmc/generated/asia"
)

// Given that somebody smokes, cancer and bronchitis are independent: 0.1 times 0.6, and so on.
func ExampleEngine_JointLungBronc() {
	joint, err := asia.New().JointLungBronc(&asia.Evidence{Smoke: asia.SmokeYes}, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.2f\n", joint)
	fmt.Printf("P(cancer, no bronchitis) = %.2f\n", joint.P(asia.LungYes, asia.BroncNo))
	// Output:
	// [[0.06 0.04] [0.54 0.36]]
	// P(cancer, no bronchitis) = 0.04
}

// Observed bronchitis makes smoking more likely, and so cancer, which also causes shortness of
// breath. Bronchitis that an intervention causes does not. Adjusted for smoking, the probability is
// .8 + .1·P(tub or lung) = .8 + .1·.064828.
func ExampleEngine_DyspGivenDoBronc() {
	e := asia.New()
	seen, err := e.Dysp(&asia.Evidence{Bronc: asia.BroncYes}, nil)
	if err != nil {
		log.Fatal(err)
	}
	given, err := e.DyspGivenDoBronc(asia.BroncYes)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("seen %.5f, given %.5f\n", seen.P(asia.DyspYes), given.P(asia.DyspYes))
	// Output:
	// seen 0.80797, given 0.80648
}

// With all her knowledge, the radiologist is 0.7 sure that the X-ray shows something. That is not a
// likelihood of 7 to 3, which would add to what the model expects of X-rays. It is the posterior
// that the variable must have. Cancer is then 0.7·P(lung | xray) + 0.3·P(lung | no xray).
func ExampleEngine_Jeffrey() {
	e := asia.New()
	says := asia.Soft{Xray: asia.XrayDist{0.7, 0.3}}
	var forced, weighed asia.Marginals
	report, err := e.Jeffrey(context.Background(), nil, &says, &forced)
	if err != nil {
		log.Fatal(err)
	}
	if err := e.Marginals(nil, &says, &weighed); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%v after %d iteration\n", report.Status, report.Iterations)
	fmt.Printf("X-ray %.4f, cancer %.4f\n", forced.Xray.P(asia.XrayYes), forced.Lung.P(asia.LungYes))
	fmt.Printf("as a likelihood: X-ray %.4f, cancer %.4f\n", weighed.Xray.P(asia.XrayYes), weighed.Lung.P(asia.LungYes))
	// Output:
	// converged after 1 iteration
	// X-ray 0.7000, cancer 0.3425
	// as a likelihood: X-ray 0.2244, cancer 0.1106
}

// JointLungBronc against enumeration, for all evidence on three variables.
func TestJoint(t *testing.T) {
	e, rows := asia.New(), joint()
	for i := range 27 {
		ev := states{2: uint8(i % 3), 6: uint8(i / 3 % 3), 7: uint8(i / 9)}
		var want asia.LungBroncJoint
		total := 0.0
		for k := range rows {
			w := rows[k].weight(&ev, nil)
			want[rows[k].states[3]-1][rows[k].states[4]-1] += w
			total += w
		}
		hard := ev.evidence()
		got, err := e.JointLungBronc(&hard, nil)
		if err != nil {
			t.Fatal(err)
		}
		for l := range want {
			for b := range want[l] {
				if w := want[l][b] / total; !near(got[l][b], w) || got.P(asia.Lung(l+1), asia.Bronc(b+1)) != got[l][b] {
					t.Errorf("%v: P(lung %d, bronc %d) is %v; want %v", ev, l, b, got[l][b], w)
				}
			}
		}
	}
	var table asia.LungBroncJoint
	table[0][0] = 1
	for _, p := range []float64{table.P(asia.LungUnset, asia.BroncYes), table.P(asia.LungYes, asia.BroncUnset), table.P(3, 1)} {
		if p != 0 {
			t.Errorf("the probability of what is no state is %v", p)
		}
	}
	text, err := json.Marshal(table)
	var back asia.LungBroncJoint
	if err != nil || string(text) != "[[1,0],[0,0]]" || json.Unmarshal(text, &back) != nil || back != table {
		t.Errorf("%s, %v, back %v", text, err, back)
	}
	none, err := e.JointLungBronc(&asia.Evidence{Tub: asia.TubYes, Either: asia.EitherNo}, nil)
	if !errors.Is(err, asia.ErrImpossible) || none != (asia.LungBroncJoint{}) {
		t.Errorf("impossible evidence: %v, %v", none, err)
	}
}

// Two targets that are not independent both get their distributions. Queries before and after do
// not matter.
func TestJeffrey(t *testing.T) {
	e := asia.New()
	targets := asia.Soft{Xray: asia.XrayDist{0.7, 0.3}, Dysp: asia.DyspDist{0.2, 0.8}}
	ev := asia.Evidence{Smoke: asia.SmokeYes}
	var before, m, after asia.Marginals
	if err := e.Marginals(&ev, nil, &before); err != nil {
		t.Fatal(err)
	}
	report, err := e.Jeffrey(context.Background(), &ev, &targets, &m)
	if err != nil || report.Status != asia.Converged || report.Iterations < 2 || report.Residual > 1e-12 {
		t.Fatalf("%+v, %v", report, err)
	}
	if !near(m.Xray[0], 0.7) || !near(m.Dysp[0], 0.2) || m.Smoke[0] != 1 || m.LogP != before.LogP {
		t.Errorf("%+v", m)
	}
	if err := e.Marginals(&ev, nil, &after); err != nil || !sameBits(&before, &after) {
		t.Errorf("%v: %+v after, %+v before", err, after, before)
	}
}

func TestJeffreyRefused(t *testing.T) {
	stopped, stop := context.WithCancel(context.Background())
	stop()
	for _, c := range []struct {
		name    string
		ctx     context.Context
		ev      asia.Evidence
		targets asia.Soft
		want    error
		text    string
	}{
		{"sum", nil, asia.Evidence{}, asia.Soft{Xray: asia.XrayDist{0.7, 0.4}}, asia.ErrLikelihood,
			`asia: variable "xray": likelihood has to be a distribution: numbers of at least 0 that sum to 1`},
		{"NaN", nil, asia.Evidence{}, asia.Soft{Tub: asia.TubDist{math.NaN(), 1}}, asia.ErrLikelihood,
			`asia: variable "tub": likelihood has to be a distribution: numbers of at least 0 that sum to 1`},
		{"state", nil, asia.Evidence{Tub: 3}, asia.Soft{}, asia.ErrState, `asia: variable "tub" has no state 3 (states: [yes no])`},
		{"impossible", nil, asia.Evidence{Tub: asia.TubYes, Either: asia.EitherNo}, asia.Soft{}, asia.ErrImpossible, "the evidence is impossible"},
		{"observed", nil, asia.Evidence{Tub: asia.TubYes}, asia.Soft{Tub: asia.TubDist{0.5, 0.5}}, asia.ErrInconsistent,
			`asia: variable "tub": state 2 has to have probability 0.5, and is impossible`},
		{"logic", nil, asia.Evidence{}, asia.Soft{Tub: asia.TubDist{0.5, 0.5}, Either: asia.EitherDist{0.2, 0.8}}, asia.ErrInconsistent, ""},
		{"stopped", stopped, asia.Evidence{}, asia.Soft{Xray: asia.XrayDist{0.7, 0.3}}, context.Canceled, "asia: context canceled"},
	} {
		ctx := c.ctx
		if ctx == nil {
			ctx = context.Background()
		}
		var m asia.Marginals
		report, err := asia.New().Jeffrey(ctx, &c.ev, &c.targets, &m)
		if !errors.Is(err, c.want) || c.text != "" && err.Error() != c.text || report.Status != asia.NotConverged {
			t.Errorf("%s: %+v, %v; want %s", c.name, report, err, c.text)
		}
		if want := (asia.Marginals{LogP: math.Inf(-1)}); m != want {
			t.Errorf("%s: numbers are left: %+v", c.name, m)
		}
	}
}
