package cli

import (
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// progress is a progress bar on a terminal.
type progress struct {
	done, ended chan struct{}
}

// The bar appears if the work takes longer than progressAfter, and is redrawn every progressEvery.
const (
	progressAfter = time.Second
	progressEvery = 200 * time.Millisecond
)

// Progress starts a progress bar if standard error is a terminal and --quiet is not given. Unless
// count is nil, it returns the number of rows that are done.
func (a *App) Progress(what string, count func() int64) *progress {
	p := &progress{make(chan struct{}), make(chan struct{})}
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
