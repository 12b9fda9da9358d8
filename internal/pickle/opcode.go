package pickle

import "fmt"

// actions are the opcodes that Planetoid's files need. STOP is run's own.
var actions = map[byte]func(*machine) error{
	0x80: (*machine).protocol,
	'(':  (*machine).mark,

	'N':  func(m *machine) error { return m.push(nil) },
	0x88: func(m *machine) error { return m.push(true) },
	0x89: func(m *machine) error { return m.push(false) },
	'I':  (*machine).intLine,
	'L':  (*machine).longLine,
	'K':  func(m *machine) error { return m.fixedInt(1) },
	'M':  func(m *machine) error { return m.fixedInt(2) },
	'J':  func(m *machine) error { return m.fixedInt(4) },
	0x8a: (*machine).long1,
	'S':  (*machine).stringLine,
	'U':  func(m *machine) error { return m.countedString(1) },
	'T':  func(m *machine) error { return m.countedString(4) },
	'V':  (*machine).unicodeLine,
	'X':  (*machine).countedUnicode,

	')':  func(m *machine) error { return m.push(tuple(nil)) },
	0x85: func(m *machine) error { return m.tupleOf(1) },
	0x86: func(m *machine) error { return m.tupleOf(2) },
	0x87: func(m *machine) error { return m.tupleOf(3) },
	't':  (*machine).tupleToMark,
	']':  func(m *machine) error { return m.push(&list{}) },
	'l':  (*machine).listToMark,
	'a':  (*machine).appendOne,
	'e':  (*machine).appendToMark,
	'}':  func(m *machine) error { return m.push(&dict{}) },
	'd':  (*machine).dictToMark,
	's':  (*machine).setOne,
	'u':  (*machine).setToMark,

	'p': func(m *machine) error { return m.remember(m.lineNumber()) },
	'q': func(m *machine) error { return m.remember(m.number(1)) },
	'r': func(m *machine) error { return m.remember(m.number(4)) },
	'g': func(m *machine) error { return m.recall(m.lineNumber()) },
	'h': func(m *machine) error { return m.recall(m.number(1)) },
	'j': func(m *machine) error { return m.recall(m.number(4)) },

	'c':  (*machine).global,
	'R':  (*machine).reduce,
	0x81: (*machine).newObject,
	'b':  (*machine).build,
}

// opcodeNames are what Python calls the opcodes, those refused included.
var opcodeNames = map[byte]string{
	'(': "MARK", '.': "STOP", '0': "POP", '1': "POP_MARK", '2': "DUP", 'F': "FLOAT", 'I': "INT", 'J': "BININT",
	'K': "BININT1", 'L': "LONG", 'M': "BININT2", 'N': "NONE", 'P': "PERSID", 'Q': "BINPERSID", 'R': "REDUCE",
	'S': "STRING", 'T': "BINSTRING", 'U': "SHORT_BINSTRING", 'V': "UNICODE", 'X': "BINUNICODE", 'a': "APPEND",
	'b': "BUILD", 'c': "GLOBAL", 'd': "DICT", '}': "EMPTY_DICT", 'e': "APPENDS", 'g': "GET", 'h': "BINGET",
	'i': "INST", 'j': "LONG_BINGET", 'l': "LIST", ']': "EMPTY_LIST", 'o': "OBJ", 'p': "PUT", 'q': "BINPUT",
	'r': "LONG_BINPUT", 's': "SETITEM", 't': "TUPLE", ')': "EMPTY_TUPLE", 'u': "SETITEMS", 'G': "BINFLOAT",
	'B': "BINBYTES", 'C': "SHORT_BINBYTES",
	0x80: "PROTO", 0x81: "NEWOBJ", 0x82: "EXT1", 0x83: "EXT2", 0x84: "EXT4", 0x85: "TUPLE1", 0x86: "TUPLE2",
	0x87: "TUPLE3", 0x88: "NEWTRUE", 0x89: "NEWFALSE", 0x8a: "LONG1", 0x8b: "LONG4", 0x8c: "SHORT_BINUNICODE",
	0x8d: "BINUNICODE8", 0x8e: "BINBYTES8", 0x8f: "EMPTY_SET", 0x90: "ADDITEMS", 0x91: "FROZENSET",
	0x92: "NEWOBJ_EX", 0x93: "STACK_GLOBAL", 0x94: "MEMOIZE", 0x95: "FRAME", 0x96: "BYTEARRAY8",
	0x97: "NEXT_BUFFER", 0x98: "READONLY_BUFFER",
}

func opcodeName(op byte) string {
	if name, ok := opcodeNames[op]; ok {
		return "opcode " + name
	}
	return fmt.Sprintf("opcode 0x%02x", op)
}
