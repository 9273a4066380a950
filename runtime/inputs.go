package pgmrt

// InputSpan is a span of work memory for the likelihood of a variable. It begins at At, which is -1
// if there is no span. Variable is -1 if the variable is latent.
type InputSpan struct{ Variable, At, States int32 }

// CheckStates refuses a state that its variable does not have. cards holds the numbers of states.
func CheckStates(n *Names, cards, states []uint16) error {
	for i, state := range states {
		if state > cards[i] {
			return n.BadState(i, uint(state))
		}
	}
	return nil
}

// EnterStates sets the spans of variables to their observed states, and of latent ones to ones.
func EnterStates(s []float64, inputs []InputSpan, states []uint16) {
	for _, in := range inputs {
		switch {
		case in.At < 0:
		case in.Variable < 0:
			Observe(s[in.At:in.At+in.States], 0)
		default:
			Observe(s[in.At:in.At+in.States], uint(states[in.Variable]))
		}
	}
}

// EnterLikelihoods multiplies inputs by likelihoods of variables, of which first is the first. It
// returns the logarithm of the factor that they were divided by. Unless spread is nil, it adds the
// Spread of each likelihood that is entered.
func EnterLikelihoods(n *Names, s []float64, inputs []InputSpan, spread *float64, first int32, soft ...[]float64) (scale float64, err error) {
	before := int32(-1)
	for _, in := range inputs {
		l := soft[in.Variable-first]
		if in.At < 0 {
			if !IsLikelihood(l) {
				return 0, n.BadLikelihood(int(in.Variable))
			}
			continue
		}
		log, ok := Likelihood(s[in.At:in.At+in.States], l)
		if !ok {
			return 0, n.BadLikelihood(int(in.Variable))
		}
		if in.Variable == before {
			continue
		}
		before = in.Variable
		scale += log
		if spread != nil {
			*spread += Spread(l)
		}
	}
	return scale, nil
}
