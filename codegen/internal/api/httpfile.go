package api

import (
	"fmt"
	"strings"

	"github.com/pgmc-go/pgmc/codegen/internal/backend"
	"github.com/pgmc-go/pgmc/codegen/internal/source"
	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/diag"
)

// HTTPNames holds the names that a package with a handler of HTTP requests has besides the others.
var HTTPNames = []string{"Handler", "MaxRequest", "OpenAPI"}

// Route is a path of the handler, and the expression of the query that answers its requests.
type Route struct{ Path, Query string }

// routes returns the paths of the queries that have one each: with the method of Engine that
// answers the query, and the function of the runtime that makes the one from the other.
func (g *API) routes() (list []Route) {
	for _, r := range []struct {
		kind               ir.QueryKind
		path, method, made string
	}{
		{ir.Marginals, "/marginals", "Marginals", "MarginalsQuery"},
		{ir.LogProb, "/logprob", "LogProb", "LogProbQuery"},
		{ir.MPE, "/mpe", "MPE", "MPEQuery"},
	} {
		if g.Entry(r.kind) != nil {
			list = append(list, Route{r.path, fmt.Sprintf("%s((*Engine).%s)", g.RT(r.made), r.method)})
		}
	}
	return list
}

// AnswerRoute returns the path of a query with an answer of a type of the package, by a function
// with the arguments of a method of Engine that sets out. Members are names and types of the
// answer's JSON, beside posteriors if it has these.
func (g *API) AnswerRoute(path, what string, posteriors bool, ask string, members ...[2]string) Route {
	text := ""
	for _, m := range members {
		text += fmt.Sprintf(", %q: %q", m[0], m[1])
	}
	return Route{path, fmt.Sprintf("%s(%q, %q, %v, map[string]string{%s}, %s)", g.RT("AnswerQuery"), path, what, posteriors, strings.TrimPrefix(text, ", "), ask)}
}

// HTTPFile begins the file of the handler of HTTP requests. HTTPHandler declares it.
func (g *API) HTTPFile() *backend.File { return g.Begin() }

// HTTPHandler declares the handler of HTTP requests, with further paths beside those of the queries
// that have one each.
func (g *API) HTTPHandler(further []Route) error {
	served := append(g.routes(), further...)
	if len(served) == 0 {
		query := diag.Option{Name: "query", Value: ir.Marginals.String()}
		return diag.Errorf("a handler of HTTP requests answers marginals, logprob, mpe, and queries about decisions, and the package has none of these queries; add %v", query)
	}
	g.httpHandler(served)
	g.httpService(served)
	g.httpSoft()
	return nil
}

// httpHandler declares Handler and OpenAPI.
func (g *API) httpHandler(served []Route) {
	g.Out.Add(source.Doc("MaxRequest is the most bytes of a request that the handler reads."))
	g.Out.Const().Id("MaxRequest").Op("=").Lit(1).Op("<<").Lit(20)
	g.Out.Line()
	paths := ""
	for _, r := range served {
		paths += ", POST " + r.Path
	}
	g.Func(source.Doc("Handler returns a handler of HTTP requests for "+paths[2:]+", and GET /openapi.json.",
		`The body of a request is {"evidence":{"name":"state"},"soft":{"name":[0.2,0.8]}}, and may lack either part. An error is`,
		`{"error":{"message":"...","variable":"name"}} with status 400, 404 or 405 for another path or method, 413 if the request is too long, 415 if its content type is not JSON (that of curl -d is taken for it), and 422 if the evidence is impossible;`,
		"then conflict has findings that contradict each other, if the package has LogProb. The handler may serve several requests at once."),
		"Handler() "+g.Std("net/http.Handler"), "return httpService().Handler()")
	g.Func(source.Doc("OpenAPI returns the OpenAPI 3.1 description of Handler, for encoding/json."), "OpenAPI() any", "return httpService().OpenAPI()")
}

// httpService declares the function that describes the package to the runtime's handler.
func (g *API) httpService(served []Route) {
	of := "[Engine, Evidence, Soft]"
	queries, options := "", ""
	for _, r := range served {
		queries += ", " + r.Query
	}
	if g.Entry(ir.LogProb) != nil {
		options += ", Conflict: (*Engine).Conflict"
	}
	if g.form.Arrays {
		options += ", Arrays: true"
	}
	if list := g.Intervals(); list != nil {
		options += ", Intervals: " + fmt.Sprintf("%#v", list)
	}
	g.Func(source.Doc("httpService describes the package to the handler, with a pool of engines."), "httpService() *"+g.RT("Service")+of, fmt.Sprintf(`
pool := new(Pool)
return &%[1]s%[2]s{
	Names: &names, MaxRequest: MaxRequest, LogP: %[3]q, Queries: []%[4]s%[2]s{%[5]s},
	Get: pool.Get, Put: pool.Put, Set: (*Evidence).set, SetSoft: (*Soft).set, All: (*Evidence).All%[6]s,
}`, g.RT("Service"), of, g.LogPKey(), g.RT("Query"), queries[2:], options))
}

// httpSoft declares the method that sets likelihoods from JSON.
func (g *API) httpSoft() {
	body := "switch i {\n"
	for _, x := range g.Names.Observable() {
		if x.Measured {
			body += fmt.Sprintf("case %d:\n\treturn %s(&names, data, &s.%s)\n", x.Index, g.RT("ReadMeasurement"), x.ID)
		} else if x.Port.Soft() != "" {
			body += fmt.Sprintf("case %d:\n\treturn %s(data, &s.%s)\n", x.Index, g.Std("encoding/json.Unmarshal"), x.ID)
		}
	}
	g.Func(source.Doc("set sets the likelihood of the variable with index i."), "(s *Soft) set(i int, data []byte) error",
		body+"}\nreturn names.Fail(\"the variable takes no likelihood\", ErrLikelihood)")
}
