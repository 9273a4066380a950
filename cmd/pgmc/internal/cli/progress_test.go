package cli

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pgmc-go/pgmc/learn/data/rowfile"
	"github.com/pgmc-go/pgmc/learn/learner"
)

func TestProgressLine(t *testing.T) {
	a := &App{Stderr: &bytes.Buffer{}}
	rows := int64(0)
	defer a.Progress("learning from a.csv", func() int64 { return rows }).Stop()
	p := a.progress
	check := func(want string, after time.Duration) {
		t.Helper()
		if got := p.line(p.since.Add(after)); got != want {
			t.Errorf("got %q; want %q", got, want)
		}
	}
	check("learning from a.csv", 0)
	rows = 12
	check("learning from a.csv: 12 done", 0)
	p.total = 40
	check("learning from a.csv: 12 of 40 done", 0)
	path := filepath.Join(t.TempDir(), "a.csv")
	if err := os.WriteFile(path, []byte("a\n"+strings.Repeat("yes\n", 1<<17)), 0o666); err != nil {
		t.Fatal(err)
	}
	in, err := rowfile.Open(path, rowfile.CSV)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	a.reads(in)
	share, _ := in.Share()
	check("learning from a.csv: 12 of 40 done", 0)
	p.total = 0
	check(fmt.Sprintf("learning from a.csv: 12 done, %d %% of the file read", int(100*share)), 0)
	rows = 0
	check(fmt.Sprintf("learning from a.csv: reading %d %%", int(100*share)), 0)
	if _, err := in.Scan(rowfile.LoadOptions{}); err != nil || share <= 0 || share >= 1 {
		t.Errorf("a share of %v was read: %v", share, err)
	}
	check("learning from a.csv", 0)
	a.Phase("plan", 3, 40)
	check("learning from a.csv: plan (3 of 40)", 0)
	a.Step(learner.Event{Done: 7, Score: -1234.5678})
	check("learning from a.csv: plan (3 of 40), step 7, score -1234.57", 0)
	a.Step(learner.Event{Done: 5, Total: 20, Score: -2})
	check("learning from a.csv: plan (3 of 40), step 5 of 20, score -2, 30s left", 10*time.Second)
	a.Phase("method gibbs", 0, 0) // forgets the steps of the phase before
	check("learning from a.csv: method gibbs", 0)
	(&App{}).Phase("nothing", 0, 0) // no report has begun
}

// shared is a writer for several goroutines.
type shared struct {
	sync.Mutex
	bytes.Buffer
}

func (s *shared) Write(b []byte) (int, error) {
	s.Lock()
	defer s.Unlock()
	return s.Buffer.Write(b)
}

// TestProgressLines checks the lines of --progress, which end with the work, and that there are
// none unless they are asked for.
// TestPatience checks that long work without a terminal says so once, and short work nothing.
func TestPatience(t *testing.T) {
	for after, want := range map[time.Duration]string{0: "pgmc: bounding a.uai: --timeout ends it\n", time.Hour: ""} {
		var out bytes.Buffer
		p := &progress{done: make(chan struct{}), ended: make(chan struct{}), what: "bounding a.uai"}
		go p.tell(&out, after, "--timeout ends it")
		if after == 0 {
			<-p.ended
		}
		p.Stop()
		if out.String() != want {
			t.Errorf("after %v: got %q; want %q", after, &out, want)
		}
	}
}

func TestProgressLines(t *testing.T) {
	for _, c := range []struct {
		lines, quiet, want bool
	}{{true, false, true}, {false, false, false}, {true, true, false}} {
		var out shared
		a := &App{Stderr: &out, lines: c.lines, Quiet: c.quiet}
		p := a.Progress("solving x", nil)
		if running := !closed(p.ended); running != c.want {
			t.Errorf("%+v: a report is %v", c, running)
		}
		p.Stop()
	}
	var out shared
	p := &progress{done: make(chan struct{}), ended: make(chan struct{}), what: "solving x", begin: time.Now()}
	go p.write(&out, time.Microsecond, time.Microsecond)
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		out.Lock()
		n := strings.Count(out.String(), "solving x [0s]\n")
		out.Unlock()
		if n >= 2 {
			break
		}
	}
	p.Stop()
	if n := strings.Count(out.String(), "solving x ["); n < 2 {
		t.Errorf("%d lines; want 2 at least: %q", n, out.String())
	}
}

func closed(c chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
