package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/ir/irtest"
)

// The most that a small bad file may cost.
const (
	badMemory = 64 << 20 // bytes, at the peak
	badTime   = 5 * time.Second
)

// usage is what a process needed.
type usage struct {
	Code   int
	Memory int64 // the peak of what was in memory, in bytes
	CPU    time.Duration
	Stdout string
	Stderr string
}

// measure is the command that runs another one and says in JSON what that needed. It is a process
// of its own since Linux counts the peak of the process that starts a command as that of the
// command.
func measure() {
	cmd := exec.Command(os.Args[1], os.Args[2:]...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	state := cmd.ProcessState
	u := usage{Code: state.ExitCode(), CPU: state.UserTime() + state.SystemTime(), Stdout: stdout.String(), Stderr: stderr.String()}
	if peak := reflect.ValueOf(state.SysUsage()).Elem().FieldByName("Maxrss"); peak.IsValid() { // Windows has none
		u.Memory = peak.Int()
		if runtime.GOOS != "darwin" {
			u.Memory <<= 10 // others count in KiB
		}
	}
	if err := json.NewEncoder(os.Stdout).Encode(u); err != nil {
		os.Exit(1)
	}
}

// measured runs pgmc in a folder.
func measured(t *testing.T, dir string, args ...string) usage {
	t.Helper()
	cmd := exec.Command("measure", append([]string{"pgmc"}, args...)...)
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var u usage
	if err := json.Unmarshal(out, &u); err != nil {
		t.Fatal(err)
	}
	return u
}

// placed begins a message about a place in a file.
var placed = regexp.MustCompile(`^\S+:[1-9][0-9]*:[1-9][0-9]*: \S`)

// Files and folders in testdata/bad are no models, each for the reason that its name says. Every
// command refuses them with the message in the file .want beside them, soon, without much memory,
// and writes nothing.
func TestBadFiles(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("this system does not say what a process needed")
	}
	const dir = "testdata/bad"
	wants, err := filepath.Glob(filepath.Join(dir, "*.want"))
	if err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(wants)*2 != len(entries) && !irtest.Updating() {
		t.Errorf("%d files and %d messages in %s; want as many", len(entries)-len(wants), len(wants), dir)
	}
	t.Run("all", func(t *testing.T) { // which ends when the last of them does
		for _, e := range entries {
			if name := e.Name(); !strings.HasSuffix(name, ".want") {
				t.Run(name, func(t *testing.T) {
					t.Parallel()
					checkBad(t, dir, name)
				})
			}
		}
	})
	after, err := os.ReadDir(dir)
	if err != nil || len(after) != len(entries) && !irtest.Updating() {
		t.Errorf("%s has %d files, %v; had %d before", dir, len(after), err, len(entries))
	}
}

func checkBad(t *testing.T, dir, name string) {
	golden := filepath.Join(dir, name+".want")
	want, err := os.ReadFile(golden)
	if err != nil && !irtest.Updating() {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"compile", name, "-o", filepath.Join(t.TempDir(), "sub", "out")}, {"query", name, "--logp"}, {"stats", name}} {
		u := measured(t, dir, args...)
		if u.Code != cli.ExitInput || u.Stdout != "" {
			t.Errorf("pgmc %s: exit code %d, and prints %q", args[0], u.Code, u.Stdout)
		}
		if u.Memory > badMemory || u.CPU > badTime {
			t.Errorf("pgmc %s needed %d bytes and %v; want at most %d and %v", args[0], u.Memory, u.CPU, badMemory, badTime)
		}
		if irtest.Updating() && args[0] == "compile" {
			if err := os.WriteFile(golden, []byte(u.Stderr), 0o644); err != nil {
				t.Fatal(err)
			}
			want = []byte(u.Stderr)
		}
		if u.Stderr != string(want) {
			t.Errorf("pgmc %s says\n%s; want\n%s", args[0], u.Stderr, want)
		}
		if args[0] == "compile" {
			if _, err := os.Stat(filepath.Dir(args[3])); err == nil {
				t.Errorf("pgmc compile made %s", filepath.Dir(args[3]))
			}
		}
	}
	// What can't be unpacked has no lines, and a folder without its main file neither.
	whole := strings.HasSuffix(name, ".gz") || strings.HasPrefix(name, "zero.") || strings.HasPrefix(name, "no-main.")
	for line := range strings.Lines(string(want)) {
		if !placed.MatchString(line) && !whole {
			t.Errorf("the message has no place: %s", line)
		}
	}
	if len(want) == 0 {
		t.Error("there is no message")
	}
}
