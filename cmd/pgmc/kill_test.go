package main

import (
	"errors"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/ir/folder"
	"github.com/pgmc-go/pgmc/ir/irtest"
)

// readFiles reads the files of a folder, not those of its subfolders.
func readFiles(t *testing.T, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, e := range entries {
		if e.IsDir() {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		out[e.Name()] = string(data)
	}
	return out
}

// stages returns the temporary folders of pgmc in dir.
func stages(t *testing.T, dir string) []string {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(dir, folder.StagePattern))
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// putFiles creates a folder that holds these files and nothing else.
func putFiles(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	if err := errors.Join(os.RemoveAll(dir), os.MkdirAll(dir, 0o755)); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestStageOfOthersStays checks that a recent temporary folder of another process stays, because
// that process may still use it.
func TestStageOfOthersStays(t *testing.T) {
	dir := t.TempDir()
	other := filepath.Join(dir, strings.Replace(folder.StagePattern, "*", "1", 1))
	if err := os.Mkdir(other, 0o755); err != nil {
		t.Fatal(err)
	}
	if code, _, stderr := pgmc("", "compile", asia(t), "-o", dir, "-q"); code != cli.ExitDone {
		t.Fatalf("exit code %d\n%s", code, stderr)
	}
	if left := stages(t, dir); len(left) != 1 || left[0] != other {
		t.Errorf("the folders left are %v; want %s", left, other)
	}
}

// TestKilled kills and interrupts the command at random moments while it replaces a package or
// makes a new one.
func TestKilled(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no signals")
	}
	const seed = 1
	rng := rand.New(rand.NewPCG(seed, 0))
	dir := filepath.Join(t.TempDir(), "asia")
	var packages [2]map[string]string
	args := [2][]string{{"compile", asia(t), "-q", "-o", dir}, {"compile", asia(t), "-q", "-o", dir, "--types", "shared", "--query", "lung"}}
	var took time.Duration
	for i := range packages {
		start := time.Now()
		if out, err := exec.Command("pgmc", args[i]...).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		took = time.Since(start)
		packages[i] = readFiles(t, dir)
	}
	outcomes := map[string]int{}
	for trial := range irtest.Count(t, 24, 120) {
		old := packages[0]
		if trial%4 == 0 {
			old = nil
			if err := os.RemoveAll(dir); err != nil {
				t.Fatal(err)
			}
		} else {
			putFiles(t, dir, old)
		}
		signal := []syscall.Signal{syscall.SIGKILL, syscall.SIGINT}[trial/4%2]
		cmd := exec.Command("pgmc", args[1]...)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		done := make(chan error, 1)
		go func() { done <- cmd.Wait() }() // its error is what the signal did
		if trial%2 == 0 {                  // at any moment of the run
			spin(func() bool { return len(done) > 0 }, time.Duration(rng.Int64N(int64(took))))
		} else { // soon after it began to write
			spin(func() bool { return len(stages(t, dir)) > 0 || len(done) > 0 }, 10*time.Second)
			spin(func() bool { return len(done) > 0 }, time.Duration(rng.Int64N(int64(took/20))))
		}
		cmd.Process.Signal(signal) // fails where it is done
		<-done
		outcome := stateAfter(t, dir, old, packages[1])
		outcomes[signal.String()+": "+outcome]++
		code := cmd.ProcessState.ExitCode() // -1 where the signal came before or after the command listens to it
		if want, exited := map[int]string{cli.ExitDone: "new", cli.ExitInput: "old"}[code]; code >= 0 && (!exited || outcome != want) {
			t.Errorf("trial %d: a run with exit code %d leaves the %s package", trial, code, outcome)
		}
		if code >= 0 && len(stages(t, dir)) > 0 {
			t.Errorf("trial %d: a run with exit code %d leaves %v", trial, code, stages(t, dir))
		}
		if code, _, stderr := pgmc("", args[1]...); code != cli.ExitDone || !maps.Equal(readFiles(t, dir), packages[1]) {
			t.Fatalf("trial %d: the run after a %s one has exit code %d\n%s", trial, outcome, code, stderr)
		}
	}
	t.Log(outcomes)
}

// stateAfter returns "old", "new" or "guarded" if a folder holds the old package, the new one, or a
// guard against an incomplete one, and fails the test otherwise.
func stateAfter(t *testing.T, dir string, old, new map[string]string) string {
	t.Helper()
	if _, err := os.Stat(dir); errors.Is(err, os.ErrNotExist) && old == nil {
		return "old"
	}
	got := readFiles(t, dir)
	switch _, guarded := got["pgmc_incomplete.go"]; {
	case guarded:
		return "guarded"
	case maps.Equal(got, old):
		return "old"
	case maps.Equal(got, new):
		return "new"
	}
	t.Errorf("the folder holds a mixture: %v", slices.Sorted(maps.Keys(got)))
	return "mixed"
}

// spin waits, without yielding the processor, until a condition holds or the time is over.
func spin(holds func() bool, most time.Duration) {
	for start := time.Now(); time.Since(start) < most && !holds(); {
	}
}
