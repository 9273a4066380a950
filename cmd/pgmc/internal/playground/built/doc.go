// Package built has the engines of the playground's page, compressed: those that are part of the
// program, if it was built with the tag playground, or else those that an earlier run built from
// the same source and kept in the user's cache folder, or else new ones.
package built
