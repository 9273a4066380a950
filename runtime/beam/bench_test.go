//go:build unix

package beam

import (
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
)

// cpu returns the processor time of this process in nanoseconds.
func cpu(b *testing.B) int64 {
	var x syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &x); err != nil {
		b.Fatal(err)
	}
	return x.Utime.Nano() + x.Stime.Nano()
}

// BenchmarkScore scores rows in process, by the functions of the pipeline, and on Prism, in turn,
// and reports the least processor time of a row that each took.
func BenchmarkScore(b *testing.B) {
	const rows = 2_000_000
	for _, x := range samples[:2] {
		b.Run(x.model, func(b *testing.B) {
			path := filepath.Join(b.TempDir(), "rows.parquet")
			pgmc(b, "sample", x.path, "-n", strconv.Itoa(rows), "-o", path)
			q := question{Kind: scoring, Options: Options{Model: x.model, Files: []string{path}}}
			least := map[string]float64{}
			measure := func(name string, do func() Summary) {
				start := cpu(b)
				if s := do(); s.Rows != rows {
					b.Fatalf("%s scored %d rows of %d", name, s.Rows, rows)
				}
				took := float64(cpu(b)-start) / rows
				if old, ok := least[name]; !ok || took < old {
					least[name] = took
				}
			}
			for b.Loop() {
				measure("process", func() Summary { s, _ := repeat(b, q, 1); return s })
				measure("prism", func() Summary {
					s, _, _, err := run(b, q)
					if err != nil {
						b.Fatal(err)
					}
					return s
				})
			}
			b.ReportMetric(least["process"], "process-cpu-ns/row")
			b.ReportMetric(least["prism"], "prism-cpu-ns/row")
			b.ReportMetric(least["prism"]/least["process"], "ratio")
		})
	}
}
