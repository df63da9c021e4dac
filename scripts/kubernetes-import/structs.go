package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"regexp"
	"sort"
	"strconv"
	"strings"
)

// A package with its types and constants.
type goPackage struct {
	path, name string
	types      map[string]*goType
	// String constants, and the type of each.
	constants map[string]constant
}

// A constant, or one of another package (`path` and `name`) until that is read.
type constant struct{ typeName, value, path, name string }

type goType struct {
	in      *goPackage
	name    string
	expr    ast.Expr
	imports map[string]string
	markers markers
}

// The markers of a comment (`+optional`, `+listType=map`), each with its values.
type markers map[string][]string

func (m markers) has(name string) bool { return m[name] != nil }
func (m markers) get(name string) string {
	if len(m[name]) == 0 {
		return ""
	}
	return m[name][0]
}

var markerLine = regexp.MustCompile(`^//\s*\+([A-Za-z0-9:]+)(?:=(.*))?$`)

func markersOf(groups ...*ast.CommentGroup) markers {
	found := markers{}
	for _, group := range groups {
		if group == nil {
			continue
		}
		for _, line := range group.List {
			if match := markerLine.FindStringSubmatch(strings.TrimSpace(line.Text)); match != nil {
				found[match[1]] = append(found[match[1]], strings.TrimSpace(match[2]))
			}
		}
	}
	return found
}

type reader struct {
	modules  modules
	packages map[string]*goPackage
	gates    map[string]gate
}

func (r *reader) load(path string) *goPackage {
	if known := r.packages[path]; known != nil {
		return known
	}
	folder := r.modules.folderOf(path)
	if folder == "" {
		return nil
	}
	result := &goPackage{path: path, types: map[string]*goType{}, constants: map[string]constant{}}
	r.packages[path] = result
	files, _ := filepath.Glob(filepath.Join(folder, "*.go"))
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") || strings.Contains(filepath.Base(name), "zz_generated") || strings.HasSuffix(name, ".pb.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			fail("%v", err)
		}
		result.name = file.Name.Name
		result.addFile(file)
	}
	r.resolveConstants(result)
	return result
}

func (p *goPackage) addFile(file *ast.File) {
	imports := map[string]string{}
	for _, one := range file.Imports {
		path, _ := strconv.Unquote(one.Path.Value)
		name := path[strings.LastIndex(path, "/")+1:]
		if one.Name != nil {
			name = one.Name.Name
		}
		imports[name] = path
	}
	for _, declaration := range file.Decls {
		block, ok := declaration.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, spec := range block.Specs {
			switch one := spec.(type) {
			case *ast.TypeSpec:
				p.types[one.Name.Name] = &goType{p, one.Name.Name, one.Type, imports, markersOf(block.Doc, one.Doc)}
			case *ast.ValueSpec:
				if block.Tok == token.CONST {
					p.addConstants(one, imports)
				}
			}
		}
	}
}

func (p *goPackage) addConstants(spec *ast.ValueSpec, imports map[string]string) {
	for index, name := range spec.Names {
		if index >= len(spec.Values) {
			continue
		}
		value, typeName := spec.Values[index], ""
		if named, ok := spec.Type.(*ast.Ident); ok {
			typeName = named.Name
		}
		// A conversion: ScopeType("*").
		if call, ok := value.(*ast.CallExpr); ok && len(call.Args) == 1 {
			if named, ok := call.Fun.(*ast.Ident); ok {
				typeName, value = named.Name, call.Args[0]
			}
		}
		if literal, ok := value.(*ast.BasicLit); ok && literal.Kind == token.STRING {
			text, _ := strconv.Unquote(literal.Value)
			p.constants[name.Name] = constant{typeName: typeName, value: text}
		}
		// A constant of another package: AddressType(v1.IPv4Protocol).
		if selector, ok := value.(*ast.SelectorExpr); ok {
			if of, ok := selector.X.(*ast.Ident); ok {
				p.constants[name.Name] = constant{typeName: typeName, path: imports[of.Name], name: selector.Sel.Name}
			}
		}
	}
}

