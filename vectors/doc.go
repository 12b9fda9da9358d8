// Package vectors reads and writes embedding tables: rows of numbers, usually
// with a symbol for each row.
//
// # Basics
//
// [Open] recognises a file by its content, not by its name: GloVe text,
// word2vec text (which fastText's .vec is), word2vec binary, .npy,
// safetensors, the index of sharded safetensors files, and each of them
// gzipped. [NewReader] does the same for a stream that cannot seek, such as
// standard input. [Reader.Next] then delivers row after row, and [ReadAll] a
// whole [Table].
//
// .npy and safetensors have no symbols. Options.Symbols takes them from a text
// with one symbol a line, which [WriteSymbols] writes, or from a Hugging Face
// tokenizer.json: its tokens as they stand there, by their ids. Rows that have
// no token, as models have to pad their tables, are called <unused-ID>.
//
// [Create] and [NewWriter] write the same formats. A file appears whole, at
// [Writer.Commit], or not at all. The numbers of text formats are the shortest
// that read back to the same float32.
//
// Errors about the contents of a file wrap [ErrFormat] and name the file, the
// line or offset, what is wrong and what to do.
//
// # Text
//
// Fields are separated by spaces or tabs; lines may end in a carriage return;
// blank lines are passed over and counted. Words are bytes, not necessarily
// UTF-8, and may contain spaces: the last d fields of a line are its vector.
// A header states d; without one d is the count of numbers at the end of most
// of the first lines. A fraction before the last d fields is an error rather
// than a part of a word. nan and inf are numbers.
//
// # Caveats
//
// A Reader and a Writer each belong to one goroutine at a time; only
// [Reader.ReadRows] may be called from several, and along with Next. Next allocates
// nothing but the symbol, and remembers the symbols it has seen unless
// Options.Duplicates is KeepAll.
//
// [Reader.Len] repeats what a header claims. Memory grows only as data
// arrives: no header makes a Reader allocate more than a row of [MaxDim].
// A gzipped file can arrive as a thousand times its size.
//
// A GloVe text that was cut off at a line end reads as a shorter table, and any
// text that was cut off in its very last number reads with a shorter number:
// nothing in the file tells. Every other truncation is an error.
//
// A first line of two whole numbers is always taken for a header, even where a
// table of one dimension without a header was meant.
package vectors
