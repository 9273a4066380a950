package cli

import (
	"context"
	"fmt"
	"math"
	"os"
	"sync/atomic"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"github.com/pgmc-go/pgmc/compiler/infer"
)

// progress is a progress bar on a terminal.
type progress struct {
	done, ended chan struct{}
	state       atomic.Pointer[string] // what is known by now; nil for nothing
}

// The bar appears if the work takes longer than progressAfter, and is redrawn every progressEvery.
const (
	progressAfter = time.Second
	progressEvery = 200 * time.Millisecond
)

// Progress starts a progress bar if standard error is a terminal and --quiet is not given. Unless
// count is nil, it returns the number of rows that are done.
func (a *App) Progress(what string, count func() int64) *progress {
	p := &progress{done: make(chan struct{}), ended: make(chan struct{})}
	file, ok := a.Stderr.(*os.File)
	if a.Quiet || !ok || !term.IsTerminal(int(file.Fd())) {
		close(p.ended)
		return p
	}
	go p.show(file, what, count)
	return p
}

// Stop clears the progress bar.
func (p *progress) Stop() {
	close(p.done)
	<-p.ended
}

func (p *progress) show(file *os.File, what string, count func() int64) {
	defer close(p.ended)
	select {
	case <-p.done:
		return
	case <-time.After(progressAfter):
	}
	bar := progressbar.NewOptions64(-1, progressbar.OptionSetWriter(file), progressbar.OptionSetDescription(what),
		progressbar.OptionShowCount(), progressbar.OptionSetElapsedTime(true), progressbar.OptionClearOnFinish())
	defer bar.Clear() // if this fails, the bar stays, which does no harm
	for {
		n := int64(0)
		if count != nil {
			n = count()
		}
		if state := p.state.Load(); state != nil {
			bar.Describe(what + ": " + *state)
		}
		if bar.Set64(n) != nil {
			return
		}
		select {
		case <-p.done:
			return
		case <-time.After(progressEvery):
		}
	}
}

// LinesHelp is the help text of --progress.
const LinesHelp = "while a search with bounds runs, write its best value, bound and gap to standard error, at most once a second"

// linesEvery is the least time between two lines of --progress.
const linesEvery = time.Second

// Follow shows what a search with bounds knows while it runs, until the returned function stop is
// called: in a progress bar on a terminal, or with --progress in lines on standard error. unit
// multiplies natural logarithms.
func (a *App) Follow(ctx context.Context, what string, unit float64) (tell func(infer.Progress), stop func()) {
	bar := a.Progress(what, nil)
	var last time.Time
	phase := ""
	return func(p infer.Progress) {
		text := progressText(ctx, p, unit)
		bar.state.Store(&text)
		if a.Lines && (phase != p.Phase || time.Since(last) >= linesEvery) {
			phase, last = p.Phase, time.Now()
			fmt.Fprintf(a.Stderr, "%s: %s\n", what, text)
		}
	}, bar.Stop
}

// progressText describes what a search knows.
func progressText(ctx context.Context, p infer.Progress, unit float64) string {
	text := p.Phase
	if !math.IsInf(p.Best, -1) {
		text += fmt.Sprintf(", best %.8g", unit*p.Best)
	}
	if !math.IsInf(p.Bound, 0) {
		text += fmt.Sprintf(", bound %.8g", unit*p.Bound)
	}
	if gap := p.Bound - p.Best; !math.IsInf(gap, 0) && !math.IsNaN(gap) {
		text += fmt.Sprintf(", gap %.3g", unit*max(gap, 0))
	}
	if p.Nodes > 0 {
		text += fmt.Sprintf(", %d nodes", p.Nodes)
	}
	if end, ok := ctx.Deadline(); ok {
		text += fmt.Sprintf(", %v left", max(0, time.Until(end)).Round(time.Second/10))
	}
	return text
}
