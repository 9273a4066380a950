package learnertest

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/learn/learner"
)

// Damage is an invalid state of a checkpoint, and the error that it must cause.
type Damage struct{ State, Want string }

// Splits holds damaged states of learners that grow circuits.
var Splits = []Damage{
	{`{"steps":[{"o":99,"v":0,"s":0}]}`, "the split of 99 on state 0 of variable 0 has a number out of range"},
	{`{"steps":[{"o":0,"v":0,"s":0}]}`, "the split of 0 on state 0 of variable 0 cannot be made"},
	{`{"queue":{"list":[{"o":0,"v":0,"s":7}]}}`, "the split of 0 on state 7 of variable 0 has a number out of range"},
}

// Resume stops a learner after different numbers of steps, every other time in a search that was
// itself resumed, and checks that the resumed search has the same result. It checks that the
// learner rejects checkpoints of other searches, and damaged ones.
func Resume(t *testing.T, l learner.Learner, job learner.Job, damaged []Damage, args ...string) {
	t.Helper()
	if !l.Resumes {
		t.Fatalf("%s says that it keeps no checkpoints", l.Name)
	}
	job.Cores = 1
	want := Learn(t, l, &job, args...)
	var last *learner.Checkpoint
	resumed := 0
	for looks := 1; resumed < 9 && looks < 10_000; looks += looks/2 + 2 {
		var kept *learner.Checkpoint
		first := job
		first.Save = func(c *learner.Checkpoint) error { kept = c; return nil }
		if resumed%2 == 1 {
			first.Resume = last
		}
		ctx := &patient{Context: context.Background(), looks: looks}
		if _, err := Make(t, l, args...).Learn(ctx, &first); err == nil { // it finished
			break
		}
		if kept == nil { // it had not started
			continue
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
		second := job
		second.Resume, second.Cores = last, 2
		if got := Learn(t, l, &second, args...); !reflect.DeepEqual(got, want) {
			t.Errorf("stopped after %d looks, it comes to %v; want %v", looks, got.Report, want.Report)
		}
	}
	if resumed < 3 {
		t.Fatalf("%d checkpoints; want 3 at least", resumed)
	}
	refused(t, l, last, job, damaged, args)
	survived(t, l, last, job, args)
}

// refused checks that a learner rejects checkpoints that do not fit the job.
func refused(t *testing.T, l learner.Learner, c *learner.Checkpoint, job learner.Job, damaged []Damage, args []string) {
	t.Helper()
	refuse := func(x learner.Checkpoint, want string) {
		j := job
		j.Resume = &x
		if _, err := Make(t, l, args...).Learn(context.Background(), &j); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("state %.200s: got error %v; want one of %q", x.State, err, want)
		}
	}
	refuse(learner.Checkpoint{Learner: "other", Options: c.Options, State: c.State}, "the checkpoint was saved by learner")
	refuse(learner.Checkpoint{Learner: c.Learner, Options: c.Options + "x", State: c.State}, "want the same options and rows")
	refuse(learner.Checkpoint{Learner: c.Learner, Options: c.Options}, "the checkpoint is damaged")
	for _, bad := range damaged {
		refuse(learner.Checkpoint{Learner: c.Learner, Options: c.Options, State: json.RawMessage(bad.State)}, "the checkpoint is damaged: "+bad.Want)
	}
}

// survived changes each kind of value in a state. The learner must either reject the state as
// damaged or return a sound model.
func survived(t *testing.T, l learner.Learner, c *learner.Checkpoint, job learner.Job, args []string) {
	t.Helper()
	var state any
	if err := json.Unmarshal(c.State, &state); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	try := func(path string) {
		text, err := json.Marshal(state)
		if err != nil {
			t.Fatal(err)
		}
		j := job
		j.Resume = &learner.Checkpoint{Learner: c.Learner, Options: c.Options, State: text}
		r, err := Make(t, l, args...).Learn(context.Background(), &j)
		switch {
		case err == nil:
			sound(t, job.Train, r)
		case !strings.HasPrefix(err.Error(), "the checkpoint is damaged: "):
			t.Errorf("other %s: got error %v; want one that says that the checkpoint is damaged", path, err)
		}
	}
	walk(state, "state", seen, func(any) {}, try)
}

// walk changes one value at a time in parsed JSON, the first of each kind, and restores it.
func walk(x any, path string, seen map[string]bool, set func(any), try func(path string)) {
	change := func(list ...any) {
		if !seen[path] {
			seen[path] = true
			for _, y := range append(list, nil) {
				set(y)
				try(fmt.Sprintf("%s, %v", path, y))
			}
			set(x)
		}
	}
	switch v := x.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			walk(v[key], path+"."+key, seen, func(y any) { v[key] = y }, try)
		}
	case []any:
		if len(v) > 0 {
			change(v[1:], append(slices.Clone(v), v[0]))
		}
		for i := range v {
			walk(v[i], path+"[]", seen, func(y any) { v[i] = y }, try)
		}
	case float64:
		change(-1.0, 2.0, 1e9)
	}
}

// patient is a context that ends after a number of calls of Err.
type patient struct {
	context.Context
	looks int
}

// Err returns an error that wraps context.Canceled once it was called more often than allowed.
func (p *patient) Err() error {
	if p.looks--; p.looks < 0 {
		return fmt.Errorf("no more looks: %w", context.Canceled)
	}
	return nil
}
