package learnertest

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/learn/data"
	"github.com/pgmc-go/pgmc/learn/learner"
)

// Resume stops a learner after each of the first steps of its search, and wants it to come to the same result when it goes on. Checkpoints
// of other searches, and damaged ones, are to be refused.
func Resume(t *testing.T, l learner.Learner, s *data.Set, args ...string) {
	t.Helper()
	job := func() *learner.Job { return &learner.Job{Train: s, Valid: s, Cores: 1} }
	want := Learn(t, l, job(), args...)
	var last *learner.Checkpoint
	resumed := 0
	for looks := 12; looks <= 120; looks += 9 {
		var kept *learner.Checkpoint
		first := job()
		first.Save = func(c *learner.Checkpoint) error { kept = c; return nil }
		ctx := &patient{Context: context.Background(), looks: looks}
		if _, err := Make(t, l, args...).Learn(ctx, first); err == nil || kept == nil { // it was at its end
			break
		}
		resumed++
		text, err := json.Marshal(kept)
		if err != nil {
			t.Fatal(err)
		}
		last = &learner.Checkpoint{}
		if err := json.Unmarshal(text, last); err != nil {
			t.Fatal(err)
		}
		second := job()
		second.Resume = last
		if got := Learn(t, l, second, args...); !reflect.DeepEqual(got, want) {
			t.Errorf("stopped after %d looks, it comes to %v; want %v", looks, got.Report, want.Report)
		}
	}
	if resumed < 3 {
		t.Fatalf("%d checkpoints; want 3 at least", resumed)
	}
	refused(t, l, last, job, args)
}

// refused wants checkpoints that do not fit the job to be refused.
func refused(t *testing.T, l learner.Learner, c *learner.Checkpoint, job func() *learner.Job, args []string) {
	t.Helper()
	for _, bad := range []struct {
		name, want string
		change     func(*learner.Checkpoint)
	}{
		{"another learner", "the checkpoint is of learner", func(c *learner.Checkpoint) { c.Learner = "other" }},
		{"other options", "want the same options and rows", func(c *learner.Checkpoint) { c.Options += "x" }},
		{"no state", "the checkpoint is damaged", func(c *learner.Checkpoint) { c.State = nil }},
		{"a split of nothing", "the checkpoint is damaged: there is no split of 99 on state 0 of variable 0", func(c *learner.Checkpoint) {
			c.State = json.RawMessage(`{"steps":[{"o":99,"v":0,"s":0}]}`)
		}},
		{"a variable split on itself", "the checkpoint is damaged: the split of 0 on state 0 of variable 0 cannot be made", func(c *learner.Checkpoint) {
			c.State = json.RawMessage(`{"steps":[{"o":0,"v":0,"s":0}]}`)
		}},
		{"a state that waits", "the checkpoint is damaged: there is no split of 0 on state 7 of variable 0", func(c *learner.Checkpoint) {
			c.State = json.RawMessage(`{"queue":{"list":[{"o":0,"v":0,"s":7}]}}`)
		}},
	} {
		j, x := job(), *c
		bad.change(&x)
		j.Resume = &x
		if _, err := Make(t, l, args...).Learn(context.Background(), j); err == nil || !strings.Contains(err.Error(), bad.want) {
			t.Errorf("%s: got error %v; want one of %q", bad.name, err, bad.want)
		}
	}
}

// patient is a context that ends once it has been looked at so often.
type patient struct {
	context.Context
	looks int
}

func (p *patient) Err() error {
	if p.looks--; p.looks < 0 {
		return fmt.Errorf("no more looks: %w", context.Canceled)
	}
	return nil
}
