package handler_test

import (
	"encoding/json"
	"errors"
	"iter"
	"math"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"

	pgmrt "github.com/pgmc-go/pgmc/runtime"
	"github.com/pgmc-go/pgmc/runtime/handler"
)

const maxRequest = 1 << 12

// names describes three variables: one of two states, one of intervals, and a real one.
var names = pgmrt.Names{
	Package: "health",
	Enums:   []pgmrt.Enum{{Name: "Smoke", What: `variable "smoke"`, States: []string{"yes", "no"}}, {Name: "Weight", What: `variable "weight"`, States: []string{"..80", "80.."}}},
	Vars:    []pgmrt.NamedVar{{Name: "smoke", Enum: 0}, {Name: "weight", Enum: 1}, {Name: "height", Enum: -1}},
}

// evidence holds the values as texts; empty ones are not observed.
type evidence [3]string

func (ev *evidence) set(i int, value string) error {
	if e := names.Vars[i].Enum; e == 0 || e == 1 && strings.Contains(value, ".") {
		if _, err := names.ParseState(e, value); err != nil {
			return err
		}
	}
	ev[i] = value
	return nil
}

func (ev *evidence) all() iter.Seq2[string, string] {
	return names.All(func(i int) string { return ev[i] })
}

// soft holds a likelihood of smoke, and a measurement of height.
type soft struct {
	smoke  [2]float64
	height struct{ Mean, Var float64 }
}

func (s *soft) set(i int, data []byte) error {
	switch i {
	case 0:
		return pgmrt.ParseNumbers(&names, 0, data, s.smoke[:])
	case 2:
		return handler.ReadMeasurement(&names, data, &s.height)
	}
	return names.Fail("the variable takes no likelihood", pgmrt.ErrLikelihood)
}

// engine answers with what it was asked: P(smoke=yes, weight=80..) is 0.
type engine struct{ busy bool }

func (e *engine) logProb(ev *evidence, s *soft) (float64, error) {
	switch {
	case !e.busy:
		return 0, errors.New("the engine is not lent")
	case ev[0] == "yes" && ev[1] == "80..":
		return math.Inf(-1), pgmrt.ErrImpossible
	case ev[2] == "0":
		return math.NaN(), nil
	case ev[2] == "-1":
		return 0, errors.New("the height is negative")
	case s != nil:
		return s.smoke[0] + s.height.Mean, nil
	}
	return 0, nil
}

func (e *engine) conflict(ev *evidence) (evidence, error) { return evidence{ev[0], ev[1]}, nil }

func (e *engine) marginals(ev *evidence, s *soft, out *map[string]string) (err error) {
	*out = map[string]string{}
	for name, value := range ev.all() {
		(*out)[name] = value
	}
	_, err = e.logProb(ev, s)
	return err
}

func (e *engine) mpe(ev *evidence, s *soft, out *[3]string) (float64, error) {
	*out = *ev
	return e.logProb(ev, s)
}

// service returns a description of the package, and a function that counts the engines that are
// lent.
func service() (*handler.Service[engine, evidence, soft], func() int) {
	var mu sync.Mutex
	lent := 0
	move := func(by int) {
		mu.Lock()
		lent += by
		mu.Unlock()
	}
	s := &handler.Service[engine, evidence, soft]{
		Names: &names, MaxRequest: maxRequest, LogP: "logP", Intervals: []int{1},
		Queries: []handler.Query[engine, evidence, soft]{
			handler.MarginalsQuery((*engine).marginals), handler.LogProbQuery((*engine).logProb), handler.MPEQuery((*engine).mpe),
		},
		Get: func() *engine { move(1); return &engine{busy: true} },
		Put: func(e *engine) { move(-1); e.busy = false },
		Set: (*evidence).set, SetSoft: (*soft).set, All: (*evidence).all, Conflict: (*engine).conflict,
	}
	return s, func() int { return lent }
}

// send sends a request and returns the reply.
func send(h http.Handler, method, path, body, kind string) *httptest.ResponseRecorder {
	w, r := httptest.NewRecorder(), httptest.NewRequest(method, path, strings.NewReader(body))
	if kind != "" {
		r.Header.Set("Content-Type", kind)
	}
	h.ServeHTTP(w, r)
	return w
}

// failed returns the reply that reports an error.
func failed(message string) string { return `{"error":{"message":` + strconv.Quote(message) + `}}` }

// about returns the reply that reports an error about a variable.
func about(variable, message string) string {
	return `{"error":{"message":` + strconv.Quote(message) + `,"variable":` + strconv.Quote(variable) + `}}`
}

