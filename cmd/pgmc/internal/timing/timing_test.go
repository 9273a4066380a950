package timing

import (
	"runtime"
	"testing"
	"testing/fstest"
	"time"
)

func TestSeries(t *testing.T) {
	var s Series
	if s.Min() != 0 || s.Median() != 0 || s.Len() != 0 {
		t.Errorf("without samples: %v, %v, %d", s.Min(), s.Median(), s.Len())
	}
	for _, x := range []float64{5, 0, 3, -1, 9, 4} {
		s.Add(x)
	}
	if s.Min() != 3 || s.Median() != 5 || s.Len() != 4 {
		t.Errorf("got %v, %v, %d; want 3, 5 and 4: zero and -1 are no times", s.Min(), s.Median(), s.Len())
	}
}

// TestSample checks that a sample has enough runs, that its time is for one unit of work, and that
// the sum of all is at most the wall-clock time.
func TestSample(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	sink, runs := 0.0, 0
	work := func(n int) {
		runs = n
		for i := range 100 * n {
			sink += float64(i)
		}
	}
	one, batch := Sampler{Name: "one", Run: work, Each: 1}, Sampler{Name: "batch", Run: work, Each: 100, Threads: true}
	for _, s := range []*Sampler{&one, &batch} {
		begin := time.Now()
		ns := s.Sample()
		wall := time.Since(begin)
		if ns <= 0 || runs != s.n || runs < 2 {
			t.Errorf("%s: %v ns by %d runs, the last of %d", s.Name, ns, s.n, runs)
		}
		if total := time.Duration(ns * float64(s.n*s.Each)); total > wall+wall/10+time.Millisecond {
			t.Errorf("%s: the sample took %v, and all of it %v", s.Name, total, wall)
		}
	}
	if sink == 0 {
		t.Error("nothing was added up")
	}
}

// TestProcessor checks the text for the files of a Linux system, and without them.
func TestProcessor(t *testing.T) {
	const cache = "sys/devices/system/cpu/cpu0/cache/"
	linux := fstest.MapFS{}
	for name, text := range map[string]string{
		"proc/cpuinfo":         "processor\t: 0\nmodel name\t: Some Processor 7\nprocessor\t: 1\nmodel name\t: Another\n",
		cache + "index0/level": "1\n", cache + "index0/type": "Data\n", cache + "index0/size": "48K\n",
		cache + "index1/level": "1\n", cache + "index1/type": "Instruction\n", cache + "index1/size": "32K\n",
	} {
		linux[name] = &fstest.MapFile{Data: []byte(text)}
	}
	if got, want := Processor(linux), "Some Processor 7, L1I 32KiB"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := Processor(fstest.MapFS{}), "model not known, L1I not known"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
