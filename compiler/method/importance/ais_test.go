package importance_test

import (
	"testing"

	"github.com/pgmc-go/pgmc/compiler/method/methodtest"
)

// ln Z and posteriors are those of brute force within standard errors, with zeros and without;
// impossible evidence is found to be, and no other.
func TestAgainstBruteForceAIS(t *testing.T) {
	if agreed := methodtest.Weighted(t, "ais", methodtest.Joint(50, 1<<8), "iterations=40", "chains=300"); agreed < 100 {
		t.Errorf("samples were enough in %d runs; want most of 150", agreed)
	}
}

// A network of bnlearn's repository, exact answers by the clique tree.
func TestNetworkAIS(t *testing.T) {
	methodtest.WeightedNetwork(t, "ais", "insurance", map[string]int{"PropCost": 3, "Accident": 3}, "chains=300")
}
