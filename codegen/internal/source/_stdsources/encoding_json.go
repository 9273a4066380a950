package json

import "io"

type RawMessage []byte
type Decoder struct{}

func (dec *Decoder) Decode(v any) error
func (dec *Decoder) More() bool
func (dec *Decoder) Token() (Token, error)

type Delim rune
type Token any

func Marshal(v any) ([]byte, error)
func NewDecoder(r io.Reader) *Decoder
func Unmarshal(data []byte, v any) error