func TestReplies(t *testing.T) {
	s, lent := service()
	h := s.Handler()
	for _, c := range []struct {
		path, body string
		status     int
		want       string
	}{
		{"/logprob", "{}", 200, `{"logP":0}`},
		{"/marginals", `{"evidence":{"smoke":"no","height":1.75}}`, 200, `{"height":"1.75","smoke":"no"}`},
		{"/mpe", `{"evidence":{"weight":"..80"}}`, 200, `{"logP":0,"states":["","..80",""]}`},
		{"/mpe", `{"evidence":{"weight":1e3}}`, 200, `{"logP":0,"states":["","1000",""]}`},
		{"/logprob", `{"evidence":{"smoke":null}}`, 200, `{"logP":0}`},
		{"/logprob", `{"evidence":null,"soft":null}`, 200, `{"logP":0}`},
		{"/logprob", `{"soft":{"smoke":[0.25,1],"height":{"mean":1.5,"var":1}}}`, 200, `{"logP":1.75}`},
		{"/logprob", `{"soft":{"smoke":{"no":1,"yes":0.5},"height":null}}`, 200, `{"logP":0.5}`},
		{"/logprob", `{"evidence":{"height":"0"}}`, 500, failed("the answer has no JSON form")},
		{"/logprob", `{"evidence":{"height":-1}}`, 400, failed("the height is negative")},
		{"/logprob", `{"evidence":{"smoke":"maybe"}}`, 400, about("smoke", `health: variable "smoke" has no state "maybe" (states: [yes no])`)},
		{"/logprob", `{"evidence":{"smoke":["yes"]}}`, 400, about("smoke", `health: want the name of a state or a number; got ["yes"]`)},
		{"/logprob", `{"evidence":{"smoke":true}}`, 400, about("smoke", `health: want the name of a state or a number; got true`)},
		{"/logprob", `{"evidence":{"height":1e999}}`, 400, about("height", `health: want the name of a state or a number; got 1e999`)},
		{"/logprob", `{"evidence":{"smoking":"yes","aaa":"no"}}`, 400, about("aaa", "there is no such variable")},
		{"/logprob", `{"evidence":{"Smoke":"yes"}}`, 400, about("Smoke", "there is no such variable")},
		{"/logprob", `{"soft":{"smoke":[0,0]}}`, 400, about("smoke", `health: variable "smoke": want a likelihood that is not 0 for every state`)},
		{"/logprob", `{"soft":{"weight":[0,1]}}`, 400, about("weight", "health: the variable takes no likelihood")},
		{"/logprob", `{"soft":{"height":{"mean":1}}}`, 400, about("height", `health: want a measurement, as in {"mean": 1.8, "var": 0.01}; got {"mean":1}`)},
		{"/logprob", `{"soft":{"height":{"mean":1,"var":"1"}}}`, 400, about("height", `health: want a measurement, as in {"mean": 1.8, "var": 0.01}; got {"mean":1,"var":"1"}`)},
		{"/mpe", `{"evidence":{"smoke":"yes","weight":"80..","height":2}}`, 422, `{"error":{"conflict":{"smoke":"yes","weight":"80.."},"message":"the evidence is impossible"}}`},
		{"/logprob", `{"given":{}}`, 400, failed(`the request: unknown member "given"; want evidence and soft`)},
		{"/logprob", `{"":{},"x":1}`, 400, failed(`the request: unknown member ""; want evidence and soft`)},
		{"/logprob", `{"Evidence":{"smoke":"yes"}}`, 400, failed(`the request: unknown member "Evidence"; want evidence and soft`)},
		{"/logprob", "{}{}", 400, failed("the request: invalid character '{' after top-level value")},
		{"/logprob", `{"evidence":{}}}garbage`, 400, failed("the request: invalid character '}' after top-level value")},
		{"/logprob", `{"evidence":{},"evidence":{}}`, 400, failed(`the request: the member "evidence" occurs twice`)},
		{"/logprob", `{"evidence":{"smoke":"yes","smoke":"no"}}`, 400, failed(`evidence: the member "smoke" occurs twice`)},
		{"/logprob", `{"soft":{"smoke":[1,1],"smoke":[1,1]}}`, 400, failed(`soft: the member "smoke" occurs twice`)},
		{"/logprob", `{"evidence":[]}`, 400, failed("evidence: want a JSON object; got []")},
		{"/logprob", "[]", 400, failed("the request: want a JSON object; got []")},
		{"/logprob", "", 400, failed("the request: unexpected end of JSON input")},
		{"/logprob", strings.Repeat(" ", maxRequest-2) + "{}", 200, `{"logP":0}`},
		{"/logprob", strings.Repeat(" ", maxRequest-1) + "{}", 413, failed("the request: http: request body too large")},
	} {
		w := send(h, "POST", c.path, c.body, "")
		if got := w.Body.String(); w.Code != c.status || got != c.want+"\n" || w.Header().Get("Content-Type") != "application/json" {
			t.Errorf("%s %.60s gives %d %s; want %d %s", c.path, c.body, w.Code, got, c.status, c.want)
		}
	}
	if lent() != 0 {
		t.Errorf("%d engines did not come back", lent())
	}
}

