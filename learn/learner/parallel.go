package learner

import (
	"context"
	"fmt"
	"sync"

	"github.com/pgmc-go/pgmc/ir/diag"
	"github.com/pgmc-go/pgmc/ir/group"
	"github.com/pgmc-go/pgmc/learn/data"
)

// Each calls do with 0 to n-1, on the given number of goroutines. Each call may write only to data
// of its own index. A panic in a call is one of Each.
func Each(cores, n int, do func(i int)) {
	if cores <= 1 || n < 2*cores {
		for i := range n {
			do(i)
		}
		return
	}
	var g group.Group
	for k := range cores {
		g.Go(func() {
			for i := k; i < n; i += cores {
				do(i)
			}
		})
	}
	g.Wait()
}

// Each is [Each] on the job's cores, for calls that ask for counts of the rows. If these come from
// a source, the calls ask it together, see [data.Set.Together].
func (j *Job) Each(n int, do func(i int)) {
	if !j.Train.Together(n, do) {
		Each(j.Cores, n, do)
	}
}

// Limit returns a context that ends with ctx, and after MaxTime if it is set. Its cause then names
// the option.
func (j *Job) Limit(ctx context.Context) (context.Context, context.CancelFunc) {
	if j.MaxTime > 0 {
		over := diag.Errorf("%v is over; give more time", diag.Option{Name: "max-time", Value: j.MaxTime.String()})
		return context.WithTimeoutCause(ctx, j.MaxTime, over)
	}
	return ctx, func() {}
}

// Counter returns a function for goroutines to call after each step. It reports the number of steps
// done, of the given total.
func (j *Job) Counter(total int) func() {
	var mu sync.Mutex
	done := 0
	return func() {
		mu.Lock()
		defer mu.Unlock()
		done++
		j.ReportProgress(Event{Done: done, Total: total})
	}
}

const (
	// maxCells bounds the states of a variable times rows. Each goroutine holds a few numbers for
	// each of these: 256 MB a number.
	maxCells = 1 << 25
	// maxBits bounds the states of all variables times rows, with a bit for each: 256 MB.
	maxBits = 1<<31 - 1
)

// Fits returns an error if the data is too large for a learner that holds numbers for each state of
// a variable and row, and a bit for each state of all variables and row.
func Fits(s *data.Set) error {
	states := 0
	for _, v := range s.Vars {
		states += len(v.States)
		if len(v.States) > maxCells/max(1, s.Len()) {
			return fmt.Errorf("variable %q has %d states, in %d rows; want at most %d states times rows: leave it out, or give it fewer states", v.Name, len(v.States), s.Len(), maxCells)
		}
	}
	if states > maxBits/max(1, s.Len()) {
		return fmt.Errorf("the variables have %d states, in %d rows; want at most %d states times rows", states, s.Len(), maxBits)
	}
	return nil
}
