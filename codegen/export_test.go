package codegen

// WithTables returns o for a package that enters evidence by tables, as for large models.
func WithTables(o Options) Options {
	o.tables = true
	return o
}

// WithNests returns options by which all batches that can run as loop nests in lanes do.
func WithNests(opt Options) Options {
	opt.nests = true
	return opt
}
