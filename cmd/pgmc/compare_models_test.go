package main

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
)

// coinP, coinQ and coinR are models of two independent variables. coinQ lists the variables and
// their states in another order.
const (
	coinP = `network p {}
variable a { type discrete [ 2 ] { no, yes }; }
variable b { type discrete [ 2 ] { no, yes }; }
probability ( a ) { table 0.25, 0.75; }
probability ( b ) { table 0.5, 0.5; }
`
	coinQ = `network q {}
variable b { type discrete [ 2 ] { yes, no }; }
variable a { type discrete [ 2 ] { yes, no }; }
probability ( a ) { table 0.5, 0.5; }
probability ( b ) { table 0.9, 0.1; }
`
	coinR = `network r {}
variable a { type discrete [ 2 ] { no, yes }; }
variable b { type discrete [ 2 ] { no, yes }; }
probability ( a ) { table 0, 1; }
probability ( b ) { table 0.5, 0.5; }
`
)

// TestCompareModels compares sampled divergences with those computed by hand, which are the sums of
// the divergences of the two coins.
func TestCompareModels(t *testing.T) {
	dir := t.TempDir()
	path := func(name, text string) string {
		p := filepath.Join(dir, name+".bif")
		if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return p
	}
	p, q, r := path("p", coinP), path("q", coinQ), path("r", coinR)
	kl := func(a, b float64) float64 { return a*math.Log(a/b) + (1-a)*math.Log((1-a)/(1-b)) }
	code, stdout, stderr := pgmc("", "compare", p, q, "--json", "--samples", "20000")
	if code != cli.ExitDone {
		t.Fatal(stderr)
	}
	var got struct {
		KL [2]*struct{ Mean, StdErr float64 }
	}
	if err := json.Unmarshal([]byte(stdout), &got); err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{kl(.75, .5) + kl(.5, .9), kl(.5, .75) + kl(.9, .5)} {
		if x := got.KL[i]; x == nil || math.Abs(x.Mean-want) > 4*x.StdErr || x.StdErr > .02 || x.StdErr == 0 {
			t.Errorf("divergence %d is %+v; want %v", i, x, want)
		}
	}
	code, stdout, stderr = pgmc("", "compare", p, r)
	if code != cli.ExitDone || !strings.Contains(stdout, "infinite: "+r+" gives a row that "+p+" drew probability 0\n") || !strings.Contains(stdout, "standard error") {
		t.Errorf("exit %d: %s%s", code, stdout, stderr)
	}
	for other, want := range map[string]string{
		path("c", strings.ReplaceAll(coinP, " a ", " c ")):  `has no variable "c", which`,
		path("s", strings.ReplaceAll(coinP, "no,", "nay,")): `the states of "a" are ["no" "yes"], and in`,
	} {
		if code, _, stderr := pgmc("", "compare", p, other); code != cli.ExitInput || !strings.Contains(stderr, want) {
			t.Errorf("exit %d: %s; want %s", code, stderr, want)
		}
	}
}
