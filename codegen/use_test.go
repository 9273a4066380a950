package codegen_test

import "strings"

// useBins tests a package with a variable whose states are intervals.
const useBins = `package bins

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
)

func TestNumbers(t *testing.T) {
	for _, c := range []struct {
		x    float64
		want Height
	}{
		{math.Inf(-1), HeightUpToMinus1p5}, {-1.5, HeightUpToMinus1p5}, {-1.4999, HeightFromMinus1p5To2eMinus07}, {2e-07, HeightFromMinus1p5To2eMinus07},
		{1, HeightFrom2eMinus07To3}, {3, HeightFrom2eMinus07To3}, {3.0001, HeightAbove3}, {math.Inf(1), HeightAbove3}, {math.NaN(), HeightUnset},
	} {
		if got := HeightOf(c.x); got != c.want {
			t.Errorf("%v is in %v; want %v", c.x, got, c.want)
		}
	}
	var ev Evidence
	if err := json.Unmarshal([]byte("{\"height\": \"2.5\"}"), &ev); err != nil || ev.Height != HeightFrom2eMinus07To3 {
		t.Error(ev, err)
	}
	if err := json.Unmarshal([]byte("{\"height\": \"3..\"}"), &ev); err != nil || ev.Height != HeightAbove3 {
		t.Error(ev, err)
	}
	ev = Evidence{}
	if err := json.Unmarshal([]byte("{\"height\": -1.4e0}"), &ev); err != nil || ev.Height != HeightFromMinus1p5To2eMinus07 {
		t.Error(ev, err)
	}
	if err := json.Unmarshal([]byte("{\"height\": null}"), &ev); err != nil || ev.Height != HeightFromMinus1p5To2eMinus07 {
		t.Error(ev, err)
	}
	for _, text := range []string{"true", "[1]", "{}", "\"tall\"", "1e999"} {
		if err := json.Unmarshal([]byte("{\"height\": "+text+"}"), &ev); err == nil {
			t.Errorf("%s is %v; want an error", text, ev.Height)
		}
	}
	schema, err := json.Marshal(OpenAPI())
	want := "\"height\":{\"anyOf\":[{\"enum\":[\"..-1.5\",\"-1.5..2e-07\",\"2e-07..3\",\"3..\"]},{\"type\":\"number\"}]}"
	if err != nil || !strings.Contains(string(schema), want) {
		t.Errorf("%s, %v; want %s", schema, err, want)
	}
	var byState map[Height]int
	if err := json.Unmarshal([]byte("{\"3..\": 7}"), &byState); err != nil || byState[HeightAbove3] != 7 {
		t.Error(byState, err)
	}
	for _, text := range []string{"NaN", "tall", "2..3"} {
		if ev.Height.UnmarshalText([]byte(text)) == nil {
			t.Errorf("%q is %v; want an error", text, ev.Height)
		}
	}
}
`

// useSmall returns a test of the package made of small. By hand: P(lung=yes) = 1/4*1/2 + 3/4*1/8 =
// 7/32, P(x-ray=abnormal) = 7/32*3/4 + 25/32*1/8 = 67/256, and P(lung=yes | abnormal) = 42/67.
func useSmall(pkg string) string {
	return strings.ReplaceAll(smallTest, "PACKAGE", pkg)
}

