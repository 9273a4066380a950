package eval_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/pgmc-go/pgmc/ir"
	"github.com/pgmc-go/pgmc/ir/eval"
	"github.com/pgmc-go/pgmc/ir/model"
	pgmrt "github.com/pgmc-go/pgmc/runtime"
)

// settles is a program whose loop solves q ~ λ exp -(e+q) for the distribution q(a) over two
// states, where e is 1/2 and 0.
const settles = `program "settles" const logz 0 softbits 0 work 12 data 3 ints 1 state s0
span s0 i32 out 1 var -1 at 0 "state"
span s1 f64 in 2 var 0 at 0 "λ a"
span s2 f64 const 2 var -1 at 0 "energy" 0.5 0
span s3 f64 persistent 2 var -1 at 2 "q"
span s4 f64 temp 2 var -1 at 4 "new q"
span s5 f64 persistent 1 var -1 at 6 "residual"
span s6 f64 persistent 1 var -1 at 7 "damping"
span s7 f64 persistent 1 var -1 at 8 "ln P"
span s8 f64 persistent 1 var -1 at 9 "possible"
span s9 f64 out 2 var 0 at 10 "marginal of a"
span s10 f64 const 1 var -1 at 2 "one" 1
block "start"
product [v0:2] s3(1) = s1(1)
normalize s3
zero s7
product [] s8() = s10()
block "round"
zero s5
boltzmann s4 weight s1 = s2 s3
damp s3 s4 rate s6 residual s5
block "end"
product [v0:2] s9(1) = s3(1)
tallyentropy 1 s7 = s3 alive - ref s1
tallylog 3 s7 = s3 alive s8 ref -
entry beliefs "meanfield" loop 1 2 iterations 50 tolerance 1e-09 damping 0.25 residual s5 rate s6 logp s7 targets evidence factors all blocks 0 1 2 root s8 exp - outs s9
`

func TestRunLoop(t *testing.T) {
	p, err := ir.Parse(strings.NewReader(settles))
	if err != nil {
		t.Fatal(err)
	}
	m := &model.Model{Name: "settles"}
	m.NewVar("a", "a0", "a1")
	machine, entry := eval.New(p, m), &p.Entries[0]
	for _, c := range []struct {
		name   string
		set    func()
		opt    pgmrt.LoopOptions
		ctx    context.Context
		status pgmrt.Status
		rounds int // 0: more than one and fewer than all
		err    error
	}{
		{"settles", func() {}, pgmrt.LoopOptions{}, context.Background(), pgmrt.Converged, 0, nil},
		{"undamped", func() {}, pgmrt.LoopOptions{Damping: -1}, context.Background(), pgmrt.Converged, 0, nil},
		{"likelihood", func() { machine.Likelihood(0, []float64{1, 2}) }, pgmrt.LoopOptions{}, context.Background(), pgmrt.Converged, 0, nil},
		{"observed", func() { machine.Observe(0, 1) }, pgmrt.LoopOptions{Damping: -1}, context.Background(), pgmrt.Converged, 1, nil},
		{"two rounds", func() {}, pgmrt.LoopOptions{Iterations: 2}, context.Background(), pgmrt.NotConverged, 2, nil},
		{"all rounds", func() {}, pgmrt.LoopOptions{Tolerance: -1}, context.Background(), pgmrt.NotConverged, 50, nil},
		{"damping", func() {}, pgmrt.LoopOptions{Damping: 1}, context.Background(), pgmrt.NotConverged, 0, pgmrt.ErrOptions},
		{"iterations", func() {}, pgmrt.LoopOptions{Iterations: -1}, context.Background(), pgmrt.NotConverged, 0, pgmrt.ErrOptions},
		{"tolerance", func() {}, pgmrt.LoopOptions{Tolerance: math.NaN()}, context.Background(), pgmrt.NotConverged, 0, pgmrt.ErrOptions},
		{"stopped", func() {}, pgmrt.LoopOptions{}, done(), pgmrt.NotConverged, 0, context.Canceled},
		{"impossible", func() { machine.Likelihood(0, []float64{0, 1}); machine.Observe(0, 0) }, pgmrt.LoopOptions{}, context.Background(), pgmrt.Converged, 0, pgmrt.ErrImpossible},
	} {
		t.Run(c.name, func(t *testing.T) {
			machine.ClearEvidence()
			c.set()
			r, err := machine.RunLoop(c.ctx, entry, c.opt)
			if !errors.Is(err, c.err) {
				t.Fatalf("error %v; want %v", err, c.err)
			}
			if c.err != nil {
				return
			}
			if r.Status != c.status || c.rounds > 0 && r.Iterations != c.rounds || c.rounds == 0 && (r.Iterations < 2 || r.Iterations >= 50) {
				t.Errorf("%+v; want %v after %d rounds", r, c.status, c.rounds)
			}
			q, l := machine.Posterior(0), machine.Span(1)
			if c.status == pgmrt.Converged {
				x, y := l[0]*math.Exp(-.5-q[0]), l[1]*math.Exp(-q[1])
				if math.Abs(q[0]-x/(x+y)) > 1e-8 || !near(q[0]+q[1], 1) {
					t.Errorf("q is %v, and does not solve its equation", q)
				}
				want := 0.0
				for i := range q {
					if q[i] > 0 {
						want += q[i] * math.Log(l[i]/q[i])
					}
				}
				if scale := machine.LogP() - want; math.Abs(scale) > 1e-12 && c.name != "likelihood" || c.name == "likelihood" && math.Abs(scale-math.Log(2)) > 1e-12 {
					t.Errorf("ln P is %v; want %v and the likelihood's scale", machine.LogP(), want)
				}
			}
		})
	}
}

func done() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}
