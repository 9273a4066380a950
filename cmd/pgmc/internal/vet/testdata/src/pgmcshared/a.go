package pgmcshared

import "asia"

var engine = asia.New()

func loop(list []asia.Evidence, use func(float64, error)) {
	e := asia.New()
	for i := range list {
		go func() { use(e.LogProb(&list[i])) }() // want `e is used by several goroutines; each needs its own, of New or of a Pool`
	}
}

func after(ev asia.Evidence, use func(float64, error)) {
	e := asia.New()
	go func() { use(e.LogProb(&ev)) }() // want `e is used by several goroutines`
	use(e.LogProb(&ev))
}

func own(list []asia.Evidence, use func(float64, error)) {
	for i := range list {
		go func() {
			e := asia.New()
			use(e.LogProb(&list[i]))
		}()
		e := asia.New()
		go func() { use(e.LogProb(&list[i])) }()
	}
}

func handOver(ev asia.Evidence, use func(float64, error)) {
	e := asia.New()
	use(e.LogProb(&ev))
	go func() { use(e.LogProb(&ev)) }()
}