const smallTest = `package PACKAGE

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"sync"
	"testing"
)

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-12*max(1, math.Abs(want)) {
		t.Errorf("%s is %v; want %v", what, got, want)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestQueries(t *testing.T) {
	e := New()
	ev := Evidence{XRay: XRayAbnormal}
	lung, err := e.LungCancer(&ev, nil)
	must(t, err)
	near(t, "posterior", lung.P(LungCancerYes), 42.0/67)
	if logp, err := e.LogProb(nil, nil); err != nil || logp != 0 {
		t.Error("ln P of no evidence is", logp, err)
	}
	if s, p := lung.Max(); s != LungCancerYes || p != lung[0] {
		t.Error("Max gives", s, p)
	}
	logp, err := e.LogProb(&ev, nil)
	must(t, err)
	near(t, "log-probability", logp, math.Log(67.0/256))
	logp, err = e.LogProb(nil, &Soft{XRay: XRayDist{3, 0, 0}})
	must(t, err)
	near(t, "soft log-probability", logp, math.Log(3*67.0/256))
	logp, err = e.LogProb(nil, &Soft{XRay: XRayDist{5e-324, 5e-324, 0}})
	must(t, err)
	near(t, "log-probability of the least likelihoods", logp, -1074*math.Ln2)
	logp, err = e.LogProb(&ev, &Soft{XRay: XRayDist{0.25, 1, 1}})
	must(t, err)
	near(t, "hard and soft log-probability", logp, math.Log(67.0/1024))
	var m Marginals
	must(t, e.Marginals(&ev, nil, &m))
	near(t, "marginal", m.LungCancer.P(LungCancerYes), 42.0/67)
	var none Marginals
	if err := e.Marginals(new(Evidence), nil, &none); err != nil || none.LogP != 0 {
		t.Error("ln P of no evidence is", none.LogP, err)
	}
	near(t, "LogP", m.LogP, math.Log(67.0/256))
	var a Assignment
	logp, err = e.MPE(&ev, nil, &a)
	must(t, err)
	if want := (Assignment{SmokeYes, LungCancerYes, XRayAbnormal}); a != want {
		t.Error("MPE gives", a, "; want", want)
	}
	near(t, "MPE", logp, math.Log(0.25*0.5*0.75))
	d, err := e.XRayGivenSmokeLungCancer(SmokeNo, LungCancerNo)
	must(t, err)
	near(t, "signature", d.P(XRayNormal), 0.875)
	if _, err := e.XRayGivenSmokeLungCancer(SmokeNo, LungCancerUnset); !errors.Is(err, ErrState) {
		t.Error("an unset argument gives", err)
	}
}

func TestErrors(t *testing.T) {
	e := New()
	var m Marginals
	err := e.Marginals(&Evidence{XRay: XRayUnclear}, nil, &m)
	if !errors.Is(err, ErrImpossible) || m != (Marginals{LogP: math.Inf(-1)}) {
		t.Error("impossible evidence gives", m, err)
	}
	if logp, err := e.LogProb(&Evidence{XRay: XRayUnclear}, nil); !errors.Is(err, ErrImpossible) || !math.IsInf(logp, -1) {
		t.Error("impossible evidence gives", logp, err)
	}
	if _, err := e.Smoke(&Evidence{Smoke: 7}, nil); !errors.Is(err, ErrState) || !strings.Contains(err.Error(), "smoke") {
		t.Error("a state out of range gives", err)
	}
	for _, x := range []float64{-1, math.NaN(), math.Inf(1)} {
		if _, err := e.Smoke(nil, &Soft{Smoke: SmokeDist{1, x}}); !errors.Is(err, ErrLikelihood) || !strings.Contains(err.Error(), "smoke") {
			t.Error("a bad likelihood gives", err)
		}
	}
	out := make([]float64, 3)
	err = e.LogProbs([]Evidence{{}, {XRay: XRayUnclear}, {Smoke: 9}}, out)
	if !errors.Is(err, ErrImpossible) || !errors.Is(err, ErrState) || !strings.Contains(err.Error(), "row 1") {
		t.Error("a bad row gives", err)
	}
	if math.Abs(out[0]) > 1e-12 || !math.IsInf(out[1], -1) {
		t.Error("rows are", out)
	}
	rows := make([]Marginals, 2)
	if err := e.Batch([]Evidence{{XRay: XRayUnclear}, {}}, nil, rows); err == nil || rows[0].Smoke != (SmokeDist{}) {
		t.Error("a bad row gives", rows[0], err)
	}
	near(t, "second row", rows[1].Smoke.P(SmokeYes), 0.25)
	if e.LogProbs(make([]Evidence, 2), out) == nil || e.Batch(nil, nil, rows) == nil || e.Batch(make([]Evidence, 2), make([]Soft, 1), rows) == nil {
		t.Error("lengths that don't fit are accepted")
	}
}

func TestText(t *testing.T) {
	var ev Evidence
	err := json.Unmarshal([]byte(` + "`" + `{"smoke":"maybe"}` + "`" + `), &ev)
	if want := ` + "`" + `PACKAGE: variable "smoke" has no state "maybe" (states: [yes no])` + "`" + `; err == nil || err.Error() != want {
		t.Errorf("got %v; want %s", err, want)
	}
	must(t, json.Unmarshal([]byte(` + "`" + `{"smoke":"no","x-ray":"","lung cancer":"yes"}` + "`" + `), &ev))
	if want := (Evidence{Smoke: SmokeNo, LungCancer: LungCancerYes}); ev != want {
		t.Error("got", ev)
	}
	text, err := json.Marshal(ev)
	must(t, err)
	if string(text) != ` + "`" + `{"smoke":"no","lung cancer":"yes"}` + "`" + ` {
		t.Errorf("got %s", text)
	}
	if SmokeUnset.String() != "unset" || SmokeYes.String() != "yes" || Smoke(9).String() != "Smoke(9)" || len(SmokeValues()) != 2 {
		t.Error("names of states are wrong")
	}
	var soft Soft
	for _, bad := range []string{
		"[0,0]", "[1]", "[1,2,3]", "[1,-1]", ` + "`" + `"x"` + "`" + `, "{}", "[[1],2]", "1", ` + "`" + `{"yes":1}` + "`" + `,
		` + "`" + `{"yes":1,"no":-1}` + "`" + `, ` + "`" + `{"yes":1,"no":"1"}` + "`" + `, ` + "`" + `{"yes":1,"no":1,"maybe":1}` + "`" + `, ` + "`" + `{"yes":0,"no":0}` + "`" + `, ` + "`" + `{"yes":1,"maybe":1}` + "`" + `,
	} {
		if err := json.Unmarshal([]byte(` + "`" + `{"smoke":` + "`" + `+bad+"}"), &soft); err == nil {
			t.Error("accepted", bad)
		}
	}
	must(t, json.Unmarshal([]byte(` + "`" + `{"smoke":[0.5, 1],"x-ray":null}` + "`" + `), &soft))
	if soft != (Soft{Smoke: SmokeDist{0.5, 1}}) {
		t.Error("got", soft)
	}
	text, err = json.Marshal(soft)
	must(t, err)
	if string(text) != ` + "`" + `{"smoke":{"yes":0.5,"no":1}}` + "`" + ` {
		t.Errorf("got %s", text)
	}
	var again Soft
	must(t, json.Unmarshal(text, &again))
	if again != soft {
		t.Error("got", again)
	}
}

func TestNames(t *testing.T) {
	vars := Variables()
	if len(vars) != 3 || vars[1].Name != "lung cancer" || strings.Join(vars[1].States, " ") != "yes no" {
		t.Error("variables are", vars)
	}
	var ev Evidence
	must(t, ev.Set("x-ray", "abnormal"))
	must(t, ev.Set("smoke", "yes"))
	must(t, ev.Set("smoke", ""))
	if ev != (Evidence{XRay: XRayAbnormal}) {
		t.Error("evidence is", ev)
	}
	for _, bad := range [][2]string{{"smoking", "yes"}, {"smoke", "maybe"}} {
		if err := ev.Set(bad[0], bad[1]); !errors.Is(err, ErrState) {
			t.Error(bad, "gives", err)
		}
	}
	for name, value := range ev.All() {
		if name != "x-ray" || value != "abnormal" {
			t.Error("All gives", name, value)
		}
	}
	var m Marginals
	must(t, New().Marginals(&ev, nil, &m))
	d, err := m.ByName("lung cancer")
	must(t, err)
	near(t, "posterior by name", d[0], 42.0/67)
	if _, err := m.ByName("lung"); !errors.Is(err, ErrState) {
		t.Error("an unknown name gives", err)
	}
}

func TestConflict(t *testing.T) {
	e := New()
	for _, c := range []struct{ ev, want Evidence }{
		{Evidence{Smoke: SmokeYes, XRay: XRayUnclear}, Evidence{XRay: XRayUnclear}},
		{Evidence{Smoke: SmokeYes, XRay: XRayAbnormal}, Evidence{}},
	} {
		if got, err := e.Conflict(&c.ev); err != nil || got != c.want {
			t.Error(c.ev, "has the conflict", got, err)
		}
	}
	if _, err := e.Conflict(&Evidence{Smoke: 7}); !errors.Is(err, ErrState) {
		t.Error("a state out of range gives", err)
	}
}

func TestSamples(t *testing.T) {
	e := New()
	ev := Evidence{XRay: XRayAbnormal}
	seq, err := e.Samples(&ev, nil, NewRand(1))
	must(t, err)
	ev.XRay = XRayNormal // the sequence has its own copy
	one, rng := New(), NewRand(1)
	n, yes := 0, 0
	for a := range seq {
		var b Assignment
		must(t, one.Sample(&Evidence{XRay: XRayAbnormal}, nil, rng, &b))
		if *a != b {
			t.Fatalf("sample %d is %v by Samples and %v by Sample", n, *a, b)
		}
		if a.LungCancer == LungCancerYes {
			yes++
		}
		if n%100 == 7 {
			if _, err := e.LogProb(&Evidence{Smoke: SmokeNo}, nil); err != nil {
				t.Fatal(err)
			}
		}
		if n++; n == 20000 {
			break
		}
	}
	if p, want := float64(yes)/float64(n), 42.0/67; math.Abs(p-want) > 0.02 {
		t.Error("frequency is", p, "; want", want)
	}
	if _, err := e.Samples(&Evidence{XRay: XRayUnclear}, nil, rng); !errors.Is(err, ErrImpossible) {
		t.Error("impossible evidence gives", err)
	}
}

func TestAllocations(t *testing.T) {
	e, rng := New(), NewRand(1)
	ev, soft := Evidence{XRay: XRayAbnormal}, Soft{Smoke: SmokeDist{0.5, 1}}
	var m Marginals
	var a Assignment
	evs, lps, ms := make([]Evidence, 3), make([]float64, 3), make([]Marginals, 3)
	n := testing.AllocsPerRun(10, func() {
		e.Marginals(&ev, &soft, &m)
		e.Marginals(nil, nil, &m)
		e.LungCancer(&ev, &soft)
		e.LogProb(&ev, &soft)
		e.MPE(&ev, &soft, &a)
		e.Sample(&ev, &soft, rng, &a)
		e.XRayGivenSmokeLungCancer(SmokeYes, LungCancerYes)
		e.LogProbs(evs, lps)
		e.Batch(evs, nil, ms)
		m.Smoke.Max()
	})
	if n != 0 {
		t.Error("queries allocate", n, "times")
	}
}

func TestPool(t *testing.T) {
	var pool Pool
	var wg sync.WaitGroup
	for range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for range 100 {
				e := pool.Get()
				d, err := e.LungCancer(&Evidence{XRay: XRayAbnormal}, nil)
				if err != nil || math.Abs(d[0]-42.0/67) > 1e-12 {
					t.Error(d, err)
				}
				pool.Put(e)
			}
		}()
	}
	wg.Wait()
}
`

