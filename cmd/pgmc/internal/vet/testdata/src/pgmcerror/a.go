package pgmcerror

import "asia"

func drops(e *asia.Engine, ev asia.Evidence) float64 {
	p, _ := e.LogProb(&ev) // want `the error of asia.Engine.LogProb is dropped, without which a failure looks like an answer`
	e.Check()              // want `the error of asia.Engine.Check is dropped`
	ev.Set("smoke", "yes") // want `the error of asia.Evidence.Set is dropped`
	defer e.Check()        // want `the error of asia.Engine.Check is dropped`
	go e.LogProb(&ev)      // want `the error of asia.Engine.LogProb is dropped`
	return p
}

func keeps(e *asia.Engine, ev asia.Evidence) (float64, error) {
	if err := ev.Set("smoke", "yes"); err != nil {
		return 0, err
	}
	_, err := e.LogProb(&ev)
	if err != nil {
		return 0, err
	}
	return e.LogProb(&ev)
}
