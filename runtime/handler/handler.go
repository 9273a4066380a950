// Package handler answers HTTP requests by the queries of a package that pgmc generates. It is a
// part of the runtime: a generated package with a handler imports it or holds a copy.
package handler

import (
	"errors"
	"iter"
	"net/http"

	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// Service describes a generated package to its handler. G is the type of its engines, E of evidence
// and S of likelihoods.
type Service[G, E, S any] struct {
	Names      *pgmrt.Names
	MaxRequest int64 // the most bytes of a request
	Queries    []Query[G, E, S]

	Get func() *G // lends an engine
	Put func(e *G)

	Set      func(ev *E, variable int, value string) error  // observes a variable
	SetSoft  func(soft *S, variable int, data []byte) error // sets a likelihood, from JSON
	All      func(ev *E) iter.Seq2[string, string]          // iterates over the findings
	Conflict func(e *G, ev *E) (E, error)                   // returns findings that contradict each other; may be nil

	LogP      string // the JSON key of the log-probability among posteriors
	Arrays    bool   // posteriors are arrays in JSON
	Intervals []int  // the variables that have states and take a number for one
}

// Query is a query that has a path of its own.
type Query[G, E, S any] struct {
	path       string
	what       string                                   // for the OpenAPI document
	properties func(s *Service[G, E, S]) map[string]any // of the answer in the OpenAPI document
	ask        func(e *G, ev *E, soft *S) (any, error)
}

// MarginalsQuery returns the query for the posteriors of all variables.
func MarginalsQuery[G, E, S, A any](ask func(e *G, ev *E, soft *S, out *A) error) Query[G, E, S] {
	return AnswerQuery("/marginals", "The posterior distribution of every variable.", true, nil, ask)
}

// AnswerQuery returns a query with an answer of a type of the package. Members holds the types of
// the members of its JSON, beside the posteriors of all variables if it is full.
func AnswerQuery[G, E, S, A any](path, what string, full bool, members map[string]string, ask func(e *G, ev *E, soft *S, out *A) error) Query[G, E, S] {
	return Query[G, E, S]{
		path: path, what: what,
		properties: func(s *Service[G, E, S]) map[string]any {
			out := map[string]any{}
			if full {
				out = s.posteriors()
			}
			for name, kind := range members {
				out[name] = httpType(kind)
			}
			return out
		},
		ask: func(e *G, ev *E, soft *S) (any, error) {
			out := new(A)
			return out, ask(e, ev, soft, out)
		},
	}
}

// LogProbQuery returns the query for the probability of the evidence.
func LogProbQuery[G, E, S any](ask func(e *G, ev *E, soft *S) (float64, error)) Query[G, E, S] {
	return Query[G, E, S]{
		path: "/logprob", what: "The natural logarithm of the probability of the evidence.",
		properties: func(*Service[G, E, S]) map[string]any { return map[string]any{"logP": httpType("number")} },
		ask: func(e *G, ev *E, soft *S) (any, error) {
			p, err := ask(e, ev, soft)
			return map[string]any{"logP": p}, err
		},
	}
}

// MPEQuery returns the query for a most probable completion of the evidence.
func MPEQuery[G, E, S, A any](ask func(e *G, ev *E, soft *S, out *A) (float64, error)) Query[G, E, S] {
	return Query[G, E, S]{
		path: "/mpe", what: "A most probable completion of the evidence.",
		properties: func(*Service[G, E, S]) map[string]any {
			return map[string]any{"states": httpType("object"), "logP": httpType("number")}
		},
		ask: func(e *G, ev *E, soft *S) (any, error) {
			out := new(A)
			p, err := ask(e, ev, soft, out)
			return map[string]any{"states": out, "logP": p}, err
		},
	}
}

// Handler returns the handler. It may serve several requests at once.
func (s *Service[G, E, S]) Handler() http.Handler {
	mux, methods := http.NewServeMux(), map[string]string{"/openapi.json": "GET, HEAD"}
	for _, q := range s.Queries {
		methods[q.path] = "POST"
		mux.HandleFunc("POST "+q.path, func(w http.ResponseWriter, r *http.Request) { s.answer(w, r, q.ask) })
	}
	mux.HandleFunc("GET /openapi.json", func(w http.ResponseWriter, _ *http.Request) { httpReply(w, http.StatusOK, s.OpenAPI()) })
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) { httpRefuse(w, r, methods[r.URL.Path]) })
	return mux
}

// httpRefuse answers a request that has another path, or another method than those that it wants.
func httpRefuse(w http.ResponseWriter, r *http.Request, want string) {
	if want == "" {
		(&httpProblem{status: http.StatusNotFound, message: "there is nothing at this path"}).reply(w)
		return
	}
	w.Header().Set("Allow", want)
	(&httpProblem{status: http.StatusMethodNotAllowed, message: "the method is " + r.Method + "; want " + want}).reply(w)
}

// answer answers one request by the query ask.
func (s *Service[G, E, S]) answer(w http.ResponseWriter, r *http.Request, ask func(e *G, ev *E, soft *S) (any, error)) {
	var ev E
	soft, problem := s.read(w, r, &ev)
	if problem != nil {
		problem.reply(w)
		return
	}
	e := s.Get()
	defer s.Put(e)
	out, err := ask(e, &ev, soft)
	if err != nil {
		s.failure(e, &ev, err).reply(w)
		return
	}
	httpReply(w, http.StatusOK, out)
}

// failure returns the problem of a query that failed with err.
func (s *Service[G, E, S]) failure(e *G, ev *E, err error) *httpProblem {
	if !errors.Is(err, pgmrt.ErrImpossible) {
		return &httpProblem{status: http.StatusBadRequest, message: err.Error()}
	}
	p := &httpProblem{status: http.StatusUnprocessableEntity, message: err.Error()}
	if s.Conflict == nil {
		return p
	}
	if part, err := s.Conflict(e, ev); err == nil {
		for name, value := range s.All(&part) {
			if p.conflict == nil {
				p.conflict = map[string]string{}
			}
			p.conflict[name] = value
		}
	}
	return p
}
