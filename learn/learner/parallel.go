package learner

import (
	"context"
	"fmt"
	"sync"

	"github.com/pgmc-go/pgmc/learn/data"
)

// Each calls do for 0 to n-1, on so many goroutines at once. What do writes must belong to its number alone.
func Each(cores, n int, do func(i int)) {
	if cores <= 1 || n < 2*cores {
		for i := range n {
			do(i)
		}
		return
	}
	var wg sync.WaitGroup
	for k := range cores {
		wg.Go(func() {
			for i := k; i < n; i += cores {
				do(i)
			}
		})
	}
	wg.Wait()
}

// Limit gives a context that ends with ctx, and after MaxTime where there is one.
func (j *Job) Limit(ctx context.Context) (context.Context, context.CancelFunc) {
	if j.MaxTime > 0 {
		return context.WithTimeout(ctx, j.MaxTime)
	}
	return ctx, func() {}
}

// Counter gives what goroutines call after each of some steps, to tell how many are done.
func (j *Job) Counter(total int) func() {
	var mu sync.Mutex
	done := 0
	return func() {
		mu.Lock()
		defer mu.Unlock()
		done++
		j.Tell(Event{Done: done, Total: total})
	}
}

const (
	// maxCells is the most states of a variable times rows, of which each goroutine holds a few numbers: 256 MB a number.
	maxCells = 1 << 25
	// maxBits is the most states of all variables times rows, of which each has a bit: 256 MB.
	maxBits = 1 << 31
)

// Fits says what is wrong with data of which a learner holds numbers for each state of a variable and row, and a bit for each state of all.
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
