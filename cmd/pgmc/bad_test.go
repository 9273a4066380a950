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
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/ir/irtest"
)

// badMemory and badTime are the most that a command may need to refuse a small bad file.
const (
	badMemory = 64 << 20 // bytes, at the peak
	badTime   = 5 * time.Second
)

// usage is what a process returned and needed.
type usage struct {
	Code   int
	Memory int64 // the peak of resident memory, in bytes
	CPU    time.Duration
	Stdout string
	Stderr string
}

// job is a command to measure and its folder.
type job struct {
	Dir  string
	Args []string
}

// measure is a command that reads a list of jobs in JSON, runs them, one on each processor at a
// time, and writes a list of their usages. It is a process of its own, since Linux counts the peak
// memory of the process that starts a command as that of the command.
func measure() {
	var jobs []job
	if err := json.NewDecoder(os.Stdin).Decode(&jobs); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	usages := make([]usage, len(jobs))
	var next atomic.Int64
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(jobs)); i = next.Add(1) - 1 {
				usages[i] = measureJob(jobs[i])
			}
		})
	}
	workers.Wait()
	if err := json.NewEncoder(os.Stdout).Encode(usages); err != nil {
		os.Exit(1)
	}
}

// measureJob runs one command and returns what it needed.
func measureJob(j job) usage {
	cmd := exec.Command(j.Args[0], j.Args[1:]...)
	var stdout, stderr bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr = j.Dir, &stdout, &stderr
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
			u.Memory <<= 10 // other systems count in KiB
		}
	}
	return u
}

// measured runs pgmc with each list of arguments in a folder.
func measured(t *testing.T, dir string, commands ...[]string) []usage {
	t.Helper()
	jobs := make([]job, len(commands))
	for i, args := range commands {
		jobs[i] = job{dir, append([]string{"pgmc"}, args...)}
	}
	in, err := json.Marshal(jobs)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("measure")
	cmd.Stdin, cmd.Stderr = bytes.NewReader(in), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var usages []usage
	if err := json.Unmarshal(out, &usages); err != nil || len(usages) != len(jobs) {
		t.Fatalf("%d usages of %d commands, %v", len(usages), len(jobs), err)
	}
	return usages
}

// placed matches the start of a message with a place in a file.
var placed = regexp.MustCompile(`^\S+:[1-9][0-9]*:[1-9][0-9]*: \S`)

// TestBadFiles runs commands on the files and folders in testdata/bad, which are no models, each
// for the reason that its name says. Every command must refuse them with the message in the file
// .want of that name, soon and without much memory, and must write nothing. All commands read files
// by the same code, so that a short test measures one of them and runs the others in this process.
func TestBadFiles(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("this system does not say what a process needed")
	}
	t.Chdir("testdata/bad")
	names := badNames(t)
	others := [][]string{{"query", "", "--logp"}, {"stats", ""}}
	var commands [][]string
	for _, name := range names {
		commands = append(commands, []string{"compile", name, "-o", filepath.Join(t.TempDir(), "sub", "out")})
	}
	if irtest.Long(t) {
		for _, args := range others {
			for _, name := range names {
				commands = append(commands, []string{args[0], name})
			}
		}
	}
	usages := measured(t, ".", commands...)
	for i, name := range names {
		t.Run(name, func(t *testing.T) {
			want := wantedMessage(t, name, usages[i].Stderr)
			for k := i; k < len(commands); k += len(names) {
				checkBad(t, commands[k], usages[k], want)
			}
			for _, args := range others {
				args := append([]string{args[0], name}, args[2:]...)
				var u usage
				u.Code, u.Stdout, u.Stderr = pgmc("", args...)
				checkBad(t, args, u, want)
			}
			if _, err := os.Stat(filepath.Dir(commands[i][3])); err == nil {
				t.Errorf("pgmc compile made %s", filepath.Dir(commands[i][3]))
			}
		})
	}
	if after := badNames(t); !slices.Equal(after, names) {
		t.Errorf("testdata/bad holds %d files; had %d before", len(after), len(names))
	}
}

// badNames lists the files and folders in the current folder that have a file .want.
func badNames(t *testing.T) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".want") {
			names = append(names, e.Name())
		}
	}
	if 2*len(names) != len(entries) && !irtest.Updating() {
		t.Errorf("%d files and %d messages in testdata/bad; want equal numbers", len(names), len(entries)-len(names))
	}
	return names
}

// wantedMessage reads the message about a file and checks that it names a place. When files are
// updated it writes the message that pgmc compile gave.
func wantedMessage(t *testing.T, name, got string) string {
	t.Helper()
	if irtest.Updating() {
		if err := os.WriteFile(name+".want", []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name + ".want")
	if err != nil {
		t.Fatal(err)
	}
	// A file that can't be unpacked has no lines, and a folder without its main file has none
	// either.
	whole := strings.HasSuffix(name, ".gz") || strings.HasPrefix(name, "zero.") || strings.HasPrefix(name, "no-main.")
	for line := range strings.Lines(string(want)) {
		ended := strings.HasPrefix(line, "pgmc: reading ended at ")
		if !placed.MatchString(line) && !whole && !ended {
			t.Errorf("the message has no place: %s", line)
		}
	}
	if len(want) == 0 {
		t.Error("there is no message")
	}
	return string(want)
}

// checkBad checks that a command refused a file as it should. A command that ran in this process
// has no memory and time.
func checkBad(t *testing.T, args []string, u usage, want string) {
	t.Helper()
	if u.Code != cli.ExitInput || u.Stdout != "" {
		t.Errorf("pgmc %s: exit code %d, and prints %q", args[0], u.Code, u.Stdout)
	}
	if u.Memory > badMemory || u.CPU > badTime {
		t.Errorf("pgmc %s needed %d bytes and %v; want at most %d and %v", args[0], u.Memory, u.CPU, badMemory, badTime)
	}
	if u.Stderr != want {
		t.Errorf("pgmc %s says\n%s; want\n%s", args[0], u.Stderr, want)
	}
}
