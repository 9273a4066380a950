package codegen

import (
	"fmt"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/pgmc-go/pgmc/codegen/internal/api"
	"github.com/pgmc-go/pgmc/codegen/internal/backend"
	"github.com/pgmc-go/pgmc/codegen/internal/source"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
)

// httpNames holds the names that a package with a handler of HTTP requests has besides the others.
var httpNames = []string{"Handler", "MaxRequest", "OpenAPI"}

// route is a path of the handler: the query that answers its requests.
type route struct {
	kind       ir.QueryKind
	path       string
	what       string // for the OpenAPI document
	ask        string // the statements that return the answer and an error
	properties string // of the answer in the OpenAPI document, as Go text
}

// routes is the table of paths.
var routes = []route{
	{ir.Marginals, "/marginals", "The posterior distribution of every variable.", `
var out Marginals
err := e.Marginals(ev, soft, &out)
return &out, err`, "openAPIPosteriors()"},
	{ir.LogProb, "/logprob", "The natural logarithm of the probability of the evidence.", `
p, err := e.LogProb(ev, soft)
return map[string]any{"logP": p}, err`, `map[string]any{"logP": map[string]any{"type": "number"}}`},
	{ir.MPE, "/mpe", "A most probable completion of the evidence.", `
var out Assignment
p, err := e.MPE(ev, soft, &out)
return map[string]any{"states": &out, "logP": p}, err`,
		`map[string]any{"states": map[string]any{"type": "object"}, "logP": map[string]any{"type": "number"}}`},
}

// httpFile declares the handler of HTTP requests, or returns nil if none is wanted.
func (g *generator) httpFile() (*backend.File, error) {
	if !g.opt.HTTP {
		return nil, nil
	}
	var served []*route
	for i := range routes {
		if g.Entry(routes[i].kind) != nil {
			served = append(served, &routes[i])
		}
	}
	if len(served) == 0 {
		query := diag.Option{Name: "query", Value: ir.Marginals.String()}
		return nil, diag.Errorf("a handler of HTTP requests answers marginals, logprob and mpe, and the package has none of these queries; add %v", query)
	}
	f := g.Begin()
	g.httpHandler(served)
	g.httpRequest()
	g.httpEvidence()
	g.httpProblem()
	g.httpReply()
	g.openAPI(served)
	return f, nil
}

// httpHandler declares Handler.
func (g *generator) httpHandler(served []*route) {
	g.Out.Add(source.Doc("MaxRequest is the most bytes of a request that the handler reads."))
	g.Out.Const().Id("MaxRequest").Op("=").Lit(1).Op("<<").Lit(20)
	g.Out.Line()
	paths, body, methods := "", "", ""
	for _, r := range served {
		paths += ", POST " + r.path
		methods += fmt.Sprintf("%q: \"POST\", ", r.path)
		body += fmt.Sprintf("mux.HandleFunc(%q, func(w %s, r *%s) {\n\thttpAnswer(w, r, pool, func(e *Engine, ev *Evidence, soft *Soft) (any, error) {\n\t\t%s\n\t})\n})\n",
			"POST "+r.path, g.Std("net/http.ResponseWriter"), g.Std("net/http.Request"), strings.ReplaceAll(strings.TrimSpace(r.ask), "\n", "\n\t\t"))
	}
	g.Func(source.Doc("Handler returns a handler of HTTP requests for "+paths[2:]+", and GET /openapi.json.",
		`The body of a request is {"evidence":{"name":"state"},"soft":{"name":[0.2,0.8]}}, and may lack either part. An error is`,
		`{"error":{"message":"...","variable":"name"}} with status 400, 404 or 405 for another path or method, 413 if the request is too long, 415 if its content type is not JSON (that of curl -d is taken for it), and 422 if the evidence is impossible;`,
		"then conflict has findings that contradict each other, if the package has LogProb. The handler may serve several requests at once."),
		"Handler() "+g.Std("net/http.Handler"), `
mux, pool := `+g.Std("net/http.NewServeMux")+`(), new(Pool)
`+body+`mux.HandleFunc("GET /openapi.json", func(w `+g.Std("net/http.ResponseWriter")+`, _ *`+g.Std("net/http.Request")+`) { httpReply(w, `+g.Std("net/http.StatusOK")+`, OpenAPI()) })
mux.HandleFunc("/", httpRefuse)
return mux`)
	g.Func(source.Doc("httpRefuse answers a request that has another path or method."),
		fmt.Sprintf("httpRefuse(w %s, r *%s)", g.Std("net/http.ResponseWriter"), g.Std("net/http.Request")), `
problem := &httpProblem{status: `+g.Std("net/http.StatusNotFound")+`, message: "there is nothing at this path"}
methods := map[string]string{`+methods+`"/openapi.json": "GET, HEAD"}
if want := methods[r.URL.Path]; want != "" {
	w.Header().Set("Allow", want)
	problem = &httpProblem{status: `+g.Std("net/http.StatusMethodNotAllowed")+`, message: "the method is " + r.Method + "; want " + want}
}
httpReply(w, problem.status, problem.body())`)
	g.Func(source.Doc("httpAnswer answers one request by the query ask."),
		fmt.Sprintf("httpAnswer(w %s, r *%s, pool *Pool, ask func(*Engine, *Evidence, *Soft) (any, error))", g.Std("net/http.ResponseWriter"), g.Std("net/http.Request")), `
var ev Evidence
soft, problem := httpRead(w, r, &ev)
if problem != nil {
	httpReply(w, problem.status, problem.body())
	return
}
e := pool.Get()
defer pool.Put(e)
out, err := ask(e, &ev, soft)
if err != nil {
	problem := httpFailure(e, &ev, err)
	httpReply(w, problem.status, problem.body())
	return
}
httpReply(w, `+g.Std("net/http.StatusOK")+`, out)`)
}

