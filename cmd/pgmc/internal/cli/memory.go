package cli

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/addressspace"
	"github.com/pgmc-go/pgmc/compiler"
)

// The bounds of the memory of the process.
const (
	leastMemory = addressspace.Least    // a lower --max-mem bounds the program alone, because the process needs some memory for itself
	codeMemory  = 24 << 20              // the resident part of the executable, which the runtime does not count
	look        = 10 * time.Millisecond // between looks at the memory
	grace       = 2 * time.Second       // for a command to return after it has been told to end
)

// MemoryError is the error of a command that needs more memory than --max-mem.
type MemoryError struct {
	Used, Limit int64 // bytes
	Help        string
}

// Error states the memory, the limit and what would work.
func (e *MemoryError) Error() string {
	return fmt.Sprintf("pgmc has taken %s of memory and is not done; limit: --max-mem %s. What would work: a higher --max-mem, %s",
		compiler.Bytes(float64(e.Used)), compiler.Bytes(float64(e.Limit)), e.Help)
}

// Bounded makes --max-mem, times a factor, bound the memory of the process while f runs, if the
// process runs nothing else. The factor is 2 if f runs programs, which take up to --max-mem by
// themselves. The garbage collector keeps to seven eighths of the bound, since it may fall behind.
// If the memory exceeds the bound all the same, f's context ends with a [MemoryError], which names
// help as what would work.
func (a *App) Bounded(times int64, help string, f func(context.Context, []string) error) func(context.Context, []string) error {
	return func(ctx context.Context, args []string) error {
		if !a.Alone {
			return f(ctx, args)
		}
		limit := times * a.ProcessLimit()
		defer debug.SetMemoryLimit(debug.SetMemoryLimit(limit - limit/8 - codeMemory))
		bounded := &boundedContext{Context: ctx, done: make(chan struct{})}
		returned := make(chan error, 1)
		go func() {
			returned <- Guard(func() error { return f(bounded, args) })
		}()
		watch := memoryWatch{limit: limit}
		ticks := time.NewTicker(look)
		defer ticks.Stop()
		for {
			select {
			case err := <-returned:
				return err
			case <-ctx.Done():
				bounded.end(ctx.Err())
				return <-returned
			case <-ticks.C:
				if !watch.exceeded() {
					continue
				}
			}
			err := &MemoryError{watch.used, int64(a.MaxMem), help}
			bounded.end(err)
			select {
			case err := <-returned:
				return err
			case <-time.After(grace):
				return err
			}
		}
	}
}

// ProcessLimit returns the bytes of memory that --max-mem leaves to the process.
func (a *App) ProcessLimit() int64 { return max(int64(a.MaxMem), leastMemory) }

// boundedContext is a context that ends with an error of its own, so that it is not mistaken for an
// interrupt, after which learners write the best model so far.
type boundedContext struct {
	context.Context
	done chan struct{}
	once sync.Once
	err  error
}

// end ends the context with err, unless it has ended.
func (c *boundedContext) end(err error) {
	c.once.Do(func() {
		c.err = err
		close(c.done)
	})
}

// Done returns a channel that is closed when the context ends.
func (c *boundedContext) Done() <-chan struct{} { return c.done }

// Err returns the error with which the context ended, or nil.
func (c *boundedContext) Err() error {
	select {
	case <-c.done:
		return c.err
	default:
		return nil
	}
}

// memoryWatch looks at the memory of the process.
type memoryWatch struct {
	limit   int64
	used    int64 // at the last look
	beyond  bool  // it was beyond the limit at the last look
	garbage uint64
}

// exceeded reports whether the memory is beyond the limit by an eighth, or has stayed beyond it
// while the garbage collector ran twice.
func (w *memoryWatch) exceeded() bool {
	s := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}, {Name: "/gc/cycles/total:gc-cycles"}}
	metrics.Read(s)
	w.used = int64(s[0].Value.Uint64()-s[1].Value.Uint64()) + codeMemory
	cycles := s[2].Value.Uint64()
	if w.used <= w.limit {
		w.beyond = false
		return false
	}
	if !w.beyond {
		w.beyond, w.garbage = true, cycles
	}
	return w.used > w.limit+w.limit/8 || cycles >= w.garbage+2
}

// PeakMemory returns the largest number of bytes of memory that the process has had so far; 0 if it
// is not known, as on systems other than Linux.
func PeakMemory() int64 { return procBytes("/proc/self/status", "VmHWM:") }

// MachineMemory returns the bytes of memory of the machine, or of the container if that has fewer;
// 0 if they are not known, as on systems other than Linux.
func MachineMemory() int64 {
	machine := procBytes("/proc/meminfo", "MemTotal:")
	text, err := os.ReadFile("/sys/fs/cgroup/memory.max")
	if err != nil {
		return machine
	}
	if n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64); err == nil && (machine == 0 || n < machine) { // "max" is no limit
		return n
	}
	return machine
}

// procBytes reads a line such as "MemTotal: 1024 kB" in a file of the system. It returns 0 if there
// is none.
func procBytes(file, name string) int64 {
	f, err := os.Open(file)
	if err != nil {
		return 0
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if words := strings.Fields(lines.Text()); len(words) == 3 && words[0] == name && words[2] == "kB" {
			n, err := strconv.ParseInt(words[1], 10, 64)
			if err != nil {
				return 0
			}
			return n << 10
		}
	}
	return 0
}
