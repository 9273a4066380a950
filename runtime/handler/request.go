package handler

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"

	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// read reads a request. The likelihoods are nil if it has none.
func (s *Service[G, E, S]) read(w http.ResponseWriter, r *http.Request, ev *E) (*S, *httpProblem) {
	in, problem := httpMembers(w, r, s.MaxRequest)
	if problem != nil {
		return nil, problem
	}
	observe := func(i int, raw []byte) error { return s.observe(ev, i, raw) }
	if problem := httpEach(s.Names, "evidence", in["evidence"], observe); problem != nil {
		return nil, problem
	}
	if in["soft"] == nil {
		return nil, nil
	}
	soft := new(S)
	return soft, httpEach(s.Names, "soft", in["soft"], func(i int, raw []byte) error { return s.SetSoft(soft, i, raw) })
}

// httpMembers returns the parts of a request of at most a number of bytes.
func httpMembers(w http.ResponseWriter, r *http.Request, most int64) (map[string]json.RawMessage, *httpProblem) {
	if kind := r.Header.Get("Content-Type"); !httpJSON(kind) {
		return nil, &httpProblem{status: http.StatusUnsupportedMediaType, message: "the content type is " + strconv.Quote(pgmrt.Short(kind)) + "; want application/json"}
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, most))
	if err != nil {
		status := http.StatusBadRequest
		if long := new(http.MaxBytesError); errors.As(err, &long) {
			status = http.StatusRequestEntityTooLarge
		}
		return nil, &httpProblem{status: status, message: "the request: " + err.Error()}
	}
	in, err := pgmrt.JSONMembers(body)
	if err != nil {
		return nil, &httpProblem{status: http.StatusBadRequest, message: "the request: " + err.Error()}
	}
	part := func(name string) bool { return name == "evidence" || name == "soft" }
	if unknown, ok := httpUnknown(in, part); ok {
		return nil, &httpProblem{status: http.StatusBadRequest, message: "the request: unknown member " + strconv.Quote(pgmrt.Short(unknown)) + "; want evidence and soft"}
	}
	return in, nil
}

// httpJSON reports whether a content type is JSON, the type that curl -d sends, or not given.
func httpJSON(kind string) bool {
	kind, _, _ = strings.Cut(kind, ";")
	switch kind = strings.ToLower(strings.TrimSpace(kind)); kind {
	case "", "application/json", "text/json", "application/x-www-form-urlencoded":
		return true
	}
	return strings.HasSuffix(kind, "+json")
}

// httpEach calls set for the variables of an object, in the model's order. There may be no object.
func httpEach(n *pgmrt.Names, part string, data []byte, set func(i int, raw []byte) error) *httpProblem {
	if data == nil || string(data) == "null" {
		return nil
	}
	of, err := pgmrt.JSONMembers(data)
	if err != nil {
		return &httpProblem{status: http.StatusBadRequest, message: part + ": " + err.Error()}
	}
	left := len(of)
	for i, v := range n.Vars {
		raw, ok := of[v.Name]
		if !ok {
			continue
		}
		left--
		if err := set(i, raw); err != nil {
			return &httpProblem{status: http.StatusBadRequest, message: err.Error(), variable: v.Name}
		}
	}
	if left == 0 {
		return nil
	}
	unknown, _ := httpUnknown(of, func(name string) bool {
		_, err := n.Index(name)
		return err == nil
	})
	return &httpProblem{status: http.StatusBadRequest, message: "there is no such variable", variable: pgmrt.Short(unknown)}
}

// httpUnknown returns the first name of a member that is not known, in alphabetical order.
func httpUnknown(of map[string]json.RawMessage, known func(name string) bool) (unknown string, found bool) {
	for name := range of {
		if !known(name) && (!found || name < unknown) {
			unknown, found = name, true
		}
	}
	return unknown, found
}

// observe sets a variable to the name of a state, or to a number.
func (s *Service[G, E, S]) observe(ev *E, i int, raw []byte) error {
	var value any
	if err := json.Unmarshal(raw, &value); err == nil {
		switch value := value.(type) {
		case nil:
			return s.Set(ev, i, "")
		case string:
			return s.Set(ev, i, value)
		case float64:
			return s.Set(ev, i, strconv.FormatFloat(value, 'g', -1, 64))
		}
	}
	return s.Names.Fail("want the name of a state or a number; got "+pgmrt.Short(string(raw)), pgmrt.ErrState)
}

// ReadMeasurement reads a measurement of a real variable into a struct with a mean and a variance.
// The text null leaves it unchanged.
func ReadMeasurement(n *pgmrt.Names, data []byte, into any) error {
	if string(data) == "null" {
		return nil
	}
	in, err := pgmrt.JSONMembers(data)
	if err != nil || len(in) != 2 || in["mean"] == nil || in["var"] == nil || json.Unmarshal(data, into) != nil {
		return n.Fail("want a measurement, as in {\"mean\": 1.8, \"var\": 0.01}; got "+pgmrt.Short(string(data)), pgmrt.ErrLikelihood)
	}
	return nil
}
