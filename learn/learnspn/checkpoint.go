package learnspn

import (
	"errors"
	"slices"

	"github.com/pgmc-go/pgmc/learn/internal/spn"
	"github.com/pgmc-go/pgmc/learn/learner"
)

// checkpoint is the state of the learner that is stored: how the networks of the tries were split,
// and EM of the best one.
type checkpoint struct {
	history
	Climb *spn.Climb `json:"climb,omitempty"`
}

// history records the splits of the network of each try, parents first.
type history = learner.History[cut]

// cut is a split of columns or rows, or of neither.
type cut struct {
	Groups   [][]int `json:"groups,omitempty"`   // of variables
	Clusters []byte  `json:"clusters,omitempty"` // by row; at most 256
}

// check returns an error if a cut from a checkpoint does not fit.
func (x *cut) check(rows []int32, vars []int) error {
	switch {
	case x.Groups != nil:
		for _, g := range x.Groups {
			if len(g) == 0 || len(x.Groups) == 1 {
				return errors.New("a group has no variables or all of them")
			}
		}
		all := slices.Concat(x.Groups...)
		slices.Sort(all)
		if !slices.Equal(all, slices.Sorted(slices.Values(vars))) {
			return errors.New("the groups have other variables than the node")
		}
	case x.Clusters != nil:
		if len(x.Clusters) != len(rows) {
			return errors.New("the clusters have other rows than the node")
		}
		parts := x.parts(rows)
		if len(parts) < 2 || slices.ContainsFunc(parts, func(p []int32) bool { return p == nil }) {
			return errors.New("a cluster has no rows or all of them")
		}
	}
	return nil
}

// parts returns the rows of each cluster.
func (x *cut) parts(rows []int32) [][]int32 {
	out := make([][]int32, int(slices.Max(x.Clusters))+1)
	for i, row := range rows {
		out[x.Clusters[i]] = append(out[x.Clusters[i]], row)
	}
	return out
}