// useBig tests a package with a type of more than 8 bits and a data file: the posterior of the
// first variable given the second, by Bayes' rule from the package's own signature.
const useBig = `package big

import (
	"math"
	"testing"
)

func TestBig(t *testing.T) {
	e := New()
	prior, err := e.Size(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := e.Size(&Evidence{Weight: WeightS3}, nil)
	if err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	var want SizeDist
	for s, p := range prior.All() {
		w, err := e.WeightGivenSize(s)
		if err != nil {
			t.Fatal(err)
		}
		want[s-1] = p * w.P(WeightS3)
		sum += want[s-1]
	}
	for i := range want {
		if math.Abs(got[i]-want[i]/sum) > 1e-12 {
			t.Errorf("P(size %d) = %v; want %v", i, got[i], want[i]/sum)
		}
	}
	if SizeS299 != 300 || SizeS299.String() != "s299" || Size(301).String() != "Size(301)" {
		t.Error("states are wrong")
	}
	if _, err := e.Size(&Evidence{Size: 301}, nil); err == nil {
		t.Error("state 301 is accepted")
	}
}
`

// useTiny is a test of the package made of tiny. With c=y, the product of its numbers is 1e-600,
// and the second best completion is 1e-300 of the best one.
const useTiny = `package tiny

import (
	"context"
	"strings"
	"testing"
)

func TestLost(t *testing.T) {
	e, a := New(), Assignment{}
	if logp, err := e.MPE(nil, nil, &a); logp != 0 || err != nil || a != (Assignment{AX, BX, CX}) {
		t.Error("MPE gives", a, logp, err)
	}
	given := Evidence{C: CY}
	_, mpe := e.MPE(&given, nil, &a)
	_, best := e.MAPAC(context.Background(), &given, nil, &a)
	_, all := e.KMPE(nil, nil, make([]Assignment, 2), make([]float64, 2))
	for _, err := range []error{mpe, best, all} {
		if err == nil || !strings.Contains(err.Error(), "best states are lost") {
			t.Error("the error is", err)
		}
	}
}
`

