package bench

import (
	"fmt"
	"io"
	"strconv"

	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/table"
	"github.com/pgmc-go/pgmc/cmd/pgmc/internal/timing"
)

// StreamReport holds the results of filters.
type StreamReport struct {
	System string        `json:"system"`
	CPU    string        `json:"processor"`
	Go     string        `json:"go"`
	C      string        `json:"c"` // version of the C compiler, or why there is none
	Clock  string        `json:"clock"`
	Work   []StreamWork  `json:"work"`
	Times  []StreamTime  `json:"times"`
	Ratios []StreamRatio `json:"ratios"`
}

// StreamTime is the time of a slice.
type StreamTime struct {
	Model   string   `json:"model"`
	Subject string   `json:"subject"` // a method of the package, or the name of a peer
	Min     float64  `json:"min_ns"`
	Median  float64  `json:"median_ns"`
	Allocs  *float64 `json:"allocs"` // allocations of a package, a slice or a call of Steps; null for peers
}

// StreamRatio says how many times as fast a package is as a peer.
type StreamRatio struct {
	Model string   `json:"model"`
	What  string   `json:"what"`
	Times *float64 `json:"times"` // null if the peer was not measured
}

// comparison is a ratio of the report: of a peer, or something else that is measured, to a method
// of the package.
type comparison struct{ model, query, peer string }

// comparisons are the ratios, in order.
var comparisons = []comparison{
	{"plane", "step", "C by hand"},
	{"plane", "steady step", "C by hand"},
	{"plane", "C by hand", "C by hand, flags"},
	{"plane", "steps", "step"},
	{"plane", "steady steps", "steady step"},
	{"dense", "steps", "step"},
	{"space", "steps", "step"},
	{"particles", "particle", "C"},
	{"hmm8", "step", "C"},
	{"hmm32", "step", "C"},
	{"hmm128", "step", "C"},
	{"hmm8", "steps", "C"},
	{"hmm32", "steps", "C"},
	{"hmm128", "steps", "C"},
	{"hmm32", "viterbi", "C, Viterbi"},
	{"hmm32", "step", "Go, logarithms"},
}

// fill writes the samples into the report.
func (s *streams) fill() {
	k := 0
	add := func(model, subject string, series *timing.Series, allocs *float64) {
		s.report.Times = append(s.report.Times, StreamTime{Model: model, Subject: subject, Min: series.Min(), Median: series.Median(), Allocs: allocs})
	}
	for i, x := range s.systems {
		for j := range s.subjects[i].Measures {
			m := &s.subjects[i].Measures[j]
			add(x.name, m.Name, &s.series[k], &m.Allocs)
			k++
		}
		for _, p := range x.peers {
			if p.run != nil {
				add(x.name, p.subject, &p.series, nil)
			} else if p.program != nil {
				add(x.name, p.subject, &p.program.series, nil)
			}
		}
	}
	for _, c := range comparisons {
		r := StreamRatio{Model: c.model, What: c.query + " against " + c.peer}
		if ours, theirs := s.report.min(c.model, c.query), s.report.min(c.model, c.peer); ours > 0 && theirs > 0 {
			times := theirs / ours
			r.Times = &times
		}
		s.report.Ratios = append(s.report.Ratios, r)
	}
}

// min returns the time of a subject, or 0 if it was not measured.
func (r *StreamReport) min(model, subject string) float64 {
	for i := range r.Times {
		if t := &r.Times[i]; t.Model == model && t.Subject == subject {
			return t.Min
		}
	}
	return 0
}

// print writes the report.
func (r *StreamReport) print(w io.Writer) error {
	head := fmt.Sprintf("%s, %s, %s\nProcessor: %s\nC: %s\n", r.System, r.Go, r.Clock, r.CPU, r.C)
	work, times, ratios := &table.Table{}, &table.Table{}, &table.Table{}
	work.Add("model", "belief", "operations", "quotients", "bytes", "chain, cycles")
	for _, x := range r.Work {
		cycles := missing
		if x.Chain > 0 {
			cycles = strconv.Itoa(x.Chain)
		}
		work.Add(x.Model, strconv.Itoa(x.Kept), strconv.Itoa(x.Operations), strconv.Itoa(x.Quotients), strconv.Itoa(x.Bytes), cycles)
	}
	times.Add("model", "a slice by", "nanoseconds", "allocations")
	for _, t := range r.Times {
		allocs := missing
		if t.Allocs != nil {
			allocs = fmt.Sprint(*t.Allocs)
		}
		times.Add(t.Model, t.Subject, fmt.Sprintf("%s (%s)", short(t.Min), short(t.Median)), allocs)
	}
	ratios.Add("model", "ratio of minima", "times as fast")
	for _, t := range r.Ratios {
		x := missing
		if t.Times != nil {
			x = short(*t.Times)
		}
		ratios.Add(t.Model, t.What, x)
	}
	_, err := io.WriteString(w, head+"\n"+work.String()+"\n"+times.String()+"\n"+ratios.String()+"\n"+
		"The first table counts a step that computes the belief alone: what no processor makes shorter is\n"+
		"its longest chain of operations, of 4 cycles, or 14 for a quotient or a root.\n"+
		"Times are minima and, in parentheses, medians; what was not measured is "+missing+". A slice of\n"+
		"steps is one of a stream among 256; allocations are those of a slice, or of a call of Steps.\n"+
		"A steady step is one of a long sequence, whose gains are those of a step before; the steps of\n"+
		"these models, in row step, are of sequences that begin again before that. Peers compute all gains.\n")
	return err
}
