package method

import "github.com/pgmc-go/pgmc/ir/diag"

// Role is a task of one method of the compiler's suite. Methods and errors refer to other methods
// by role, since a method's name appears only in its own folder.
type Role uint8

// The roles.
const (
	_              Role = iota // of most methods
	Tables                     // answers every query of discrete networks exactly, by tables
	Circuit                    // answers queries exactly, by a circuit
	MixedGaussians             // answers queries of states and linear Gaussian variables exactly
	Projection                 // approximates beliefs in networks of states and real variables by Gaussians
	ForwardSamples             // estimates posteriors by samples of nearly any Bayesian network
	MarkovChain                // estimates posteriors by samples of nearly any model
	MaxMessages                // finds probable states, by messages of maxima
	DualMessages               // finds probable states and a bound, by messages
	ExactFilter                // filters sequences exactly
	MergingFilter              // filters sequences with a Gaussian for each joint state
	MixingFilter               // as MergingFilter, with Gaussians that are mixed before a slice
	ParticleFilter             // filters sequences of any variables by samples
)

// Peers returns the option that selects the method with a role, as an argument of messages.
type Peers func(Role) diag.Option