// useTinyReal is a test of the package made of tiny with a real child of c, whose logarithm of the
// density is far below that of the smallest number in the best states.
const useTinyReal = `package tinyreal

import (
	"math"
	"strings"
	"testing"
)

func TestLost(t *testing.T) {
	e, a := New(), Assignment{}
	want := -5e11 - math.Log(2*math.Pi)/2
	if logp, err := e.MPE(&Evidence{C: CX, Y: Obs(1e6)}, nil, &a); math.Abs(logp/want-1) > 1e-12 || err != nil || a.B != BX {
		t.Error("MPE gives", a, logp, err)
	}
	if _, err := e.MPE(&Evidence{C: CY, Y: Obs(1e6)}, nil, &a); err == nil || !strings.Contains(err.Error(), "best states are lost") {
		t.Error("the error is", err)
	}
}
`

const useParams = `
func TestParams(t *testing.T) {
	p := DefaultParams()
	p.CPDOfSmoke = [2]float64{1, 0}
	e, err := NewWith(&p)
	must(t, err)
	d, err := e.LungCancer(nil, nil)
	must(t, err)
	near(t, "posterior with other parameters", d.P(LungCancerYes), 0.5)
	d, err = New().LungCancer(nil, nil)
	must(t, err)
	near(t, "posterior with the model's parameters", d.P(LungCancerYes), 7.0/32)
	p.CPDOfSmoke[0] = math.NaN()
	if _, err := NewWith(&p); err == nil {
		t.Error("NaN is accepted")
	}
}
`

