//go:build !amd64 || purego

package pgmrt

func forwardRun(f *Forward, in *[ForwardRows]ForwardRow) { forwardPlain(f, in) }

func forwardScale(to, from []float64, by float64) { forwardScalePlain(to, from, by) }
