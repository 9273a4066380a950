package parquet

import (
	"testing"
	"unsafe"

	"github.com/parquet-go/parquet-go/format"
)

// Unchecked makes readers ignore checksums or not.
func Unchecked(ignore bool) { unchecked = ignore }

func TestStructBytes(t *testing.T) {
	if n := max(unsafe.Sizeof(format.ColumnChunk{}), unsafe.Sizeof(format.RowGroup{}), unsafe.Sizeof(format.SchemaElement{})); n > structBytes {
		t.Errorf("an element of a list has %d bytes; want at most %d", n, structBytes)
	}
}
