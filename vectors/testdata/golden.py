"""Makes the golden files with nothing but Python's standard library.

Run in this folder. The table is three words of four numbers, all of them
exact in float16 and bfloat16.
"""

import gzip
import json
import struct

WORDS = ["the", "naïve", "</s>"]
ROWS = [[1.0, -0.5, 0.25, 0.0], [3.0, 1.5, -2.0, 0.125], [-1.0, 96.0, 0.0078125, -0.75]]
FLAT = [v for row in ROWS for v in row]


def number(v):
    return "%g" % v


def bfloat16(values):
    return b"".join(struct.pack("<f", v)[2:] for v in values)


def npy(version, descr, code, order="<"):
    text = "{'descr': '%s', 'fortran_order': False, 'shape': (3, 4), }" % descr
    length = 2 if version == 1 else 4
    total = -(-(8 + length + len(text) + 1) // 64) * 64
    text = text.ljust(total - 8 - length - 1) + "\n"
    head = b"\x93NUMPY" + bytes([version, 0]) + len(text).to_bytes(length, "little")
    return head + text.encode() + struct.pack(order + "12" + code, *FLAT)


def safetensors(tensors):
    header, data = {"__metadata__": {"format": "pt"}}, b""
    for name, dtype, shape, raw in tensors:
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text + data


def write(name, data):
    with open(name, "wb") as f:
        f.write(data)


lines = [w + " " + " ".join(number(v) for v in row) for w, row in zip(WORDS, ROWS)]
glove = ("\n".join(lines) + "\n").encode()
write("golden.glove.txt", glove)
write("golden.glove.txt.gz", gzip.compress(glove, mtime=0))
write("golden.word2vec.txt", b"3 4\n" + glove)
write("golden.fasttext.vec", b"3 4\n" + glove.replace(b"\n", b" \n"))
binary = [w.encode() + b" " + struct.pack("<4f", *row) for w, row in zip(WORDS, ROWS)]
write("golden.word2vec.bin", b"3 4\n" + b"".join(b + b"\n" for b in binary))
write("golden.gensim.bin", b"3 4\n" + b"".join(binary))
write("golden.f4.npy", npy(1, "<f4", "f"))
write("golden.f8.v2.npy", npy(2, "<f8", "d"))
write("golden.f2.v3.npy", npy(3, "<f2", "e"))
write("golden.big.npy", npy(1, ">f4", "f", ">"))
f32, f64, f16 = (struct.pack("<12" + c, *FLAT) for c in "fde")
write("golden.f64.safetensors", safetensors([("bias", "F32", [4], f32[:16]), ("emb", "F64", [3, 4], f64)]))
write("golden.f32.safetensors", safetensors([("bias", "F32", [4], f32[:16]), ("emb", "F32", [3, 4], f32)]))
write("golden.f16.safetensors", safetensors([("emb", "F16", [3, 4], f16), ("bias", "F16", [4], f16[:8])]))
write("golden.bf16.safetensors", safetensors([("emb", "BF16", [3, 4], bfloat16(FLAT))]))
write("shard-1.safetensors", safetensors([("bias", "F32", [4], f32[:16])]))
write("shard-2.safetensors", safetensors([("bias2", "F32", [4], f32[:16]), ("emb", "F32", [3, 4], f32)]))
index = {"metadata": {"total_size": 80}, "weight_map": {"bias": "shard-1.safetensors", "bias2": "shard-2.safetensors", "emb": "shard-2.safetensors"}}
write("golden.index.json", json.dumps(index, indent=2).encode())
write("golden.symbols.txt", ("\n".join(WORDS) + "\n").encode())
bpe = {"version": "1.0", "added_tokens": [{"id": 2, "content": "</s>", "special": True}],
       "model": {"type": "BPE", "vocab": {"naïve": 1, "the": 0}, "merges": []}}
write("golden.bpe.tokenizer.json", json.dumps(bpe).encode())
unigram = {"version": "1.0", "added_tokens": [], "model": {"type": "Unigram", "unk_id": 0,
           "vocab": [["the", 0.0], ["naïve", -1.5], ["</s>", -2]]}}
write("golden.unigram.tokenizer.json", json.dumps(unigram).encode())