// httpRequest declares the function that reads requests.
func (g *generator) httpRequest() {
	bad := g.Std("net/http.StatusBadRequest")
	g.Func(source.Doc("httpRead reads a request. The likelihoods are nil if it has none."),
		fmt.Sprintf("httpRead(w %s, r *%s, ev *Evidence) (*Soft, *httpProblem)", g.Std("net/http.ResponseWriter"), g.Std("net/http.Request")), `
if kind := r.Header.Get("Content-Type"); !httpJSON(kind) {
	return nil, &httpProblem{status: `+g.Std("net/http.StatusUnsupportedMediaType")+`, message: "the content type is " + `+g.Std("strconv.Quote")+`(`+g.RT("Short")+`(kind)) + "; want application/json"}
}
body, err := `+g.Std("io.ReadAll")+`(`+g.Std("net/http.MaxBytesReader")+`(w, r.Body, MaxRequest))
if err != nil {
	status := `+bad+`
	if long := new(`+g.Std("net/http.MaxBytesError")+`); `+g.Std("errors.As")+`(err, &long) {
		status = `+g.Std("net/http.StatusRequestEntityTooLarge")+`
	}
	return nil, &httpProblem{status: status, message: "the request: " + err.Error()}
}
in, err := `+g.RT("JSONMembers")+`(body)
if err != nil {
	return nil, &httpProblem{status: `+bad+`, message: "the request: " + err.Error()}
}
unknown, known := "", 0
for name := range in {
	if name == "evidence" || name == "soft" {
		known++
	} else if unknown == "" || name < unknown {
		unknown = name
	}
}
if known < len(in) {
	return nil, &httpProblem{status: `+bad+`, message: "the request: unknown member " + `+g.Std("strconv.Quote")+`(`+g.RT("Short")+`(unknown)) + "; want evidence and soft"}
}
if problem := httpEach("evidence", in["evidence"], func(i int, raw []byte) error { return httpObserve(ev, i, raw) }); problem != nil {
	return nil, problem
}
if in["soft"] == nil {
	return nil, nil
}
soft := new(Soft)
return soft, httpEach("soft", in["soft"], soft.set)`)
	g.Func(source.Doc("httpJSON reports whether a content type is JSON, that of curl -d, or not given."), "httpJSON(kind string) bool", `
kind, _, _ = `+g.Std("strings.Cut")+`(kind, ";")
switch kind = `+g.Std("strings.ToLower")+`(`+g.Std("strings.TrimSpace")+`(kind)); kind {
case "", "application/json", "text/json", "application/x-www-form-urlencoded":
	return true
}
return `+g.Std("strings.HasSuffix")+`(kind, "+json")`)
	g.Func(source.Doc("httpEach calls set for the variables of an object, in the model's order. There may be none."),
		"httpEach(part string, data []byte, set func(i int, raw []byte) error) *httpProblem", `
if data == nil || string(data) == "null" {
	return nil
}
of, err := `+g.RT("JSONMembers")+`(data)
if err != nil {
	return &httpProblem{status: `+bad+`, message: part + ": " + err.Error()}
}
left := len(of)
for i := range variables {
	raw, ok := of[variables[i].Name]
	if !ok {
		continue
	}
	left--
	if err := set(i, raw); err != nil {
		return &httpProblem{status: `+bad+`, message: err.Error(), variable: variables[i].Name}
	}
}
if left == 0 {
	return nil
}
unknown := ""
for name := range of {
	if _, err := names.Index(name); err != nil && (unknown == "" || name < unknown) {
		unknown = name
	}
}
return &httpProblem{status: `+bad+`, message: "there is no such variable", variable: `+g.RT("Short")+`(unknown)}`)
}

