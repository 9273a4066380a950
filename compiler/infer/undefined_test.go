package infer_test

import (
	"context"
	"errors"
	"testing"

	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/compiler/method"
	"github.com/pgmc-go/pgmc/compiler/method/filter"
)

// falling goes down by 1 a slice, from 1; its observation is a square root.
const falling = `{"pgmc": 2, "kind": "bayes", "variables": [{"name": "x", "real": true}, {"name": "y", "real": true}],
"factors": [{"scope": ["x"], "child": "x", "gaussian": {"mean": [1], "var": [0.01]}}, {"scope": ["x", "y"], "child": "y", "func": {"mean": "sqrt(x)", "var": [0.5]}}],
"next": {"factors": [{"scope": [["x", 1], "x"], "child": "x", "gaussian": {"mean": [-1], "coef": [1], "var": [0.01]}},
 {"scope": ["x", "y"], "child": "y", "func": {"mean": "sqrt(x)", "var": [0.5]}}]}}`

// TestUndefinedMeans checks which function an error names, and where: at the mean in ekf, and at
// one of the points in ukf, which are on both sides of 0 in slice 1.
func TestUndefinedMeans(t *testing.T) {
	for _, c := range []struct {
		method method.Instance
		steps  int // without error
		want   string
	}{
		{filter.NewEKFOptions(), 2, `the mean of "y" is not defined: found sqrt(x); want it defined at x = -1`},
		{filter.NewUKFOptions(), 1, `the mean of "y" is not defined: found sqrt(x); want it defined everywhere near x = 0`},
	} {
		ctx := context.Background()
		e, err := infer.New(ctx, read(t, falling), infer.Options{Method: c.method})
		if err != nil {
			t.Fatal(err)
		}
		f, err := e.Filter(ctx)
		for err == nil && f.Len() < 10 {
			_, err = f.Step(ctx, nil)
		}
		if f.Len() != c.steps || err == nil || err.Error() != c.want || errors.Is(err, infer.ErrImpossible) {
			t.Errorf("%s: %d slices, then %v; want %d and %s", c.method.MethodName(), f.Len(), err, c.steps, c.want)
		}
		if _, err := e.Smooth(ctx, make([]infer.Given, c.steps+1)); !errors.As(err, new(*infer.UndefinedError)) {
			t.Errorf("%s: smoothed, error %v", c.method.MethodName(), err)
		}
	}
}
