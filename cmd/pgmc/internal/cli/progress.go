package cli

import (
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// progress shows on a terminal that work goes on.
type progress struct {
	done, ended chan struct{}
}

// Nothing is shown of work that is done by then, and the picture moves as often as that.
const (
	progressAfter = time.Second
	progressEvery = 200 * time.Millisecond
)

// Progress starts to show what is done, once it has taken a while; nowhere but on a terminal.
// count, where not nil, is how many rows are done.
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

// Stop ends the picture and wipes it.
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
	defer bar.Clear() // a picture that stays does no harm
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
