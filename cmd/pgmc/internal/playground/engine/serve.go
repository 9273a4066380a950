package engine

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/pgmc-go/pgmc/ir/model"
)

// Request is a request of the page. Op names the operation; the other fields depend on it.
type Request struct {
	Op string `json:"op"`

	// For "load": a file's name and content, or only the name of a model that is part of pgmc.
	Name string `json:"name,omitempty"`
	Data []byte `json:"data,omitempty"` // base64 in JSON

	Question
	Var string `json:"var,omitempty"` // for "variable" and "cpd", and for "picture" of a large network

	Edit    Edit   `json:"edit"`              // for "edit"
	Version int    `json:"version,omitempty"` // for "back" and "save": see Loaded; 0 is the present one
	Format  string `json:"format,omitempty"`  // for "save", with the name of a file
	From    int    `json:"from,omitempty"`    // for "cpd": the first row
}

// Serve answers a request. The reply is JSON; after an error it is an object with the member error
// and, for impossible evidence, conflict.
func (e *Engine) Serve(ctx context.Context, request []byte) []byte {
	reply, err := e.serve(ctx, request)
	if err == nil {
		var text bytes.Buffer
		enc := json.NewEncoder(&text)
		enc.SetEscapeHTML(false)
		if err = enc.Encode(reply); err == nil {
			return bytes.TrimSpace(text.Bytes())
		}
	}
	return refusal(err)
}

func (e *Engine) serve(ctx context.Context, text []byte) (reply any, err error) {
	defer func() {
		if p := recover(); p != nil { // a page that has lost its engine is of no use
			err = fmt.Errorf("internal error: %v", p)
		}
	}()
	var r Request
	if err := json.Unmarshal(text, &r); err != nil {
		return nil, err
	}
	switch r.Op {
	case "models":
		return builtIn(), nil
	case "load":
		return e.load(r.Name, r.Data)
	case "new":
		return e.open(&model.Model{Kind: model.Bayes, Name: "model"}), nil
	}
	if e.m == nil {
		return nil, errors.New("no model is open")
	}
	switch r.Op {
	case "ask":
		return e.ask(ctx, &r.Question)
	case "mixture":
		return e.mixture(ctx, &r.Question, r.Var)
	case "variable":
		return e.variable(ctx, r.Var)
	case "picture":
		return e.drawing(r.Var, &r.Question)
	case "cpd":
		return e.cpd(r.Var, r.From)
	case "edit":
		return e.edit(ctx, &r.Edit)
	case "back":
		return e.back(r.Version)
	case "formats":
		return e.formats(), nil
	case "save":
		return e.save(r.Name, r.Format, r.Version)
	case "go":
		if e.Source != nil {
			return e.Source(ctx, e.m)
		}
	}
	return nil, fmt.Errorf("unknown request %q", r.Op)
}

// ask answers a question.
func (e *Engine) ask(ctx context.Context, q *Question) (*Answer, error) {
	switch {
	case e.m.Transition != nil:
		return e.sequence(ctx, q)
	case e.decides():
		return e.decide(ctx, q)
	}
	return e.network(ctx, q)
}

// drawing answers with the picture of a model.
func (e *Engine) drawing(name string, q *Question) (*Picture, error) {
	if e.m.Transition != nil {
		return e.slices(q.sequence())
	}
	return e.picture(name)
}
