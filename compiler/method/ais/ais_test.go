package ais_test

import (
	"testing"

	"github.com/pgmc-go/pgmc/compiler/method/methodtest"
	"github.com/pgmc-go/pgmc/ir/irtest"
	"github.com/pgmc-go/pgmc/ir/model"
)

// ln Z and posteriors are those of brute force within standard errors, with zeros and without; impossible evidence is found to be, and no other.
func TestAgainstBruteForce(t *testing.T) {
	models := irtest.Fixtures()
	for seed := uint64(0); len(models) < 50; seed++ {
		if m := irtest.RandomModel(seed, irtest.Options{MaxJoint: 1 << 8, NoZeros: seed%2 == 0}); m.Kind != model.Dependency {
			models = append(models, m)
		}
	}
	if agreed := methodtest.Weighted(t, "ais", models, "iterations=40", "chains=300"); agreed < 100 {
		t.Errorf("samples were enough in %d runs; want most of 150", agreed)
	}
}

// A network of bnlearn's repository, exact answers by the clique tree.
func TestNetwork(t *testing.T) {
	methodtest.WeightedNetwork(t, "ais", "insurance", map[string]int{"PropCost": 3, "Accident": 3}, "chains=300")
}