// httpEvidence declares the functions that set findings from JSON.
func (g *generator) httpEvidence() {
	g.Func(source.Doc("httpObserve sets a variable to the name of a state, or to a number."), "httpObserve(ev *Evidence, i int, raw []byte) error", `
var value any
if err := `+g.Std("encoding/json.Unmarshal")+`(raw, &value); err != nil {
	return badValue(raw)
}
switch value := value.(type) {
case nil:
	return ev.set(i, "")
case string:
	return ev.set(i, value)
case float64:
	return ev.set(i, `+g.Std("strconv.FormatFloat")+`(value, 'g', -1, 64))
}
return badValue(raw)`)
	g.Func(source.Doc("badValue returns the error of JSON that is no value of a variable."), "badValue(raw []byte) error",
		`return names.Fail("want the name of a state or a number; got " + `+g.RT("Short")+`(string(raw)), ErrState)`)
	body := "switch i {\n"
	measured := false
	for _, x := range g.ids.Observable() {
		if x.Measured {
			measured = true
			body += fmt.Sprintf("case %d:\n\treturn httpMeasure(data, &s.%s)\n", x.Index, x.ID)
		} else if x.Port.Soft() != "" {
			body += fmt.Sprintf("case %d:\n\treturn %s(data, &s.%s)\n", x.Index, g.Std("encoding/json.Unmarshal"), x.ID)
		}
	}
	g.Func(source.Doc("set sets the likelihood of the variable with index i."), "(s *Soft) set(i int, data []byte) error",
		body+"}\nreturn names.Fail(\"the variable takes no likelihood\", ErrLikelihood)")
	if measured {
		g.Func(source.Doc("httpMeasure reads a measurement. The text null leaves it unchanged."), "httpMeasure(data []byte, n *"+api.NormalType+") error", `
if string(data) == "null" {
	return nil
}
in, err := `+g.RT("JSONMembers")+`(data)
if err != nil || len(in) != 2 || in["mean"] == nil || in["var"] == nil || `+g.Std("encoding/json.Unmarshal")+`(data, n) != nil {
	return names.Fail("want a measurement, as in {\"mean\": 1.8, \"var\": 0.01}; got " + `+g.RT("Short")+`(string(data)), ErrLikelihood)
}
return nil`)
	}
}

// httpProblem declares the errors that replies hold.
func (g *generator) httpProblem() {
	g.Out.Add(source.Doc("httpProblem is the error of a request."))
	g.Out.Type().Id("httpProblem").Struct(
		jen.Id("status").Int(), jen.List(jen.Id("message"), jen.Id("variable")).String(),
		jen.Id("conflict").Map(jen.String()).String().Comment("// findings that contradict each other"),
	)
	g.Out.Line()
	g.Func(source.Doc("body returns the body of the reply."), "(p *httpProblem) body() any", `
text := map[string]any{"message": p.message}
if p.variable != "" {
	text["variable"] = p.variable
}
if p.conflict != nil {
	text["conflict"] = p.conflict
}
return map[string]any{"error": text}`)
	conflict := ""
	if g.Entry(ir.LogProb) != nil {
		conflict = `
if part, err := e.Conflict(ev); err == nil && part != (Evidence{}) {
	p.conflict = map[string]string{}
	for name, value := range part.All() {
		p.conflict[name] = value
	}
}`
	}
	g.Func(source.Doc("httpFailure returns the problem of a query that failed with err."), "httpFailure(e *Engine, ev *Evidence, err error) *httpProblem", `
p := &httpProblem{status: `+g.Std("net/http.StatusBadRequest")+`, message: err.Error()}
if !`+g.Std("errors.Is")+`(err, ErrImpossible) {
	return p
}
p.status = `+g.Std("net/http.StatusUnprocessableEntity")+conflict+`
return p`)
}

