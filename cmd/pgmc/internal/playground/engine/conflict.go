package engine

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/pgmc-go/pgmc/compiler/infer"
)

// Impossible is the reply to a question with impossible evidence.
type Impossible struct {
	Message  string   `json:"error"`
	Conflict []string `json:"conflict"` // variables with findings that contradict each other
}

// Error returns the message.
func (e *Impossible) Error() string { return e.Message }

// explain returns the reply to a question that has no answer because of err. If the evidence is
// impossible, it names findings that contradict each other.
func (e *Engine) explain(ctx context.Context, in *infer.Engine, given infer.Evidence, err error) error {
	var found *infer.ImpossibleError
	if !errors.As(err, &found) {
		return err
	}
	part, problem := in.Conflict(ctx, given)
	if problem != nil || part == nil {
		return err
	}
	if len(part.Known()) < len(given) {
		found.Conflict = part.Text(e.m)
	}
	return &Impossible{found.Error(), e.names(part.Known())}
}

// refusal returns the reply to a request that failed.
func refusal(err error) []byte {
	var reply any = map[string]string{"error": err.Error()}
	if e := (*Impossible)(nil); errors.As(err, &e) {
		reply = e
	}
	text, _ := json.Marshal(reply) // strings always encode
	return text
}
