package parquet

// Unchecked makes readers ignore checksums or not.
func Unchecked(ignore bool) { unchecked = ignore }