// Gives constants of other packages their values. Those of packages that are not read are none.
func (r *reader) resolveConstants(p *goPackage) {
	for name, one := range p.constants {
		if one.path == "" {
			continue
		}
		delete(p.constants, name)
		if other := r.load(one.path); other != nil {
			if referred, known := other.constants[one.name]; known && referred.path == "" {
				p.constants[name] = constant{typeName: one.typeName, value: referred.value}
			}
		}
	}
}

// The values of a string type that is an enum.
func (t *goType) enum() []string {
	if !t.markers.has("enum") && !t.markers.has("k8s:enum") {
		return nil
	}
	values := map[string]bool{}
	for _, one := range t.in.constants {
		if one.typeName == t.name {
			values[one.value] = true
		}
	}
	return sortedKeys(values)
}

// A field as JSON has it, where Go may have it in an embedded struct.
type field struct {
	name, goName string
	embeddedIn   string
	numbers      []string
	declaredIn   *goType
	expr         ast.Expr
	tag          reflect.StructTag
	markers      markers
	always       bool
	omitZero     bool
}

// What a struct has besides its own fields.
type structFacts struct {
	// "", "inline" or "object".
	typeMeta string
	fields   []field
}

func (r *reader) structOf(t *goType) structFacts {
	facts := structFacts{}
	r.collect(t, &facts, "", nil)
	return facts
}

func (r *reader) collect(t *goType, facts *structFacts, embeddedIn string, numbers []string) {
	for _, member := range t.expr.(*ast.StructType).Fields.List {
		tag := reflect.StructTag("")
		if member.Tag != nil {
			text, _ := strconv.Unquote(member.Tag.Value)
			tag = reflect.StructTag(text)
		}
		json := strings.Split(tag.Get("json"), ",")
		if json[0] == "-" {
			continue
		}
		number := numbers
		if parts := strings.Split(tag.Get("protobuf"), ","); len(parts) > 1 {
			number = append(append([]string{}, numbers...), parts[1])
		}
		name := typeName(member.Type)
		if len(member.Names) == 0 && json[0] == "" {
			if name == "TypeMeta" {
				facts.typeMeta = "inline"
				continue
			}
			r.collect(r.resolve(t, member.Type), facts, name, number)
			continue
		}
		goName := name
		if len(member.Names) > 0 {
			goName = member.Names[0].Name
		}
		options := strings.Join(json[1:], ",")
		// As most kinds have it.
		if goName == "ObjectMeta" && facts.typeMeta != "" && options == "omitempty" && len(number) == 1 && number[0] == "1" {
			facts.typeMeta = "object"
			continue
		}
		facts.fields = append(facts.fields, field{
			name: json[0], goName: goName, embeddedIn: embeddedIn, numbers: number, declaredIn: t, expr: member.Type, tag: tag,
			markers:  markersOf(member.Doc),
			always:   !strings.Contains(options, "omitempty") && !strings.Contains(options, "omitzero"),
			omitZero: strings.Contains(options, "omitzero"),
		})
	}
}

func typeName(expr ast.Expr) string {
	switch one := expr.(type) {
	case *ast.StarExpr:
		return typeName(one.X)
	case *ast.SelectorExpr:
		return one.Sel.Name
	case *ast.Ident:
		return one.Name
	}
	return ""
}

// The declaration of a named type; nil for Go's own types.
func (r *reader) resolve(in *goType, expr ast.Expr) *goType {
	switch one := expr.(type) {
	case *ast.StarExpr:
		return r.resolve(in, one.X)
	case *ast.Ident:
		return in.in.types[one.Name]
	case *ast.SelectorExpr:
		path := in.imports[one.X.(*ast.Ident).Name]
		if pkg := r.load(path); pkg != nil {
			return pkg.types[one.Sel.Name]
		}
		fail("%s names %s.%s, which is in none of the modules", in.name, path, one.Sel.Name)
	}
	return nil
}

// A type as the table writes it, and as Go prints it.
type described struct {
	text, goText string
	// The structs that it names.
	structs []*goType
	enum    []string
	or      string
	atomic  bool
}