const useNet = `package net

import (
	"math"
	"testing"
)

func TestNet(t *testing.T) {
	p := DefaultParams()
	e, err := NewWith(&p)
	if err != nil {
		t.Fatal(err)
	}
	lz, err := e.LogPartition(&Evidence{A: AX}, nil)
	if err != nil || math.Abs(lz-math.Log(7)) > 1e-12 {
		t.Error("ln Z is", lz, err)
	}
	lp, err := e.LogProb(&Evidence{A: AX}, nil)
	if err != nil || math.Abs(lp-math.Log(7.0/14)) > 1e-12 {
		t.Error("ln P is", lp, err)
	}
	if _, err := NewWith(new(Params)); err == nil {
		t.Error("a product of zeros is accepted")
	}
}
`

const useWide = `package wide

import "testing"

func TestWide(t *testing.T) {
	var m Marginals
	if err := New().Marginals(&Evidence{V3: YesNoYes, V199: YesNoNo}, &Soft{V100: YesNoDist{1, 3}}, &m); err != nil {
		t.Fatal(err)
	}
	if m.V3 != (YesNoDist{1, 0}) || m.V199 != (YesNoDist{0, 1}) || m.V100 != (YesNoDist{0.25, 0.75}) || m.V1 != (YesNoDist{0.5, 0.5}) {
		t.Error(m.V3, m.V199, m.V100, m.V1)
	}
}

func BenchmarkLoad(b *testing.B) {
	e := New()
	ev := Evidence{V3: YesNoYes, V199: YesNoNo}
	for b.Loop() {
		for range 1000 {
			e.load(&ev, nil)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1000/200, "ns/variable")
}
`

const useFixed = `package fixed

import (
	"math"
	"testing"
)

func TestFixed(t *testing.T) {
	lp, err := New().LogProb(&Evidence{A: AX}, nil)
	if err != nil || math.Abs(lp-math.Log(7.0/14)) > 1e-12 {
		t.Error("ln P is", lp, err)
	}
	var a Assignment
	lp, err = New().MPE(nil, nil, &a)
	if err != nil || math.Abs(lp-math.Log(6.0/14)) > 1e-12 || a != (Assignment{AX, BX}) {
		t.Error("MPE is", lp, a, err)
	}
}
`

const useHidden = `package hidden

import (
	"math"
	"testing"
)

func TestHidden(t *testing.T) {
	d, err := New().Smoke(&Evidence{XRay: XRayAbnormal}, nil)
	if err != nil || math.Abs(d.P(SmokeYes)-0.25*(0.5*0.75+0.5*0.125)/(67.0/256)) > 1e-12 {
		t.Error(d, err)
	}
	var a Assignment
	if err := New().Sample(nil, nil, NewRand(3), &a); err != nil || a.Smoke == SmokeUnset || a.XRay == XRayUnset {
		t.Error(a, err)
	}
}
`

const useBounded = `
func TestBound(t *testing.T) {
	soft := Soft{Smoke: SmokeDist{1, 1e-200}}
	if _, err := New().LogProb(nil, &soft); err != nil {
		t.Error(err)
	}
	soft.LungCancer = LungCancerDist{1e-200, 1}
	if _, err := New().LogProb(nil, &soft); !errors.Is(err, ErrLikelihood) {
		t.Error("likelihoods that might underflow give", err)
	}
}
`
