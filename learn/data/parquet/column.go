package parquet

import (
	"fmt"
	"strings"
	"time"

	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/format"
)

// column is a column of the schema, at its top.
type column struct {
	name     string
	text     string      // its type, for people
	alien    bool        // of a type that is not read
	moment   moment      // what its integers are, if they are times
	kind     format.Type // how its values are stored
	length   int         // bytes of a FixedLenByteArray
	decimal  bool
	scale    int // digits of a decimal after the point
	unsigned bool
	optional bool // it has definition levels
	leaf     int  // its number in each row group
}

// columns returns the columns of a schema and the number of its leaves, which groups have too.
func columns(schema []format.SchemaElement) (list []column, leaves int, err error) {
	if len(schema) == 0 {
		return nil, 0, fmt.Errorf("it has no schema")
	}
	for at := 1; at < len(schema); {
		c := describe(&schema[at])
		c.leaf = leaves
		for open := int64(1); open > 0; open-- {
			if at == len(schema) {
				return nil, 0, fmt.Errorf("its schema ends within a group")
			}
			if n := schema[at].NumChildren; n.Valid && n.V > 0 {
				open += int64(n.V)
			} else {
				leaves++
			}
			at++
		}
		list = append(list, c)
	}
	return list, leaves, nil
}

// describe returns the column of an element of the schema.
func describe(e *format.SchemaElement) column {
	c := column{name: e.Name, kind: e.Type.V, length: int(e.TypeLength.V), optional: e.RepetitionType.V == format.Optional}
	logical := e.LogicalType.Value
	switch {
	case e.NumChildren.Valid && e.NumChildren.V > 0 || !e.Type.Valid:
		c.alien, c.text = true, "group"
		if logical != nil {
			c.text = strings.ToLower(logical.String())
		} else if e.ConvertedType.Valid && e.ConvertedType.V == deprecated.List {
			c.text = "list"
		}
	case e.RepetitionType.V == format.Repeated:
		c.alien, c.text = true, "list"
	case logical != nil:
		c.logical(logical)
	case e.ConvertedType.Valid:
		c.converted(e)
	default:
		c.plain()
	}
	return c
}

// bytesOf returns how many bytes n plain values take at least.
func (c *column) bytesOf(n int) int {
	switch c.kind {
	case format.Boolean:
		return (n + 7) / 8
	case format.Int64, format.Double:
		return 8 * n
	case format.FixedLenByteArray:
		return c.length * n
	}
	return 4 * n // of a text, its length
}

// plain sets the type of a column that has no logical type.
func (c *column) plain() {
	c.text = map[format.Type]string{format.Boolean: "boolean", format.Int32: "int32", format.Int64: "int64", format.Int96: "int96",
		format.Float: "float", format.Double: "double", format.ByteArray: "binary", format.FixedLenByteArray: "fixed"}[c.kind]
	if c.text == "" {
		c.text = "unknown"
	}
	c.alien = c.text == "unknown" || c.kind == format.Int96 || c.kind == format.FixedLenByteArray
}

// logical sets the type of a column that has a logical one.
func (c *column) logical(t format.LogicalTypeValue) {
	c.text, _, _ = strings.Cut(strings.ToLower(t.String()), "(") // such as timestamp(unit=nanos)
	whole := c.kind == format.Int32 || c.kind == format.Int64
	switch t := t.(type) {
	case *format.StringType, *format.EnumType, *format.JsonType:
		c.alien = c.kind != format.ByteArray
	case *format.IntType:
		c.text, c.unsigned, c.alien = fmt.Sprintf("int%d", t.BitWidth), !t.IsSigned, !whole
		if c.unsigned {
			c.text = "u" + c.text
		}
	case *format.DecimalType:
		c.decimals(t.Precision, t.Scale)
	case *format.DateType:
		c.moments(moment{unit: 24 * time.Hour}, format.Int32)
	case *format.TimestampType:
		c.moments(moment{unit: unitOf(t.Unit), utc: t.IsAdjustedToUTC}, format.Int64)
	case *format.NullType:
		c.alien = !c.optional
	default:
		c.alien = true
	}
}

// decimals sets the type to numbers of some digits, of which scale are after the point.
func (c *column) decimals(precision, scale int32) {
	c.text, c.decimal, c.scale = fmt.Sprintf("decimal(%d,%d)", precision, scale), true, int(scale)
	stored := c.kind == format.Int32 || c.kind == format.Int64 || c.kind == format.ByteArray || c.kind == format.FixedLenByteArray
	c.alien = !stored || scale < 0 || scale > 76 || c.kind == format.FixedLenByteArray && (c.length < 1 || c.length > maxDecimal)
}

// maxDecimal bounds the bytes of a decimal: 76 digits take 32.
const maxDecimal = 32

// converted sets the type of a column that has a type of the format's first version.
func (c *column) converted(e *format.SchemaElement) {
	t := e.ConvertedType.V
	switch t {
	case deprecated.UTF8:
		c.logical(&format.StringType{})
	case deprecated.Enum:
		c.logical(&format.EnumType{})
	case deprecated.Json:
		c.logical(&format.JsonType{})
	case deprecated.Decimal:
		c.decimals(e.Precision.V, e.Scale.V)
	case deprecated.Uint8, deprecated.Uint16, deprecated.Uint32, deprecated.Uint64:
		c.logical(&format.IntType{BitWidth: 8 << (t - deprecated.Uint8)})
	case deprecated.Int8, deprecated.Int16, deprecated.Int32, deprecated.Int64:
		c.logical(&format.IntType{BitWidth: 8 << (t - deprecated.Int8), IsSigned: true})
	case deprecated.Date:
		c.logical(&format.DateType{})
	case deprecated.TimestampMillis, deprecated.TimestampMicros:
		c.text = "timestamp"
		c.moments(moment{unit: map[deprecated.ConvertedType]time.Duration{deprecated.TimestampMillis: time.Millisecond, deprecated.TimestampMicros: time.Microsecond}[t], utc: true}, format.Int64)
	default:
		c.alien, c.text = true, map[deprecated.ConvertedType]string{deprecated.TimeMillis: "time", deprecated.TimeMicros: "time", deprecated.Interval: "interval"}[t]
		if c.text == "" {
			c.text = fmt.Sprintf("converted type %d", t)
		}
	}
}
