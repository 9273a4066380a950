package main

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"

	"example.com/clinic/asia"
	"example.com/clinic/sprinkler"
)

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s is %v; want %v", what, got, want)
	}
}

// ask sends requests to a service as text.
func ask(t *testing.T, requests string) []Answer {
	t.Helper()
	var out bytes.Buffer
	if err := new(Service).Serve(strings.NewReader(requests), &out); err != nil {
		t.Fatal(err)
	}
	var answers []Answer
	for _, line := range strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n") {
		var a Answer
		if err := json.Unmarshal([]byte(line), &a); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		answers = append(answers, a)
	}
	return answers
}

// By hand from table 1 of Lauritzen and Spiegelhalter 1988: P(tub) = 0.01*0.05 + 0.99*0.01 = 0.0104
// and P(lung) = 0.055, so that P(either) = 1 - 0.9896*0.945 = 0.064828 and P(xray) = 0.98*0.064828
// + 0.05*0.935172 = 0.11029004. A picture that is twice as probable if the X-ray shows something
// gives 2*0.11029004/(2*0.11029004 + 0.88970996); the denominator is 1.11029004.
func TestChest(t *testing.T) {
	answers := ask(t, `{"id":"nothing known","chest":{}}
{"id":"traveller","chest":{"asia":"yes"}}
{"id":"picture","chest":{},"image":[2,1]}
`)
	if len(answers) != 3 || answers[0].Chest == nil || answers[1].Chest == nil || answers[2].Chest == nil {
		t.Fatalf("answers are %+v", answers)
	}
	near(t, "P(tub)", answers[0].Chest.Tub.P(asia.TubYes), 0.0104, 1e-12)
	near(t, "P(xray)", answers[0].Chest.Xray.P(asia.XrayYes), 0.11029004, 1e-12)
	near(t, "P(tub|asia)", answers[1].Chest.Tub.P(asia.TubYes), 0.05, 1e-12)
	near(t, "ln P(asia)", answers[1].Chest.LogP, math.Log(0.01), 1e-12)
	near(t, "P(xray|picture)", answers[2].Chest.Xray.P(asia.XrayYes), 2*0.11029004/1.11029004, 1e-12)
	near(t, "ln P(picture)", answers[2].Chest.LogP, math.Log(1.11029004), 1e-12)
	if a := answers[1].Likely; a == nil || a.Asia != asia.AsiaYes || a.Tub != asia.TubNo {
		t.Errorf("the most probable state is %v", a)
	}
}

// By hand: P(sprinkler, rain) = 0.5*0.1*0.8 + 0.5*0.5*0.2 = 0.09 and P(sprinkler) = 0.5*0.1 +
// 0.5*0.5 = 0.3.
func TestLawn(t *testing.T) {
	answers := ask(t, `{"id":"l","lawn":{"sprinkler":"true"}}`)
	if len(answers) != 1 || answers[0].Lawn == nil {
		t.Fatalf("answers are %+v", answers)
	}
	near(t, "P(rain|sprinkler)", answers[0].Lawn.Rain.P(sprinkler.TrueFalseTrue), 0.3, 1e-12)
	near(t, "ln P(sprinkler)", answers[0].Lawn.LogP, math.Log(0.3), 1e-12)
}

func TestRefused(t *testing.T) {
	for _, c := range []struct {
		request    string
		impossible bool
		message    string
	}{
		{`{"id":"1","chest":{"tub":"yes","either":"no"}}`, true, "impossible"},
		{`{"id":"1","lawn":{"sprinkler":"false","rain":"false","wet_grass":"true"}}`, true, "impossible"},
		{`{"id":"1","chest":{"tub":"perhaps"}}`, false, `no state "perhaps"`},
		{`{"id":"1","chest":{},"image":[0,0]}`, false, "not 0 for every state"},
		{`{"id":"1"}`, false, "want either chest or lawn"},
		{`{"id":"1","chest":{},"lawn":{}}`, false, "want either chest or lawn"},
		{`{"id":`, false, "unexpected end of JSON input"},
	} {
		a := ask(t, c.request)[0]
		if a.Impossible != c.impossible || !strings.Contains(a.Error, c.message) || a.Chest != nil || a.Lawn != nil {
			t.Errorf("%s gives %+v", c.request, a)
		}
	}
}

// Answers come in the order of the requests, whichever is done first. An engine that was asked
// about impossible findings answers the next request as a new one does.
func TestOrder(t *testing.T) {
	const rounds = 200
	text := strings.Repeat(`{"id":"a","chest":{"tub":"yes","either":"no"}}`+"\n"+`{"id":"b","chest":{"smoke":"yes"}}`+"\n", rounds)
	answers := ask(t, text)
	if len(answers) != 2*rounds {
		t.Fatalf("%d answers; want %d", len(answers), 2*rounds)
	}
	for i := 0; i < len(answers); i += 2 {
		if answers[i].ID != "a" || !answers[i].Impossible || answers[i+1].ID != "b" || answers[i+1].Chest == nil {
			t.Fatalf("answers %d and %d are %+v, %+v", i, i+1, answers[i], answers[i+1])
		}
		near(t, "P(lung|smoke)", answers[i+1].Chest.Lung.P(asia.LungYes), 0.1, 1e-12)
	}
}

// The requests and answers in testdata check the program on other platforms. Logarithms may differ
// in the last place, since some platforms have an implementation of their own.
func TestStoredAnswers(t *testing.T) {
	requests, err := os.ReadFile("testdata/requests.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	stored, err := os.ReadFile("testdata/answers.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	answers := ask(t, string(requests))
	for i, line := range strings.Split(strings.TrimSuffix(string(stored), "\n"), "\n") {
		var want Answer
		if err := json.Unmarshal([]byte(line), &want); err != nil || i >= len(answers) {
			t.Fatalf("answer %d of %d: %v", i, len(answers), err)
		}
		got := answers[i]
		if got.Chest != nil && want.Chest != nil {
			near(t, got.ID+": ln P", got.Chest.LogP, want.Chest.LogP, 1e-14)
			got.Chest.LogP = want.Chest.LogP
		}
		if got.Lawn != nil && want.Lawn != nil {
			near(t, got.ID+": ln P", got.Lawn.LogP, want.Lawn.LogP, 1e-14)
			got.Lawn.LogP = want.Lawn.LogP
		}
		text, err := json.Marshal(got)
		if err != nil {
			t.Fatal(err)
		}
		wanted, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(text, wanted) {
			t.Errorf("the answer is\n%s; want\n%s", text, wanted)
		}
	}
}

func BenchmarkAnswer(b *testing.B) {
	s := new(Service)
	r := &Request{Chest: &asia.Evidence{Smoke: asia.SmokeYes, Xray: asia.XrayYes}}
	b.ReportAllocs()
	for b.Loop() {
		s.Answer(r)
	}
}

func BenchmarkServe(b *testing.B) {
	const lines = 1000
	text := strings.Repeat(`{"id":"a","chest":{"smoke":"yes","xray":"yes"}}`+"\n", lines)
	s := new(Service)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		var out bytes.Buffer
		if err := s.Serve(strings.NewReader(text), &out); err != nil {
			b.Fatal(err)
		}
	}
}