// httpReply declares the function that writes replies.
func (g *generator) httpReply() {
	g.Func(source.Doc("httpReply writes a reply in JSON."), fmt.Sprintf("httpReply(w %s, status int, body any)", g.Std("net/http.ResponseWriter")), `
text, err := `+g.Std("encoding/json.Marshal")+`(body)
if err != nil {
	status, text = `+g.Std("net/http.StatusInternalServerError")+`, []byte("{\"error\":{\"message\":\"the answer has no JSON form\"}}")
}
w.Header().Set("Content-Type", "application/json")
w.WriteHeader(status)
w.Write(append(text, '\n'))`)
}

// openAPI declares OpenAPI.
func (g *generator) openAPI(served []*route) {
	paths := ""
	for _, r := range served {
		paths += fmt.Sprintf("%q: map[string]any{\"post\": openAPIQuery(%q, %s)},\n", r.path, r.what, r.properties)
	}
	g.Func(source.Doc("OpenAPI returns the OpenAPI 3.1 description of Handler, for encoding/json."), "OpenAPI() any", `
return map[string]any{
	"openapi": "3.1.0",
	"info":    map[string]any{"title": `+fmt.Sprintf("%q", g.Package)+`, "version": "1"},
	"paths": map[string]any{
		`+strings.TrimSuffix(strings.ReplaceAll(paths, "\n", "\n\t\t"), "\t\t")+`	},
}`)
	g.Func(source.Doc("openAPIQuery describes a path, whose answers have the given properties."), "openAPIQuery(what string, properties map[string]any) map[string]any", `
content := func(properties map[string]any) map[string]any {
	schema := map[string]any{"type": "object", "properties": properties}
	return map[string]any{"application/json": map[string]any{"schema": schema}}
}
problem := map[string]any{
	"message": map[string]any{"type": "string"}, "variable": map[string]any{"type": "string"}, "conflict": map[string]any{"type": "object"},
}
failed := content(map[string]any{"error": map[string]any{"type": "object", "properties": problem}})
return map[string]any{
	"summary":     what,
	"requestBody": map[string]any{"required": true, "content": content(openAPIFindings())},
	"responses": map[string]any{
		"200": map[string]any{"description": what, "content": content(properties)},
		"400": map[string]any{"description": "The request is wrong.", "content": failed},
		"413": map[string]any{"description": "The request is too long.", "content": failed},
		"415": map[string]any{"description": "The request is not JSON.", "content": failed},
		"422": map[string]any{"description": "The evidence is impossible.", "content": failed},
	},
}`)
	g.openAPISchemas()
}

// openAPISchemas declares the functions that describe evidence and posteriors.
func (g *generator) openAPISchemas() {
	numbers := ""
	if names := g.IntervalNames(); names != "" {
		numbers = `
	if states := evidence[v.Name]; map[string]bool{` + names + `}[v.Name] {
		evidence[v.Name] = map[string]any{"anyOf": []any{states, map[string]any{"type": "number"}}}
	}`
	}
	g.Func(source.Doc("openAPIFindings describes the parts of a request."), "openAPIFindings() map[string]any", `
evidence, soft := map[string]any{}, map[string]any{}
for _, v := range Variables() {
	if v.States == nil {
		evidence[v.Name] = map[string]any{"type": "number"}
		continue
	}
	evidence[v.Name] = map[string]any{"enum": v.States}`+numbers+`
	soft[v.Name] = map[string]any{"type": []string{"array", "object"}, "description": "a likelihood of each state, not all 0"}
}
return map[string]any{
	"evidence": map[string]any{"type": "object", "properties": evidence, "additionalProperties": false},
	"soft":     map[string]any{"type": "object", "properties": soft, "additionalProperties": false},
}`)
	if g.Entry(ir.Marginals) == nil {
		return
	}
	g.Func(source.Doc("openAPIPosteriors describes the posteriors of all variables."), "openAPIPosteriors() map[string]any", `
number := map[string]any{"type": "number"}
out := map[string]any{`+fmt.Sprintf("%q", g.LogPKey())+`: number}
for _, v := range Variables() {
	names := v.States
	if names == nil {
		names = []string{"mean", "var"}
	}
	`+g.posteriorSchema()+`
}
return out`)
}

// posteriorSchema returns the statements that describe one posterior.
func (g *generator) posteriorSchema() string {
	if g.opt.Arrays {
		return `out[v.Name] = map[string]any{"type": "array", "items": number, "minItems": len(names), "maxItems": len(names)}`
	}
	return `properties := map[string]any{}
	for _, name := range names {
		properties[name] = number
	}
	out[v.Name] = map[string]any{"type": "object", "properties": properties}`
}
