package codegen

// WithTables returns o for a package that enters evidence by tables, as for large models.
func WithTables(o Options) Options {
	o.tables = true
	return o
}
