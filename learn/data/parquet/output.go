package parquet

import (
	"unicode/utf8"

	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"github.com/pgmc-go/pgmc/learn/data"
)

// output is a column of the row group that is being filled.
type output struct {
	data.Output
	present []uint32 // by row: 1, or 0 if the value is null
	nulls   int64
	index   []uint32 // of texts, in the order of rows without nulls
	dict    map[string]uint32
	texts   []string // by number in dict
	size    int      // bytes of texts
	bits    []uint64 // of numbers
}

// kind returns how values of the column are stored.
func (c *output) kind() format.Type {
	switch c.Kind {
	case data.Reals:
		return format.Double
	case data.Integers:
		return format.Int64
	}
	return format.ByteArray
}

// element returns the element of the schema.
func (c *output) element() format.SchemaElement {
	e := format.SchemaElement{Name: c.Name, Type: thrift.New(c.kind()), RepetitionType: thrift.New(format.Optional)}
	if c.Kind == data.Texts {
		e.ConvertedType = thrift.New(deprecated.UTF8)
		e.LogicalType.Value = &format.StringType{}
	}
	return e
}

// coded reports whether the texts are coded by dictionary, which pays if they are few and alike.
func (c *output) coded() bool {
	return len(c.texts) > 0 && len(c.texts) <= 1<<16 && c.size <= 1<<20 && 2*len(c.texts) <= len(c.index)+2
}

// add adds a text.
func (c *output) add(s string) error {
	k, ok := c.dict[s]
	if !ok {
		if !utf8.ValidString(s) {
			return errText
		}
		k = uint32(len(c.texts))
		c.dict[s] = k
		c.texts = append(c.texts, s)
		c.size += len(s)
	}
	c.index = append(c.index, k)
	return nil
}
