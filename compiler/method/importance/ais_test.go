package importance_test

import (
	"testing"

	"github.com/pgmc-go/pgmc/compiler/method/methodtest"
)

// TestAgainstBruteForceAIS checks that ln Z and posteriors are those of brute force within standard
// errors, with and without zeros. Impossible evidence must be reported, and no other.
func TestAgainstBruteForceAIS(t *testing.T) {
	if agreed := methodtest.Weighted(t, "ais", methodtest.Joint(50, 1<<8), "iterations=40", "chains=300"); agreed < 100 {
		t.Errorf("samples were enough in %d runs; want most of 150", agreed)
	}
}

// TestNetworkAIS compares with the clique tree on a network of bnlearn's repository.
func TestNetworkAIS(t *testing.T) {
	methodtest.WeightedNetwork(t, "ais", "insurance", map[string]int{"PropCost": 3, "Accident": 3}, "chains=300")
}
