package clusters_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/pgmc-go/pgmc/learn/internal/clusters"
	"github.com/pgmc-go/pgmc/learn/internal/trees"
	"github.com/pgmc-go/pgmc/learn/learnertest"
)

// TestFind checks that two clusters, of rows that are mostly 0 and mostly 1, are found, and no
// third one.
func TestFind(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var vars []any
	for v := range 10 {
		vars = append(vars, string(rune('a'+v)), 2)
	}
	var rows [][]int
	for i := range 400 {
		row := make([]int, 10)
		for v := range row {
			if row[v] = i % 2; rng.IntN(10) == 0 {
				row[v] = 1 - row[v]
			}
		}
		rows = append(rows, row)
	}
	s := learnertest.New(t, learnertest.Vars(vars...), rows, nil)
	x, err := trees.NewIndex(s, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	o := clusters.Options{Most: 4, Penalty: 2, Prior: 1}
	list, k, err := o.Find(t.Context(), x.Count(nil), rng)
	if k != 2 || err != nil {
		t.Fatalf("%d clusters, %v; want 2", k, err)
	}
	for i, c := range list {
		if c != list[i%2] {
			t.Errorf("row %d %v is in cluster %d", i, rows[i], c)
		}
	}
	o.Penalty = 200 // for each of ten variables: more than the roughly 1,200 nats that the second cluster gains
	if _, k, err := o.Find(t.Context(), x.Count(nil), rng); k > 1 || err != nil {
		t.Errorf("%d clusters at a price above their worth, %v", k, err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := o.Find(ended, x.Count(nil), rng); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v where nobody waits for clusters any more", err)
	}
}
