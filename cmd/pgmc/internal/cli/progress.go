package cli

import (
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"github.com/pgmc-go/pgmc/compiler/infer"
	"github.com/pgmc-go/pgmc/learn/data/rowfile"
	"github.com/pgmc-go/pgmc/learn/learner"
)

// progress reports how far a command is. On a terminal that is one line, which changes; with
// --progress it is a line at intervals, there and elsewhere.
type progress struct {
	done, ended chan struct{}

	what  string
	count func() int64 // rows that are done; may be nil
	total int64        // rows in all; 0 if unknown
	begin time.Time

	mu    sync.Mutex
	input *rowfile.Reader // of the file that was opened last; nil if none was
	phase string
	event learner.Event
	since time.Time // when the phase began
	found string    // what a search with bounds knows; empty if there is none
}

// The report begins if the work takes longer than progressAfter. It is drawn every progressEvery on
// a terminal. Lines are written every progressLine, lines of a search with bounds when there is
// something new, but not before progressAfter.
const (
	progressAfter = time.Second
	progressEvery = 200 * time.Millisecond
	progressLine  = 10 * time.Second
)

// progressHelp is the help text of --progress.
const progressHelp = "report progress in lines on standard error, which need not be a terminal: every ten seconds, and the best value, bound and gap of a search with bounds at most once a second"

// Progress starts a report if standard error is a terminal or --progress is given, and --quiet is
// not. Unless count is nil, it returns the number of rows that are done. Until Stop, [App.Phase]
// and [App.Step] tell the report more.
func (a *App) Progress(what string, count func() int64) *progress {
	now := time.Now()
	p := &progress{done: make(chan struct{}), ended: make(chan struct{}), what: what, count: count, total: a.known, input: a.input, begin: now, since: now}
	file, ok := a.Stderr.(*os.File)
	switch {
	case a.Quiet:
		close(p.ended)
	case a.lines:
		go p.write(a.Stderr, progressAfter, progressLine)
	case ok && term.IsTerminal(int(file.Fd())):
		go p.draw(file)
	case a.Patience != "":
		go p.tell(a.Stderr, patience, a.Patience)
	default:
		close(p.ended)
	}
	a.progress = p
	return p
}

// Phase tells the report the present work of the command: step number, from 1, of total, or 0 of 0
// if there are no such steps.
func (a *App) Phase(name string, number, total int) {
	if p := a.progress; p != nil {
		p.mu.Lock()
		defer p.mu.Unlock()
		if total > 0 {
			name = fmt.Sprintf("%s (%d of %d)", name, number, total)
		}
		p.phase, p.event, p.since = name, learner.Event{}, time.Now()
	}
}

// reads tells this report and the next the file that is read.
func (a *App) reads(r *rowfile.Reader) {
	a.input = r
	if p := a.progress; p != nil {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.input = r
	}
}

// Step tells the report how far a search is.
func (a *App) Step(e learner.Event) {
	if p := a.progress; p != nil {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.event = e
	}
}

// Stop ends the report and clears its line on a terminal.
func (p *progress) Stop() {
	close(p.done)
	<-p.ended
}

// patience is how long work may take in silence, if App.Patience says something.
const patience = 5 * time.Second

// tell writes one line if the work takes longer than after.
func (p *progress) tell(w io.Writer, after time.Duration, text string) {
	defer close(p.ended)
	if !p.over(after) {
		fmt.Fprintf(w, "pgmc: %s: %s\n", p.what, text)
	}
}

// draw keeps one line of a terminal current.
func (p *progress) draw(file *os.File) {
	defer close(p.ended)
	if p.over(progressAfter) {
		return
	}
	bar := progressbar.NewOptions64(-1, progressbar.OptionSetWriter(file), progressbar.OptionSetDescription(p.line(time.Now())),
		progressbar.OptionSetElapsedTime(true), progressbar.OptionClearOnFinish())
	defer bar.Clear() // if this fails, the line stays, which does no harm
	for n := int64(0); ; n++ {
		bar.Describe(p.line(time.Now()))
		if bar.Set64(n) != nil || p.over(progressEvery) {
			return
		}
	}
}

// write writes a line after the first time and then at intervals, unless a search tells when there
// is something new.
func (p *progress) write(w io.Writer, after, every time.Duration) {
	defer close(p.ended)
	for wait := after; !p.over(wait); wait = every {
		p.mu.Lock()
		follows := p.found != ""
		p.mu.Unlock()
		if now := time.Now(); !follows {
			fmt.Fprintf(w, "%s [%v]\n", p.line(now), now.Sub(p.begin).Round(time.Second))
		}
	}
}

// over waits and reports whether the work has ended.
func (p *progress) over(wait time.Duration) bool {
	select {
	case <-p.done:
		return true
	case <-time.After(wait):
		return false
	}
}

// line describes how far the work is: its phase, the rows or steps that are done and their number,
// the best score so far, and the time left if steps take as long as before.
func (p *progress) line(now time.Time) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.found != "" {
		return p.what + ": " + p.found
	}
	var parts []string
	if p.phase != "" {
		parts = append(parts, p.phase)
	}
	if rows := p.rows(); rows != "" {
		parts = append(parts, rows)
	}
	e := p.event
	switch {
	case e.Total > 0:
		parts = append(parts, fmt.Sprintf("step %d of %d", e.Done, e.Total))
	case e.Done > 0:
		parts = append(parts, fmt.Sprintf("step %d", e.Done))
	}
	if e.Score != 0 {
		parts = append(parts, fmt.Sprintf("score %.6g", e.Score))
	}
	if e.Total > e.Done && e.Done > 0 {
		left := now.Sub(p.since) * time.Duration(e.Total-e.Done) / time.Duration(e.Done)
		parts = append(parts, fmt.Sprintf("%v left", left.Round(time.Second)))
	}
	if parts == nil {
		return p.what
	}
	return p.what + ": " + strings.Join(parts, ", ")
}

// rows describes the rows that are done, or the share of the file that is read; empty if there is
// nothing to say.
func (p *progress) rows() string {
	done := int64(0)
	if p.count != nil {
		done = p.count()
	}
	share := 1.0
	if p.input != nil {
		if read, known := p.input.Share(); known {
			share = read
		}
	}
	percent := int(100 * share)
	switch {
	case done > 0 && p.total > 0:
		return fmt.Sprintf("%d of %d done", done, p.total)
	case done > 0 && share < 1:
		return fmt.Sprintf("%d done, %d %% of the file read", done, percent)
	case done > 0:
		return fmt.Sprintf("%d done", done)
	case share > 0 && share < 1:
		return fmt.Sprintf("reading %d %%", percent)
	}
	return ""
}

// Follow starts a report about a search with bounds, until stop is called. unit multiplies natural
// logarithms.
func (a *App) Follow(ctx context.Context, what string, unit float64) (tell func(infer.Progress), stop func()) {
	p := a.Progress(what, nil)
	var last time.Time
	phase := ""
	return func(x infer.Progress) {
		text := progressText(ctx, x, unit)
		p.mu.Lock()
		p.found = text
		p.mu.Unlock()
		if a.lines && !a.Quiet && (phase != x.Phase || time.Since(last) >= progressAfter) {
			phase, last = x.Phase, time.Now()
			fmt.Fprintf(a.Stderr, "%s: %s\n", what, text)
		}
	}, p.Stop
}

// progressText describes the best value and the bound of a search.
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
