package main

import (
	"bytes"
	"context"
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

	"github.com/pgmc-go/pgmc/codegen"
	"github.com/pgmc-go/pgmc/compiler/format"
)

// readFiles reads the files of a folder, without the folders in it.
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

// stages lists the folders of pgmc in dir.
func stages(t *testing.T, dir string) []string {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(dir, stagePattern))
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// putFiles makes a folder with these files.
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

// Stopping after any number of moves leaves what was there, what was to come, or a guard; the next run gives what was to
// come from all of them. Where a move fails instead, all is as before.
func TestStoppedBetweenMoves(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "p")
	mark := generatedMark + " 1\n\npackage p\n"
	const mine = "package p\n\nconst Mine = 1\n"
	old := map[string]string{"a.go": mark + "// old", "a.dat": "old", "b.go": mark, "extra.go": mark, "extra.dat": "old", "mine.go": mine, "mine.dat": "mine"}
	want := map[string]string{"a.go": mark + "// new", "a.dat": "new", "b.go": mark, "c.go": mark, "mine.go": mine, "mine.dat": "mine"}
	o := &output{dir: dir, pkg: "p"}
	for _, name := range []string{"a.go", "b.go", "a.dat", "c.go"} {
		o.files = append(o.files, codegen.File{Name: name, Data: []byte(want[name])})
	}
	prepare := func() (stage string, moves []format.Move) {
		putFiles(t, dir, old)
		stage, err := os.MkdirTemp(dir, stagePattern)
		if err != nil {
			t.Fatal(err)
		}
		if err := o.writeTo(context.Background(), stage); err != nil {
			t.Fatal(err)
		}
		if moves, err = o.moves(stage); err != nil {
			t.Fatal(err)
		}
		return stage, moves
	}
	_, moves := prepare()
	for stop := range len(moves) + 1 {
		stage, moves := prepare()
		if err := format.MoveAll(moves[:stop]); err != nil {
			t.Fatal(err)
		}
		got := readFiles(t, dir)
		_, guarded := got[guardName]
		if guarded != (stop > 0 && stop < len(moves)) || stop == 0 && !maps.Equal(got, old) || stop == len(moves) && !maps.Equal(got, want) {
			t.Errorf("after %d of %d moves the folder has %v", stop, len(moves), slices.Sorted(maps.Keys(got)))
		}
		long := time.Now().Add(-2 * staleAfter)
		if err := os.Chtimes(stage, long, long); err != nil {
			t.Fatal(err)
		}
		if err := o.write(context.Background()); err != nil {
			t.Errorf("the run after %d moves: %v", stop, err)
		}
		if got := readFiles(t, dir); !maps.Equal(got, want) {
			t.Errorf("the run after %d moves leaves %v", stop, got)
		}
		if left := stages(t, dir); len(left) > 0 {
			t.Errorf("the run after %d moves leaves %v", stop, left)
		}

		stage, moves = prepare()
		failing := append(slices.Clone(moves[:stop]), format.Move{From: filepath.Join(stage, "none"), To: filepath.Join(dir, "none")})
		if err := format.MoveAll(failing); err == nil || errors.Is(err, format.ErrHalfway) {
			t.Errorf("a failure after %d moves gives %v", stop, err)
		}
		if got := readFiles(t, dir); !maps.Equal(got, old) {
			t.Errorf("a failure after %d moves leaves %v", stop, got)
		}
	}
}

// A young folder of another process stays, since that may still be at work.
func TestStageOfOthersStays(t *testing.T) {
	dir := t.TempDir()
	other := filepath.Join(dir, strings.Replace(stagePattern, "*", "1", 1))
	if err := os.Mkdir(other, 0o755); err != nil {
		t.Fatal(err)
	}
	if code, _, stderr := pgmc("", "compile", asia(t), "-o", dir, "-q"); code != exitDone {
		t.Fatalf("exit code %d\n%s", code, stderr)
	}
	if left := stages(t, dir); len(left) != 1 || left[0] != other {
		t.Errorf("the folders left are %v; want %s", left, other)
	}
}

// The compiler refuses a folder with a guard, and says why.
func TestGuard(t *testing.T) {
	dir := t.TempDir()
	putFiles(t, dir, map[string]string{"go.mod": "module m\n\ngo 1.24\n", "a.go": "package p\n", guardName: strings.Replace(guardText, "%s", "p", 1)})
	out, err := goRun(dir, nil, "build", ".")
	if err == nil || !bytes.Contains(out, []byte(guardName)) || !bytes.Contains(out, []byte("interrupted_run_it_again")) {
		t.Errorf("go build: %v\n%s", err, out)
	}
}

// TestKilled kills and interrupts the command at random moments while it replaces a package or makes a new one.
func TestKilled(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no signals")
	}
	const trials, seed = 120, 1
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
	for trial := range trials {
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
		if want, exited := map[int]string{exitDone: "new", exitInput: "old"}[code]; code >= 0 && (!exited || outcome != want) {
			t.Errorf("trial %d: a run with exit code %d leaves the %s package", trial, code, outcome)
		}
		if code >= 0 && len(stages(t, dir)) > 0 {
			t.Errorf("trial %d: a run with exit code %d leaves %v", trial, code, stages(t, dir))
		}
		if code, _, stderr := pgmc("", args[1]...); code != exitDone || !maps.Equal(readFiles(t, dir), packages[1]) {
			t.Fatalf("trial %d: the run after a %s one has exit code %d\n%s", trial, outcome, code, stderr)
		}
	}
	t.Log(outcomes)
}

// stateAfter says whether a folder holds the old package, the new one, or a guard.
func stateAfter(t *testing.T, dir string, old, new map[string]string) string {
	t.Helper()
	if _, err := os.Stat(dir); errors.Is(err, os.ErrNotExist) && old == nil {
		return "old"
	}
	got := readFiles(t, dir)
	switch _, guarded := got[guardName]; {
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

// spin waits without giving up the processor, until a condition holds or time is over.
func spin(holds func() bool, most time.Duration) {
	for start := time.Now(); time.Since(start) < most && !holds(); {
	}
}
