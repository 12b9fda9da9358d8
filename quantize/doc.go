// Package quantize turns a table of vectors into codes and code embeddings,
// and measures what is lost by it.
//
// # Basics
//
//	model, err := quantize.Compress(ctx, src, symbols, quantize.Options{K: 32, D: 32})
//	err = codefile.WriteFile("glove.kd", model)
//
// A Source is a table in memory (Matrix) or one that is read as needed. The
// model's composition is a sum of code embeddings (the default, and the best at
// equal bits), a concatenation (product quantization: faster to learn), or an
// affine map of a sum (narrow code embeddings, for small tables of wide
// vectors).
//
// Options ask for K and D; CompressTo finds them for a size or an error asked for.
// Measure and CodeUse say what was lost, and Baselines what other methods lose
// at as many bits.
//
// # Caveats
//
// The same table, options and processor give the same model, whatever the
// number of threads. Processors with other instruction sets round differently
// and so find other, equally good codes.
//
// Letters: N vectors, K values of a digit, D digits of a code, d width of a
// vector, d' width of a code embedding.
package quantize
