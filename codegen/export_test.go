package codegen

// WithTables returns o for a package that enters evidence by tables, as for large models.
func WithTables(o Options) Options {
	o.tables = true
	return o
}

// WithLanes returns options by which all batches that can run in lanes do, and WithNests by which
// all that can run as loop nests in lanes do.
func WithLanes(opt Options) Options {
	opt.batches = allLanes
	return opt
}

func WithNests(opt Options) Options {
	opt.batches = allNests
	return opt
}
