package learner

import (
	"context"
	"sync"
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
