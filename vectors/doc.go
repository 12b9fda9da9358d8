// Package vectors reads and writes embedding tables.
package vectors
