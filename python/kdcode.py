"""Reads code files (docs/format.md) with NumPy alone.

    t = kdcode.Table("glove.kd")         # verify=True compares all checksums
    "cat" in t               # whether the table has a symbol
    t["cat"]                 # its vector
    t.lookup([0, 1, 2])      # vectors by id, [3, d]
    t.codes[5]               # the digits of a code
    t.symbols                # the list of symbols, or None

    python3 kdcode.py glove.kd cat dog      prints vectors as JSON
"""
import hashlib
import json
import sys

import numpy as np

TYPES = {"BOOL": "?", "U8": "u1", "I8": "i1", "U16": "<u2", "I16": "<i2", "F16": "<f2",
         "U32": "<u4", "I32": "<i4", "F32": "<f4", "U64": "<u8", "I64": "<i8", "F64": "<f8"}


class Table:
    """A code file, mapped into memory. Its symbols are read when they are first asked for."""

    def __init__(self, path, verify=False):
        raw = np.memmap(path, np.uint8, "r")
        if len(raw) < 8 or int(raw[:8].view("<u8")[0]) > len(raw) - 8:
            raise ValueError(f"{path}: not a code file, or truncated")
        start = 8 + int(raw[:8].view("<u8")[0])
        text = raw[8:start].tobytes()
        header = json.loads(text)
        self.metadata = m = header.pop("__metadata__", {})
        if m.get("format") != "kdcode" or m.get("version") != "1":
            raise ValueError(f"{path}: not a code file of version 1")
        if verify:
            own = m["header_sha256"]  # of the header with zeros in its place
            if hashlib.sha256(text.replace(own.encode(), b"0" * 64)).hexdigest() != own:
                raise ValueError(f"{path}: the header does not match its checksum")
        self.tensors = {}
        for name, t in header.items():
            a, b = t["data_offsets"]
            data = raw[start + a:start + b]
            if verify and hashlib.sha256(data.tobytes()).hexdigest() != m["sha256." + name]:
                raise ValueError(f"{path}: tensor {name} does not match its checksum")
            self.tensors[name] = data.view(TYPES[t["dtype"]]).reshape(t["shape"])
        self.K, self.D, self.dim = int(m["ways"]), int(m["code_length"]), int(m["dim"])
        W = self.tensors["code_embeddings"].astype(np.float32)
        if "code_embeddings.scale" in self.tensors:
            W = W * self.tensors["code_embeddings.scale"]
        self.W = np.broadcast_to(W, (self.D,) + W.shape) if W.ndim == 2 else W  # [D, K, d']
        self._symbols = self._ids = None

    def __len__(self):
        return self.tensors["codes"].shape[0]

    def digits(self, ids):
        """The codes of ids, [len(ids), D]."""
        rows, w = self.tensors["codes"][np.asarray(ids)], (self.K - 1).bit_length()
        bits = np.unpackbits(rows, axis=1, bitorder="little")[:, :self.D * w]
        codes = bits.reshape(-1, self.D, w) @ (1 << np.arange(w))
        if codes.size and codes.max() >= self.K:
            raise ValueError("damaged: a digit is K or more")
        return codes

    @property
    def codes(self):
        return self.digits(np.arange(len(self)))

    @property
    def symbols(self):
        if self._symbols is None and "symbols" in self.tensors:
            blob, at, out = self.tensors["symbols"].tobytes(), 0, []
            while at < len(blob):
                n = shift = 0
                while True:
                    byte = blob[at]
                    at += 1
                    n |= (byte & 127) << shift
                    shift += 7
                    if byte < 128:
                        break
                out.append(blob[at:at + n].decode("utf-8", "surrogateescape"))
                at += n
            self._symbols = out
        return self._symbols

    @property
    def ids(self):
        """The ids of the symbols, by symbol; empty if the table has none."""
        if self._ids is None:
            self._ids = {s: i for i, s in enumerate(self.symbols or [])}
        return self._ids

    def __contains__(self, symbol):
        return symbol in self.ids

    def __getitem__(self, symbol):
        return self.lookup([self.ids[symbol]])[0]

    def lookup(self, ids):
        """The vectors of ids, [len(ids), d]."""
        c = self.digits(ids)
        x = self.W[np.arange(self.D), c]  # [n, D, d']
        kind, t = self.metadata["composition"], self.tensors
        if kind == "sum":
            return x.sum(1)
        if kind == "concat":
            return x.reshape(len(c), -1)
        s = x.sum(1) if kind == "affine" else self._lstm(x)
        if "projection" in t:
            s = s @ t["projection"].T
        return s + t["bias"] if "bias" in t else s

    def _lstm(self, x):
        """The sum of an LSTM's outputs on the code embeddings x [n, D, d']."""
        t, sigmoid = self.tensors, lambda a: 1 / (1 + np.exp(-a))
        U, b, V = t["lstm.recurrent"], t["lstm.bias"], t.get("lstm.input")
        h0, m0 = t.get("lstm.state", np.zeros((2, U.shape[1]), np.float32))
        h, m, total = np.tile(h0, (len(x), 1)), np.tile(m0, (len(x), 1)), 0
        for j in range(self.D):
            gate = [(x[:, j] if V is None else x[:, j] @ V[g]) + h @ U[g] + b[g] for g in range(4)]
            m = sigmoid(gate[0]) * m + sigmoid(gate[1]) * np.tanh(gate[3])
            h = sigmoid(gate[2]) * np.tanh(m)
            total = total + h
        return total


if __name__ == "__main__":
    table = Table(sys.argv[1])
    print(json.dumps({s: table[s].tolist() for s in sys.argv[2:]}))