// Types that the table knows as scalars, or that JSON writes in another form.
var special = map[string]described{
	"k8s.io/apimachinery/pkg/apis/meta/v1.Time":       {text: "Time"},
	"k8s.io/apimachinery/pkg/apis/meta/v1.MicroTime":  {text: "MicroTime"},
	"k8s.io/apimachinery/pkg/apis/meta/v1.Duration":   {text: "string"},
	"k8s.io/apimachinery/pkg/apis/meta/v1.FieldsV1":   {text: "any"},
	"k8s.io/apimachinery/pkg/api/resource.Quantity":   {text: "Quantity"},
	"k8s.io/apimachinery/pkg/util/intstr.IntOrString": {text: "IntOrString"},
	"k8s.io/apimachinery/pkg/runtime.RawExtension":    {text: "any"},
	apiextensions + ".JSON":                           {text: "any"},
	apiextensions + ".JSONSchemaPropsOrStringArray":   {text: "any"},
	apiextensions + ".JSONSchemaPropsOrArray":         {text: "apiextensions.JSONSchemaProps", or: "list"},
	apiextensions + ".JSONSchemaPropsOrBool":          {text: "apiextensions.JSONSchemaProps", or: "bool"},
}

const apiextensions = "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

var scalars = map[string]string{"string": "string", "bool": "bool", "int32": "int32", "int64": "int64", "int": "int64", "float64": "float64", "uint64": "int64"}

func (r *reader) describe(in *goType, expr ast.Expr) described {
	switch one := expr.(type) {
	case *ast.StarExpr:
		inner := r.describe(in, one.X)
		// A map and a list may be absent anyway.
		if !strings.HasPrefix(inner.text, "map ") && !strings.HasPrefix(inner.text, "[]") {
			inner.text = "*" + inner.text
		}
		inner.goText = "*" + inner.goText
		return inner
	case *ast.ArrayType:
		if name, ok := one.Elt.(*ast.Ident); ok && name.Name == "byte" {
			return described{text: "bytes", goText: "[]uint8"}
		}
		inner := r.describe(in, one.Elt)
		return described{text: "[]" + inner.text, goText: "[]" + inner.goText, structs: inner.structs}
	case *ast.MapType:
		inner := r.describe(in, one.Value)
		key := r.describe(in, one.Key)
		return described{text: "map " + inner.text, goText: "map[" + key.goText + "]" + inner.goText, structs: inner.structs}
	case *ast.Ident:
		if scalar, ok := scalars[one.Name]; ok && in.in.types[one.Name] == nil {
			return described{text: scalar, goText: one.Name}
		}
	}
	named := r.resolve(in, expr)
	if named == nil {
		fail("%s: cannot read a type of the kind %T", in.name, expr)
	}
	goText := named.in.name + "." + named.name
	if known, ok := special[named.in.path+"."+named.name]; ok {
		known.goText = goText
		return known
	}
	if _, isStruct := named.expr.(*ast.StructType); isStruct {
		return described{text: r.nameOf(named), goText: goText, structs: []*goType{named}}
	}
	inner := r.describe(named, named.expr)
	return described{text: inner.text, goText: goText, structs: inner.structs, enum: named.enum()}
}

var versionOf = regexp.MustCompile(`/([a-z]+)/(v[0-9][a-z0-9]*)$`)

// `core.Pod`; a version other than v1 is part of the name: `autoscaling/v2.MetricSpec`.
func (r *reader) nameOf(t *goType) string {
	match := versionOf.FindStringSubmatch(t.in.path)
	if match == nil {
		fail("%s.%s is a struct outside of the API", t.in.path, t.name)
	}
	group := match[1]
	if match[2] != "v1" {
		group += "/" + match[2]
	}
	return group + "." + t.name
}

func sortedKeys[V any](values map[string]V) []string {
	keys := []string{}
	for key := range values {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	return keys
}

func number(text string) int {
	value, err := strconv.Atoi(text)
	if err != nil {
		fail("%s is not a number", text)
	}
	return value
}

func quoted(text string) string { return fmt.Sprintf("'%s'", text) }
