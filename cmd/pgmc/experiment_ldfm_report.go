package main

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// text is the tables for people.
func (x *ldfmExperiment) text() string {
	text := fmt.Sprintf("%d queries, each of a row of the test data; %d sweeps after %d of one chain where models are sampled.\n", x.queries, x.sweeps, x.burnIn()) +
		"Larger of CLL and CMLL for each variable that is asked about, in nats, beside what is in print.\n" +
		"g-LDFM, t-LDFM: one LDFM, by sampling states, or states and trees. LDFM-S: by sampling states. BN, DN: Gibbs sampling; SPN, MT: exact, of binary data.\n"
	for _, t := range x.tables() {
		t.alignRight()
		text += "\n" + ldfmTitle(t.name) + "\n" + t.String()
	}
	return text + "\n" + conclusionText(x.conclusions())
}

// ldfmTitle says what is in a table, by its name.
func ldfmTitle(name string) string {
	if name == "time" {
		return "seconds of learning, and microseconds: of a sweep, by models that are sampled, or of a query"
	}
	words := strings.Split(name, "-")
	return fmt.Sprintf("%s training rows; %s %% query, %s %% evidence", words[0], words[1], words[2])
}

// tables are a table for each block of those of the paper, and one of times.
func (x *ldfmExperiment) tables() (list []csvTable) {
	for _, size := range x.sizes {
		for _, share := range x.shares {
			t := &table{}
			head := []string{"network"}
			for _, spec := range ldfmModels {
				head = append(head, spec.name, "published")
			}
			t.add(append(head, "error")...)
			for _, name := range x.networks {
				cells, most := []string{name}, 0.0
				for _, spec := range ldfmModels {
					s := x.score(name, size, share, spec.name)
					cells = append(cells, fmt.Sprintf("%.3f", s.Best), optional(s.Published, 3))
					most = max(most, s.StdErr)
				}
				t.add(append(cells, fmt.Sprintf("%.3f", most))...)
			}
			list = append(list, csvTable{fmt.Sprintf("%d-%.0f-%.0f", size, 100*share.Query, 100*share.Evidence), t})
		}
	}
	t := &table{}
	t.add("network", "rows", "model", "learning", "sweep or query", "")
	for _, s := range x.scores {
		if s.Share == x.shares[0] {
			remark := ""
			if s.Stopped {
				remark = "stopped"
			}
			t.add(s.Network, fmt.Sprint(s.Rows), s.Model, fmt.Sprintf("%.1f", s.Learning), fmt.Sprintf("%.1f", s.Query), remark)
		}
	}
	return append(list, csvTable{"time", t})
}

// score is that of a model.
func (x *ldfmExperiment) score(network string, rows int, share ldfmShare, name string) *ldfmScore {
	i := slices.IndexFunc(x.scores, func(s *ldfmScore) bool {
		return s.Network == network && s.Rows == rows && s.Share == share && s.Model == name
	})
	return x.scores[i]
}

// conclusions are what the paper says, looked at network by network. A difference counts where it is more than two standard errors of itself, query
// by query.
func (x *ldfmExperiment) conclusions() []conclusion {
	list := []conclusion{x.agreement()}
	for _, other := range []string{"BN", "DN", "MT"} {
		list = append(list, x.ahead(other))
	}
	return list
}

// agreement compares the two samplers, whose chains settle to one distribution.
func (x *ldfmExperiment) agreement() conclusion {
	var same, apart []string
	most := 0.0
	x.pairs("t-LDFM", func(g, t *ldfmScore) {
		diff, stderr := differenceOf(g.each, t.each)
		most = max(most, math.Abs(diff))
		put(&same, &apart, ldfmPlace(g), math.Abs(diff) <= max(2*stderr, .01))
	})
	return concluded("sampling states and trees gives what sampling states does, to two standard errors or .01 nats", len(apart) == 0,
		fmt.Sprintf("largest difference %.3f; apart: %s", most, strings.Join(apart, ", ")))
}

// ahead compares LDFM with another model.
func (x *ldfmExperiment) ahead(other string) conclusion {
	var ahead, behind, even []string
	x.pairs(other, func(g, o *ldfmScore) {
		switch diff, stderr := differenceOf(g.best(), o.best()); {
		case math.Abs(diff) <= 2*stderr:
			even = append(even, ldfmPlace(g))
		case diff > 0:
			ahead = append(ahead, ldfmPlace(g))
		default:
			behind = append(behind, ldfmPlace(g))
		}
	})
	return concluded("LDFM foretells more than "+other+" on most networks", len(ahead) > len(behind),
		counted("ahead", ahead, "behind", behind)+fmt.Sprintf("; %d even", len(even)))
}

// best is what the larger mean is of.
func (s *ldfmScore) best() []float64 {
	if s.CLL != nil && *s.CLL > s.CMLL {
		return s.together
	}
	return s.each
}

// pairs goes through the scores of LDFM by Gibbs sampling and those of another model.
func (x *ldfmExperiment) pairs(other string, do func(g, o *ldfmScore)) {
	for _, size := range x.sizes {
		for _, share := range x.shares {
			for _, name := range x.networks {
				do(x.score(name, size, share, "g-LDFM"), x.score(name, size, share, other))
			}
		}
	}
}

func ldfmPlace(s *ldfmScore) string {
	return fmt.Sprintf("%s %d %.0f/%.0f", s.Network, s.Rows, 100*s.Share.Query, 100*s.Share.Evidence)
}

// differenceOf is the mean of a less b, and its standard error.
func differenceOf(a, b []float64) (mean, stderr float64) {
	diff := make([]float64, len(a))
	for i := range a {
		diff[i] = a[i] - b[i]
	}
	return meanOf(diff)
}