// TestLong checks that no reply returns a long value.
func TestLong(t *testing.T) {
	s, _ := service()
	h, long := s.Handler(), strings.Repeat("1", maxRequest/2)
	for _, body := range []string{
		`"` + long + `"`, long, `{"evidence":{"smoke":"` + long + `"}}`, `{"evidence":{"smoke":` + long + `}}`, `{"evidence":{"smoke":[` + long + `]}}`,
		`{"evidence":{"` + long + `":1}}`, `{"` + long + `":1}`, `{"soft":{"smoke":[` + long + `,1]}}`, `{"soft":{"height":` + long + `}}`,
		`{"soft":{"smoke":"` + long + `"}}`, `{"soft":{"smoke":{"` + long + `":1,"no":1}}}`, `{"soft":{"smoke":{"yes":` + long + `,"no":1}}}`,
	} {
		if w := send(h, "POST", "/logprob", body, ""); w.Code != 400 || w.Body.Len() > 400 {
			t.Errorf("%.60s gives %d and %d bytes", body, w.Code, w.Body.Len())
		}
	}
	if w := send(h, "POST", "/logprob", "{}", "x/"+long); w.Code != 415 || w.Body.Len() > 400 {
		t.Errorf("a long content type gives %d and %d bytes", w.Code, w.Body.Len())
	}
}

func TestContentType(t *testing.T) {
	s, _ := service()
	for kind, want := range map[string]int{
		"": 200, "application/json": 200, "Application/JSON; charset=utf-8": 200, "text/json": 200, "application/x-www-form-urlencoded": 200, "application/ld+json": 200,
		"multipart/form-data; boundary=x": 415, "text/plain": 415, "application/xml": 415,
	} {
		if w := send(s.Handler(), "POST", "/logprob", "{}", kind); w.Code != want {
			t.Errorf("the content type %q gives %d; want %d", kind, w.Code, want)
		}
	}
}

func TestRefused(t *testing.T) {
	s, _ := service()
	for _, c := range []struct {
		method, path string
		status       int
		allow, want  string
	}{
		{"GET", "/logprob", 405, "POST", failed("the method is GET; want POST")},
		{"POST", "/openapi.json", 405, "GET, HEAD", failed("the method is POST; want GET, HEAD")},
		{"POST", "/nothing", 404, "", failed("there is nothing at this path")},
	} {
		w := send(s.Handler(), c.method, c.path, "{}", "")
		if got := w.Body.String(); w.Code != c.status || w.Header().Get("Allow") != c.allow || got != c.want+"\n" {
			t.Errorf("%s %s gives %d %q %s; want %d %q %s", c.method, c.path, w.Code, w.Header().Get("Allow"), got, c.status, c.allow, c.want)
		}
	}
}

// TestNoConflict checks the reply to impossible evidence of a package without the query for
// conflicts.
func TestNoConflict(t *testing.T) {
	s, _ := service()
	s.Conflict = nil
	w := send(s.Handler(), "POST", "/logprob", `{"evidence":{"smoke":"yes","weight":"80.."}}`, "")
	if got := w.Body.String(); w.Code != 422 || got != failed("the evidence is impossible")+"\n" {
		t.Errorf("%d %s", w.Code, got)
	}
}

func TestOpenAPI(t *testing.T) {
	s, _ := service()
	parts := []string{
		`{"info":{"title":"health","version":"1"},"openapi":"3.1.0","paths":{"/logprob":{"post":{"requestBody":`,
		`"smoke":{"enum":["yes","no"]}`, `"height":{"type":"number"}`, `"weight":{"anyOf":[{"enum":["..80","80.."]},{"type":"number"}]}`,
		`"smoke":{"properties":{"no":{"type":"number"},"yes":{"type":"number"}},"type":"object"}`,
		`"height":{"properties":{"mean":{"type":"number"},"var":{"type":"number"}},"type":"object"}`,
		`"logP":{"type":"number"}`, `"summary":"A most probable completion of the evidence."`,
	}
	w := send(s.Handler(), "GET", "/openapi.json", "", "")
	text := w.Body.String()
	var doc struct {
		Paths map[string]map[string]struct{ RequestBody, Responses any }
	}
	if err := json.Unmarshal([]byte(text), &doc); err != nil || w.Code != 200 || len(doc.Paths) != 3 {
		t.Fatal(err, w.Code, text)
	}
	for path, methods := range doc.Paths {
		if methods["post"].RequestBody == nil || methods["post"].Responses == nil {
			t.Errorf("%s: %v", path, methods)
		}
	}
	s.Arrays = true
	arrays, err := json.Marshal(s.OpenAPI())
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%s lacks %s", text, part)
		}
	}
	if part := `"smoke":{"items":{"type":"number"},"maxItems":2,"minItems":2,"type":"array"}`; !strings.Contains(string(arrays), part) {
		t.Errorf("%s lacks %s", arrays, part)
	}
}
