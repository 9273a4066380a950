package codegen_test

import (
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/codegen"
	"github.com/pgmc-go/pgmc/compiler"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/irtest"
)

// TestHandler checks the replies of a package's handler, as far as they depend on the package.
// Package runtime/handler tests the rest.
func TestHandler(t *testing.T) {
	t.Parallel()
	m, sm := newModule(t, ""), small()
	p := jointProgram(sm, ir.Const, allQueries(sm)...)
	m.emit(sm, p, codegen.Options{Package: "served", HTTP: true})
	m.check("served", useHandler)
	m.emit(sm, p, codegen.Options{Package: "arrays", HTTP: true, Arrays: true})
	m.check("arrays", strings.NewReplacer("package served", "package arrays", `{"yes":0.25,"no":0.75}`, `[0.25,0.75]`).Replace(useHandler))
	m.test()
}

// TestHandlerOfReals emits a handler for a network with states and real variables. Emit checks the
// types of the package.
func TestHandlerOfReals(t *testing.T) {
	m := irtest.RandomHybrid(3, irtest.HybridOptions{MaxVars: 6})
	r, err := compiler.Compile(t.Context(), m, compiler.Options{Queries: []string{"marginals", "logprob"}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := codegen.Emit(r.Model, r.Program, codegen.Options{Package: "served", HTTP: true}); err != nil {
		t.Error(err)
	}
}

// TestHandlerOfDecisions checks the replies about decisions.
func TestHandlerOfDecisions(t *testing.T) {
	t.Parallel()
	mod := newModule(t, "")
	mod.compiled(picnic(), codegen.Options{Package: "decided", HTTP: true}, ir.Const, "policy, best, information, follow")
	mod.check("decided", "package decided"+askDecisions)
	mod.test()
}

// The numbers are those of usePicnic. A forecast is worth 3.5 - 2 + 1 without its price, and the
// weather .75*8 - 2. Going has the variance .0625*256 + .5625*64 - 12.25 with the forecast.
const askDecisions = `

import (
	"net/http/httptest"
	"strings"
	"testing"
)

func TestDecisions(t *testing.T) {
	handler := Handler()
	send := func(method, path, body string) (int, string) {
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, httptest.NewRequest(method, path, strings.NewReader(body)))
		return w.Code, strings.TrimSpace(w.Body.String())
	}
	for _, c := range []struct {
		path, body string
		status     int
		want       string
	}{
		{"/best/Buy", "{}", 200, ` + "`" + `{"buy":"yes","utilities":{"yes":2.5,"no":2}}` + "`" + `},
		{"/best/Go", ` + "`" + `{"evidence":{"buy":"no"}}` + "`" + `, 200, ` + "`" + `{"go":"yes","utilities":{"yes":2,"no":0}}` + "`" + `},
		{"/best/Go", "{}", 400, "is given and not observed; want a value"},
		{"/best/Go", ` + "`" + `{"evidence":{"buy":"no","forecast":"dry"}}` + "`" + `, 422, "impossible"},
		{"/information/Go", ` + "`" + `{"evidence":{"buy":"no"}}` + "`" + `, 200, ` + "`" + `{"weather":4,"forecast":0}` + "`" + `},
		{"/policy/Buy", "{}", 200, ` + "`" + `{"buy":"yes"}` + "`" + `},
		{"/policy/Go", ` + "`" + `{"evidence":{"buy":"yes","forecast":"dry"}}` + "`" + `, 200, ` + "`" + `{"go":"yes"}` + "`" + `},
		{"/policy/Go", ` + "`" + `{"evidence":{"buy":"yes","forecast":"none"}}` + "`" + `, 422, "impossible"},
		{"/policy/Go", ` + "`" + `{"evidence":{"buy":"yes"}}` + "`" + `, 400, ` + "`" + `variable \"forecast\" is not observed, and the policy depends on it; want a state` + "`" + `},
		{"/policy/Go", ` + "`" + `{"evidence":{"buy":"yes","forecast":"dry","weather":"dry"}}` + "`" + `, 400, ` + "`" + `the policy of \"go\" depends on [\"buy\" \"forecast\"] only; want no other evidence` + "`" + `},
		{"/policy/Buy", ` + "`" + `{"soft":{"weather":[1,0.5]}}` + "`" + `, 400, "want no other evidence"},
		{"/follow", "{}", 200, ` + "`" + `"utilities":{"price":{"mean":-1,"variance":0},"fun":{"mean":3.5,"variance":39.75},"total":{"mean":2.5,"variance":39.75}}}` + "`" + `},
		{"/follow", ` + "`" + `{"evidence":{"buy":"no"}}` + "`" + `, 422, "impossible"},
	} {
		if status, got := send("POST", c.path, c.body); status != c.status || !strings.Contains(got, c.want) {
			t.Errorf("%s %s gives %d %s; want %d %s", c.path, c.body, status, got, c.status, c.want)
		}
	}
	if status, text := send("GET", "/openapi.json", ""); status != 200 || !strings.Contains(text, ` + "`" + `"properties":{"go":{"type":"string"},"utilities":{"type":"object"}}` + "`" + `) {
		t.Error(status, text)
	}
}
`

// TestHandlerRefused checks the error of a handler without queries.
func TestHandlerRefused(t *testing.T) {
	r := compiled(t, small(), "sample")
	_, err := codegen.Emit(r.Model, r.Program, codegen.Options{Package: "served", HTTP: true})
	const want = "codegen: a handler of HTTP requests answers marginals, logprob, mpe, and queries about decisions, and the package has none of these queries; add query marginals"
	if err == nil || err.Error() != want {
		t.Errorf("error %v; want %s", err, want)
	}
}

const useHandler = `package served

import (
	"encoding/json"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

var handler = Handler()

func post(method, path, body string) (int, string) {
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, httptest.NewRequest(method, path, strings.NewReader(body)))
	return w.Code, strings.TrimSpace(w.Body.String())
}

func TestReplies(t *testing.T) {
	for _, c := range []struct {
		path, body string
		status     int
		want       string
	}{
		{"/logprob", "{}", 200, ` + "`" + `{"logP":0}` + "`" + `},
		{"/marginals", "{}", 200, ` + "`" + `{"smoke":{"yes":0.25,"no":0.75},` + "`" + `},
		{"/marginals", ` + "`" + `{"soft":{"smoke":[1,1]}}` + "`" + `, 200, ` + "`" + `{"smoke":{"yes":0.25,"no":0.75},` + "`" + `},
		{"/mpe", ` + "`" + `{"evidence":{"x-ray":"abnormal"}}` + "`" + `, 200, ` + "`" + `"states":{"smoke":"yes","lung cancer":"yes","x-ray":"abnormal"}}` + "`" + `},
		{"/logprob", ` + "`" + `{"evidence":{"smoke":null}}` + "`" + `, 200, ` + "`" + `{"logP":0}` + "`" + `},
		{"/logprob", ` + "`" + `{"evidence":{"smoke":"maybe"}}` + "`" + `, 400, ` + "`" + `has no state \"maybe\" (states: [yes no])","variable":"smoke"}}` + "`" + `},
		{"/logprob", ` + "`" + `{"evidence":{"smoke":["yes"]}}` + "`" + `, 400, ` + "`" + `"variable":"smoke"}}` + "`" + `},
		{"/logprob", ` + "`" + `{"evidence":{"smoking":"yes","aaa":"no"}}` + "`" + `, 400, ` + "`" + `{"error":{"message":"there is no such variable","variable":"aaa"}}` + "`" + `},
		{"/logprob", ` + "`" + `{"soft":{"smoke":[0,0]}}` + "`" + `, 400, ` + "`" + `"variable":"smoke"}}` + "`" + `},
		{"/logprob", ` + "`" + `{"evidence":{"smoke":"yes","x-ray":"unclear"}}` + "`" + `, 422, ` + "`" + `{"error":{"conflict":{"x-ray":"unclear"},"message":"the evidence is impossible"}}` + "`" + `},
		{"/logprob", ` + "`" + `{"given":{}}` + "`" + `, 400, ` + "`" + `unknown member \"given\"; want evidence and soft` + "`" + `},
		{"/logprob", ` + "`" + `{"evidence":null,"soft":null}` + "`" + `, 200, ` + "`" + `{"logP":0}` + "`" + `},
		{"/logprob", ` + "`" + `{"soft":{"smoke":{"yes":1,"no":0.5,"yes":1}}}` + "`" + `, 400, ` + "`" + `the member \"yes\" occurs twice` + "`" + `},
		{"/logprob", ` + "`" + `{"soft":{"smoke":{"yes":1,"no":null}}}` + "`" + `, 400, ` + "`" + `got \"null\"` + "`" + `},
		{"/logprob", ` + "`" + `{"evidence":{"smoke":"` + "`" + ` + strings.Repeat("a", MaxRequest) + ` + "`" + `"}}` + "`" + `, 413, "too large"},
	} {
		if status, got := post("POST", c.path, c.body); status != c.status || !strings.Contains(got, c.want) {
			t.Errorf("%s %.60s gives %d %s; want %d %s", c.path, c.body, status, got, c.status, c.want)
		}
	}
}

func TestDescription(t *testing.T) {
	status, text := post("GET", "/openapi.json", "")
	var doc struct {
		OpenAPI string
		Paths   map[string]map[string]struct{ RequestBody, Responses any }
	}
	if err := json.Unmarshal([]byte(text), &doc); err != nil || status != 200 || doc.OpenAPI != "3.1.0" || len(doc.Paths) != 3 {
		t.Error(status, err, text)
	}
	for path, methods := range doc.Paths {
		if methods["post"].RequestBody == nil || methods["post"].Responses == nil {
			t.Errorf("%s: %v", path, methods)
		}
	}
	if !strings.Contains(text, ` + "`" + `"x-ray":{"enum":["abnormal","normal","unclear"]}` + "`" + `) {
		t.Error(text)
	}
}

func TestTogether(t *testing.T) {
	var wg sync.WaitGroup
	for range 8 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for range 50 {
				if status, got := post("POST", "/logprob", ` + "`" + `{"evidence":{"smoke":"yes"}}` + "`" + `); status != 200 || !strings.HasPrefix(got, ` + "`" + `{"logP":-1.38629` + "`" + `) {
					t.Error(status, got)
				}
			}
		}()
	}
	wg.Wait()
}
`
