package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"runtime"

	"example.com/clinic/asia"
	"example.com/clinic/sprinkler"
)

// Request is a question about a patient or about a lawn. What was not observed is left out.
type Request struct {
	ID    string              `json:"id"`
	Chest *asia.Evidence      `json:"chest,omitempty"`
	Image asia.XrayDist       `json:"image,omitzero"` // the probability of the picture if the lungs are affected, and if not, up to a factor
	Lawn  *sprinkler.Evidence `json:"lawn,omitempty"`
}

// Answer holds the probabilities for one request, or the reason why there are none.
type Answer struct {
	ID         string               `json:"id"`
	Chest      *asia.Marginals      `json:"chest,omitempty"`
	Likely     *asia.Assignment     `json:"likely,omitempty"` // the most probable state of all variables together
	Lawn       *sprinkler.Marginals `json:"lawn,omitempty"`
	Impossible bool                 `json:"impossible,omitempty"` // the findings contradict each other
	Error      string               `json:"error,omitempty"`
}

// Service answers requests, from several goroutines at once. The zero value is ready.
type Service struct {
	chest asia.Pool
	lawn  sprinkler.Pool
}

// Answer answers one request.
func (s *Service) Answer(r *Request) *Answer {
	a := &Answer{ID: r.ID}
	var err error
	switch {
	case r.Chest != nil && r.Lawn == nil:
		err = s.answerChest(r, a)
	case r.Lawn != nil && r.Chest == nil:
		err = s.answerLawn(r, a)
	default:
		err = errors.New("want either chest or lawn")
	}
	if err != nil {
		impossible := errors.Is(err, asia.ErrImpossible) || errors.Is(err, sprinkler.ErrImpossible)
		return &Answer{ID: r.ID, Impossible: impossible, Error: err.Error()}
	}
	return a
}

func (s *Service) answerChest(r *Request, a *Answer) error {
	e := s.chest.Get()
	defer s.chest.Put(e)
	soft := asia.Soft{Xray: r.Image}
	a.Chest, a.Likely = new(asia.Marginals), new(asia.Assignment)
	if err := e.Marginals(r.Chest, &soft, a.Chest); err != nil {
		return err
	}
	_, err := e.MPE(r.Chest, &soft, a.Likely)
	return err
}

func (s *Service) answerLawn(r *Request, a *Answer) error {
	e := s.lawn.Get()
	defer s.lawn.Put(e)
	a.Lawn = new(sprinkler.Marginals)
	return e.Marginals(r.Lawn, nil, a.Lawn)
}

// Serve answers the lines of in, several at a time, and writes the answers in their order.
func (s *Service) Serve(in io.Reader, out io.Writer) error {
	pending := make(chan chan *Answer, runtime.GOMAXPROCS(0)) // its capacity bounds the requests being answered
	var readErr error
	go func() {
		defer close(pending)
		lines := bufio.NewScanner(in)
		for lines.Scan() {
			line, done := append([]byte(nil), lines.Bytes()...), make(chan *Answer, 1)
			pending <- done
			go func() { done <- s.answerLine(line) }()
		}
		readErr = lines.Err()
	}()
	enc := json.NewEncoder(out)
	var writeErr error
	for done := range pending {
		if a := <-done; writeErr == nil {
			writeErr = enc.Encode(a)
		}
	}
	return errors.Join(readErr, writeErr)
}

func (s *Service) answerLine(line []byte) *Answer {
	var r Request
	if err := json.Unmarshal(line, &r); err != nil {
		return &Answer{ID: r.ID, Error: err.Error()}
	}
	return s.Answer(&r)
}
