package pickle

// global is a name of the list below. It stands for itself: what Python would
// call is done by reduce and build, in Go.
type global string

const (
	csrMatrix     global = "csr_matrix"
	reconstruct   global = "_reconstruct"
	ndarray       global = "ndarray"
	dtypeName     global = "dtype"
	defaultDict   global = "defaultdict"
	listName      global = "list"
	bytesName     global = "bytes"
	objectName    global = "object"
	reconstructor global = "_reconstructor"
	encode        global = "encode"
)

// globals are the only names a pickle may mention: a module, a space, a name.
var globals = map[string]global{
	"scipy.sparse.csr csr_matrix":         csrMatrix,
	"scipy.sparse._csr csr_matrix":        csrMatrix,
	"numpy.core.multiarray _reconstruct":  reconstruct,
	"numpy._core.multiarray _reconstruct": reconstruct,
	"numpy ndarray":                       ndarray,
	"numpy dtype":                         dtypeName,
	"collections defaultdict":             defaultDict,
	"__builtin__ list":                    listName,
	"__builtin__ bytes":                   bytesName,
	"__builtin__ object":                  objectName,
	"copy_reg _reconstructor":             reconstructor,
	"_codecs encode":                      encode,
}

func (m *machine) global() error {
	module, err := m.line()
	if err != nil {
		return err
	}
	name, err := m.line()
	if err != nil {
		return err
	}
	g, ok := globals[module+" "+name]
	if !ok {
		return m.failf("the pickle wants Python's %s.%s, which Planetoid's files have no use for; it was not run; do not trust the file",
			clip(module), clip(name))
	}
	return m.push(g)
}

// reduce makes what a function of the list returns for its arguments.
func (m *machine) reduce() error {
	f, args, err := m.call()
	if err != nil {
		return err
	}
	switch {
	case f == reconstruct && len(args) == 3 && args[0] == ndarray:
		return m.push(&array{})
	case f == reconstructor && len(args) == 3 && args[0] == csrMatrix && args[1] == objectName:
		return m.push(&csr{})
	case f == defaultDict && (len(args) == 0 || len(args) == 1 && args[0] == listName):
		return m.push(&dict{})
	case f == bytesName && len(args) == 0:
		return m.push("")
	case f == dtypeName && len(args) == 3:
		return m.newType(args[0])
	case f == encode && len(args) == 2:
		return m.encode(args[0], args[1])
	}
	return m.failf("%s with arguments that Planetoid's files do not have", f)
}

// newObject makes an empty object of a class.
func (m *machine) newObject() error {
	class, args, err := m.call()
	if err != nil {
		return err
	}
	if class != csrMatrix || len(args) != 0 {
		return m.failf("an object of class %s; only a csr_matrix without arguments is made so", class)
	}
	return m.push(&csr{})
}

// call removes a name and its arguments from the stack.
func (m *machine) call() (global, tuple, error) {
	top, err := m.pop()
	if err != nil {
		return "", nil, err
	}
	args, ok := top.(tuple)
	if !ok {
		return "", nil, m.failf("the arguments are %s, not a tuple", describe(top))
	}
	if top, err = m.pop(); err != nil {
		return "", nil, err
	}
	f, ok := top.(global)
	if !ok {
		return "", nil, m.failf("%s is called as if it were a function", describe(top))
	}
	return f, args, nil
}

// encode makes bytes of a text, as Python 3 stores them.
func (m *machine) encode(v, encoding any) error {
	t, ok := v.(text)
	name, _ := word(encoding)
	if !ok || name != "latin1" || t.latin1 < 0 {
		return m.failf("bytes that are not a text in latin1; write the file with pickle.dump(…, protocol=2)")
	}
	return m.push(encoded{t})
}

// build gives an object its state. The object stays on the stack.
func (m *machine) build() error {
	state, err := m.pop()
	if err != nil {
		return err
	}
	object, err := m.pop()
	if err != nil {
		return err
	}
	switch object := object.(type) {
	case *array:
		err = m.buildArray(object, state)
	case *dtype:
		err = m.buildType(object, state)
	case *csr:
		err = m.buildCSR(object, state)
	default:
		err = m.failf("%s is given a state", describe(object))
	}
	if err != nil {
		return err
	}
	return m.push(object)
}
