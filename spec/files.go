package spec

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"

	"gopkg.in/yaml.v3"
)

// maxFiles is the most all files of a team may hold, in bytes.
const maxFiles = 8 << 20

// open reads the file that the value at path names. Its problems are reported
// at that value; nil means there was one.
func (d *Decoder) open(name, path string) *document {
	if name == "" {
		if p, ok := d.l.places[path]; ok && p.node.Value == "" && !isNull(p.node) {
			d.l.errorf(path, "unreadable", "%s is empty; write the path of a file", path)
		}
		return nil
	}
	data, err := d.l.load(name)
	if err != nil {
		d.l.errorf(path, "unreadable", "%s: %s", name, err)
		return nil
	}
	return &document{file: d.l.show(cleanPath(name)), src: data}
}

func cleanPath(name string) string { return path.Clean(filepath.ToSlash(name)) }

// load reads a file of the folder of the spec, once.
func (l *loader) load(name string) ([]byte, error) {
	if name != strings.TrimSpace(name) || !filepath.IsLocal(name) {
		return nil, errors.New("the path must be relative and stay inside the folder of the team file")
	}
	clean := cleanPath(name)
	for _, f := range l.files {
		if f.Path == clean {
			return f.Data, nil
		}
	}
	data, err := readRegular(func(flag int) (*os.File, error) { return l.root.OpenFile(clean, os.O_RDONLY|flag, 0) })
	if err != nil {
		return nil, err
	}
	return data, l.keep(clean, data)
}

// keep records a file that was read.
func (l *loader) keep(name string, data []byte) error {
	if l.read += len(data); l.read > maxFiles {
		return fmt.Errorf("all files of a team together must not be larger than %d MiB", maxFiles>>20)
	}
	sum := sha256.Sum256(data)
	l.files = append(l.files, File{Path: name, Data: data, SHA256: hex.EncodeToString(sum[:])})
	return nil
}

// readRegular reads a regular file of at most maxFile bytes. It does not hang
// on a pipe.
func readRegular(open func(flag int) (*os.File, error)) ([]byte, error) {
	f, err := open(syscall.O_NONBLOCK)
	if err != nil {
		return nil, plainError(err)
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, plainError(err)
	case info.IsDir():
		return nil, errors.New("is a folder, not a file")
	case !info.Mode().IsRegular():
		return nil, errors.New("is not a regular file")
	}
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	switch {
	case err != nil:
		return nil, plainError(err)
	case len(data) > maxFile:
		return nil, fmt.Errorf("is larger than %d MiB", maxFile>>20)
	}
	return data, nil
}

// plainError is the reason of a failed file operation without the operation.
func plainError(err error) error {
	var pe *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return errors.New("there is no such file")
	case errors.Is(err, fs.ErrPermission):
		return errors.New("may not be read")
	case errors.As(err, &pe):
		if strings.Contains(pe.Err.Error(), "escapes") {
			return errors.New("the path leaves the folder of the team file")
		}
		return pe.Err
	}
	return err
}

// show is a file of the spec's folder as a user would type it.
func (l *loader) show(name string) string { return filepath.Join(l.shown, filepath.FromSlash(name)) }

// fromFile fills v from another file when n is {file: path}. The positions of
// what is wrong there are in that file.
func (d *Decoder) fromFile(n *yaml.Node, v reflect.Value, path string) bool {
	if n.Kind != yaml.MappingNode || len(n.Content) != 2 || n.Content[0].Value != "file" {
		return false
	}
	var ref fileRef
	d.mapping(n, path, nil, reflect.ValueOf(&ref).Elem())
	doc := d.open(ref.File, join(path, "file"))
	if doc == nil {
		return true
	}
	if !d.l.parse(doc) {
		return true
	}
	sub := *d
	sub.doc, sub.behind = doc, 0
	sub.value(doc.root, v, no, path)
	d.l.judge(doc)
	return true
}
