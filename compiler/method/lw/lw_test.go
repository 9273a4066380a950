package lw_test

import (
	"testing"

	"github.com/pgmc-go/pgmc/compiler/method/methodtest"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// ln P and posteriors are those of brute force within standard errors, for every kind of CPD; impossible evidence is found to be, and no other.
func TestAgainstBruteForce(t *testing.T) {
	var models []*model.Model
	for seed := uint64(0); len(models) < 200; seed++ {
		if m := irtest.RandomModel(seed, irtest.Options{MaxJoint: 1 << 10, NoZeros: seed%2 == 0}); m.Kind == model.Bayes {
			models = append(models, m)
		}
	}
	if agreed := methodtest.Weighted(t, "lw", models, "iterations=4000"); agreed < 500 {
		t.Errorf("samples were enough in %d runs; want most of 600", agreed)
	}
}
