package irtest

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"strconv"
	"strings"
	"testing"
)

// An Answer is the content of an answer file of the UAI inference competitions.
type Answer struct {
	Task      string      // PR, MAR, MAP, MPE or MMAP
	Value     float64     // PR: log10
	Marginals [][]float64 // MAR: by variable and state
	States    []int       // MAP, MPE and MMAP
}

const begin = "-BEGIN-" // precedes each answer of a solver that improved it

// ReadAnswer reads an answer file, which may be compressed. If a solver improved its answer, the
// file has several answers, and the last one counts. Older files have 1, the
// number of samples of evidence, before the answer.
func ReadAnswer(t testing.TB, path string) Answer {
	t.Helper()
	text, err := os.ReadFile(path)
	if err == nil && strings.HasSuffix(path, ".gz") {
		var r io.Reader
		if r, err = gzip.NewReader(bytes.NewReader(text)); err == nil {
			text, err = io.ReadAll(r)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	task, rest, _ := strings.Cut(strings.TrimSpace(string(text)), "\n")
	if i := strings.LastIndex(rest, begin); i >= 0 {
		rest = rest[i+len(begin):]
	}
	var numbers []float64
	for _, word := range strings.Fields(rest) {
		x, err := strconv.ParseFloat(word, 64)
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		numbers = append(numbers, x)
	}
	out := Answer{Task: strings.TrimSpace(task)}
	if !out.fill(numbers) && !(len(numbers) > 0 && numbers[0] == 1 && out.fill(numbers[1:])) {
		t.Fatalf("%s: no answer to %s", path, out.Task)
	}
	return out
}

// fill sets the answer to the numbers, and reports whether they have the shape of the task.
func (a *Answer) fill(numbers []float64) bool {
	switch {
	case len(numbers) == 0:
		return false
	case a.Task == "PR":
		a.Value = numbers[0]
		return len(numbers) == 1
	case a.Task == "MAR":
		return a.marginals(int(numbers[0]), numbers[1:])
	}
	a.States = nil
	for _, x := range numbers[1:] {
		a.States = append(a.States, int(x))
	}
	return int(numbers[0]) == len(a.States)
}

// marginals sets the marginals of n variables, each a count and as many numbers.
func (a *Answer) marginals(n int, numbers []float64) bool {
	a.Marginals = nil
	for len(numbers) > 0 {
		k := int(numbers[0])
		if k < 1 || k >= len(numbers) {
			return false
		}
		a.Marginals = append(a.Marginals, numbers[1:1+k])
		numbers = numbers[1+k:]
	}
	return n == len(a.Marginals)
}
