package vet

// CompileArgs is compileArgs, for tests.
var CompileArgs = compileArgs
