#!/usr/bin/env python3
"""Writes the golden pickles beside it. Needs numpy and scipy; the tests do not.

Planetoid's files were written by Python 2, where strings are bytes and scipy's
and numpy's modules had other names. Python2 below writes as it did. The files
py3.* are what Python 3 writes by itself, for files that somebody saved again.
"""
import collections
import io
import os
import pickle
import struct

import numpy as np
import scipy.sparse as sp

HERE = os.path.dirname(os.path.abspath(__file__))


class Python2(pickle._Pickler):
    """Python 2's pickler: strings as bytes, its names of modules."""

    dispatch = dict(pickle._Pickler.dispatch)

    def save_bytes(self, obj):
        if not self.bin:
            text = obj.decode("latin1")
            quoted = "".join(c if 32 <= ord(c) < 127 and c not in "\\'" else "\\x%02x" % ord(c) for c in text)
            quoted = quoted.replace("\\x0a", "\\n").replace("\\x5c", "\\\\").replace("\\x27", "\\'")
            self.write(b"S'" + quoted.encode() + b"'\n")
        elif len(obj) < 256:
            self.write(b"U" + struct.pack("<B", len(obj)) + obj)
        else:
            self.write(b"T" + struct.pack("<i", len(obj)) + obj)
        self.memoize(obj)

    def save_str(self, obj):
        if id(obj) in self.memo:
            self.write(self.get(self.memo[id(obj)][0]))
        else:
            self.save_bytes(obj.encode("latin1"))
            # save_bytes has memoized bytes that are gone; keep the string's own
            self.memo[id(obj)] = (self.memo.popitem()[1][0], obj)

    def save_global(self, obj, name=None):
        if obj is sp.csr_matrix:
            self.write(b"cscipy.sparse.csr\ncsr_matrix\n")
            self.memoize(obj)
        else:
            super().save_global(obj, name)

    dispatch[bytes] = save_bytes
    dispatch[str] = save_str
    dispatch[type] = lambda self, obj: self.save_global(obj)


def python2(obj, protocol):
    out = io.BytesIO()
    Python2(out, protocol, fix_imports=True).dump(obj)
    return out.getvalue()


def main():
    lists = collections.defaultdict(list, {0: [2, 1, 70000], 1: [0], 2: [], 300: [0, 0, 300]})
    csr = sp.csr_matrix(np.array([[0, 1.5, 0], [0, 0, 0], [2, 0, -3]], dtype="f4"))
    onehot = np.array([[0, 1, 0], [1, 0, 0]], dtype="i4")
    values = {
        "lists": lists,
        "dict": {5: [1], 6: [-1, 2]},
        "csr": csr,
        "csr64": csr.astype("f8"),
        "int32": onehot,
        "fortran": np.asfortranarray(np.array([[1, 2, 3], [4, 5, 6]], dtype="i2")),
        "big": np.array([1, -2, 2**40], dtype=">i8"),
        "float64": np.array([[0.5, -1e300], [np.inf, 3]], dtype="f8"),
        "bytes": np.arange(256, dtype="u1"),
        "bool": np.array([True, False]),
        "empty": np.zeros((0, 4), dtype="f4"),
    }
    everywhere = "lists", "csr", "int32"
    for name, value in values.items():
        for protocol in (0, 1, 2) if name in everywhere else (2,):
            write(f"py2.{protocol}.{name}", python2(value, protocol), value)
    for name in "lists", "csr", "bytes", "empty":
        for protocol in 0, 2:
            write(f"py3.{protocol}.{name}", pickle.dumps(values[name], protocol), values[name])


def write(name, data, value):
    again = pickle.loads(data, encoding="latin1")
    if sp.issparse(value):
        assert (again != value).nnz == 0
    else:
        assert np.array_equal(again, value), name
    with open(os.path.join(HERE, name + ".pickle"), "wb") as f:
        f.write(data)


if __name__ == "__main__":
    main()
