package main

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/cli"
	"github.com/pgmc-go/pgmc/ir/irtest"
)

// dataSet writes a data set of n files with rows of asia to a folder, with hostile names of
// folders.
func dataSet(t *testing.T, dir string, n, rows int) {
	t.Helper()
	for i := range n {
		folder := []string{"day=1", "k=a%2Fb", "k=é ü", "k=x%0A\n%", "k=';--$(x)", "k=\"q\",;|"}[i%6]
		file := filepath.Join(dir, folder, fmt.Sprintf("part %02d.csv", i))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if code, _, stderr := pgmc("", "sample", asia(t), "-n", fmt.Sprint(rows), "--seed", fmt.Sprint(i), "-o", file, "-q"); code != cli.ExitDone {
			t.Fatal(stderr)
		}
	}
}

// partsIn reads the files of a folder and of the folders in it, those with names that begin with a
// dot not, by their paths below it.
func partsIn(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || d.Name()[0] == '.' {
			return err
		}
		text, err := os.ReadFile(path)
		name, wrong := filepath.Rel(dir, path)
		out[filepath.ToSlash(name)] = string(text)
		return errors.Join(err, wrong)
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return out
}

// TestPartsAnswers checks that rows of a folder with hostile names have the scores and predictions
// that they have in one file, and that folders of output do not depend on the number of cores.
func TestPartsAnswers(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("such names are not allowed")
	}
	dir := t.TempDir()
	in, one := filepath.Join(dir, "in"), filepath.Join(dir, "one.csv")
	dataSet(t, in, 9, 1500)
	do := func(args ...string) string {
		t.Helper()
		code, stdout, stderr := pgmc("", append(args, "-q")...)
		if code != cli.ExitDone {
			t.Fatalf("%q: exit code %d\n%s", args, code, stderr)
		}
		return stdout
	}
	do("convert", in, one)
	for _, command := range [][]string{{"predict", "-t", "lung,tub"}, {"impute", "--drop", "lung"}, {"score", "--per-row"}} {
		args := func(more ...string) []string { return slices.Concat(command[:1], []string{asia(t)}, more, command[1:]) }
		want := do(args(one)...)
		if got := do(args(in)...); got != want {
			t.Errorf("%q: the rows of the folder differ from those of the file", command)
		}
		header, body, _ := strings.Cut(want, "\n")
		var first map[string]string
		for cores := 1; cores <= 2; cores++ {
			out := filepath.Join(dir, fmt.Sprint(command[0], cores))
			do(args(in, "-o", out+"/", "--cpu", fmt.Sprint(cores))...)
			got := partsIn(t, out)
			if first == nil {
				first = got
			}
			if !maps.Equal(got, first) {
				t.Errorf("%q: %d cores give other files", command, cores)
			}
		}
		rest := body
		for _, name := range slices.Sorted(maps.Keys(first)) {
			if name[0] == '_' {
				continue
			}
			lines, named := strings.CutPrefix(first[name], header+"\n")
			next, same := strings.CutPrefix(rest, lines)
			if rest = next; !named || !same {
				t.Errorf("%q: %s differs from the rows of the file", command, name)
			}
		}
		if rest != "" {
			t.Errorf("%q: the folder has fewer rows than the file", command)
		}
	}
	scored := func(path string) string { return do("score", asia(t), path) }
	if a, b := scored(in), scored(one); a != b || !strings.Contains(a, "13500\n") {
		t.Errorf("the folder of 13500 rows has the score %s; want %s", a, b)
	}
}

// TestPartsKilled kills the command at random moments while it writes a folder: all files that are
// there are whole, the mark of success is not there before the end, and --resume completes the
// folder.
func TestPartsKilled(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no signals")
	}
	rng := rand.New(rand.NewPCG(38, 7))
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in"), filepath.Join(dir, "out")
	dataSet(t, in, 12, 2000)
	args := []string{"predict", asia(t), in, "-t", "lung", "-q", "-o", out + "/"}
	start := time.Now()
	if text, err := exec.Command("pgmc", args...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	took := time.Since(start)
	want := partsIn(t, out)
	outcomes := map[int]int{}
	for trial := range irtest.Count(t, 10, 200) {
		if trial%3 == 0 { // otherwise over an older folder
			if err := os.RemoveAll(out); err != nil {
				t.Fatal(err)
			}
		}
		cmd := exec.Command("pgmc", args...)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(rng.Int64N(int64(took))))
		cmd.Process.Kill()
		cmd.Wait() // its error is what the signal did
		got := partsIn(t, out)
		_, success := got["_SUCCESS"]
		outcomes[len(got)]++
		for name, text := range got {
			if name != "_pgmc.json" && text != want[name] {
				t.Fatalf("trial %d: %s has %d bytes; want %d", trial, name, len(text), len(want[name]))
			}
		}
		if success && !maps.Equal(got, want) {
			t.Fatalf("trial %d: _SUCCESS is there, and %d of %d files", trial, len(got), len(want))
		}
		if trial%2 > 0 { // the next one begins with what is there
			continue
		}
		if text, err := exec.Command("pgmc", append(args, "--resume")...).CombinedOutput(); err != nil || !maps.Equal(partsIn(t, out), want) {
			t.Fatalf("trial %d: the run after a killed one: %v\n%s", trial, err, text)
		}
		left, err := filepath.Glob(filepath.Join(out, "*", ".*"))
		if err != nil || len(left) > 0 {
			t.Fatalf("trial %d: %v is left", trial, left)
		}
	}
	t.Logf("files after a kill, and how often: %v", outcomes)
}
