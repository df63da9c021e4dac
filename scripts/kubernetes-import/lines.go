package main

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"regexp"
	"sort"
	"strings"
)

// The line of a field, in the form that src/api/machinery/schema/schema.ts reads.
func (r *reader) line(one field, named map[string]gate) (string, []*goType) {
	of := r.describe(one.declaredIn, one.expr)
	words := []string{one.name, of.text}
	add := func(flag, value string) {
		if value != "" {
			words = append(words, flag+"="+value)
		}
	}
	flag := func(name string, isSet bool) {
		if isSet {
			words = append(words, name)
		}
	}
	flag("always", one.always)
	flag("omitzero", one.omitZero)
	flag("required", one.isRequired())
	add("patch", one.tag.Get("patchStrategy"))
	add("mergeKey", one.tag.Get("patchMergeKey"))
	add("list", one.markers.get("listType"))
	add("keys", strings.Join(one.markers["listMapKey"], "+"))
	add("map", one.markers.get("mapType"))
	add("struct", one.markers.get("structType"))
	add("or", of.or)
	add("enum", strings.Join(of.enum, "|"))
	if one.markers.has("default") {
		add("default", r.defaultOf(one))
	}
	gates := []string{}
	for _, name := range strings.Split(strings.Join(one.markers["featureGate"], ","), ",") {
		if right, ok := misnamedGates[name]; ok {
			name = right
		}
		// A gate that is not in the list was removed: the feature is always on.
		if gate, known := r.gates[name]; known && !gate.locked {
			named[name] = gate
			gates = append(gates, name)
		}
	}
	add("gate", strings.Join(gates, ","))
	if goText := strings.TrimPrefix(of.goText, "*"); goText != derivedGoType(of.text) {
		add("goType", goText)
	}
	if one.goName != strings.ToUpper(one.name[:1])+one.name[1:] {
		add("goName", one.goName)
	}
	add("in", one.embeddedIn)
	if len(one.numbers) > 0 {
		words = append(words, "#"+strings.Join(one.numbers, "."))
	}
	return strings.Join(words, " "), of.structs
}

// Gates whose marker has another name than the gate.
var misnamedGates = map[string]string{"PodCertificateProjection": "PodCertificateRequest"}

// As the OpenAPI documents say it.
func (one field) isRequired() bool {
	if one.markers.has("required") {
		return true
	}
	return !one.markers.has("optional") && !strings.Contains(one.tag.Get("json"), "omitempty")
}

var constantReference = regexp.MustCompile(`^ref\((?:.*\.)?([A-Za-z0-9]+)\)$`)

// The default as JSON.
func (r *reader) defaultOf(one field) string {
	value := one.markers.get("default")
	if match := constantReference.FindStringSubmatch(value); match != nil {
		referred, known := one.declaredIn.in.constants[match[1]]
		if !known {
			fail("%s.%s: cannot find the constant %s", one.declaredIn.name, one.name, match[1])
		}
		return `"` + referred.value + `"`
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, []byte(value)); err != nil {
		fail("%s.%s: the default %s is not JSON", one.declaredIn.name, one.name, value)
	}
	return compact.String()
}

var goScalars = map[string]string{
	"Time": "v1.Time", "MicroTime": "v1.MicroTime", "Quantity": "resource.Quantity", "IntOrString": "intstr.IntOrString",
	"bytes": "[]uint8", "any": "runtime.RawExtension",
}

// The Go type that follows from a type of the table.
func derivedGoType(text string) string {
	switch {
	case strings.HasPrefix(text, "*"):
		return derivedGoType(text[1:])
	case strings.HasPrefix(text, "[]"):
		return "[]" + derivedGoType(text[2:])
	case strings.HasPrefix(text, "map "):
		return "map[string]" + derivedGoType(text[4:])
	}
	if scalar, ok := goScalars[text]; ok {
		return scalar
	}
	group, name, isStruct := strings.Cut(text, ".")
	if !isStruct {
		return text
	}
	_, version, hasVersion := strings.Cut(group, "/")
	if !hasVersion {
		version = "v1"
	}
	return version + "." + name
}

type api struct {
	// The lines of each struct, by its name.
	structs map[string][]string
	// The lines of the resource of each kind, by the name of its struct.
	resources map[string][]string
	// The kinds of the versions that `structs` does not have, by apiVersion.
	otherVersions map[string][]string
	gates         map[string]gate
}

// Structs of meta/v1 that requests and responses name, besides those that kinds contain.
var metaRoots = []string{"APIResource", "DeleteOptions", "Status"}

func readApi(found modules) api {
	r := &reader{found, map[string]*goPackage{}, found.gates()}
	result := api{structs: map[string][]string{}, gates: map[string]gate{}}
	todo := []*goType{}
	meta := r.load("k8s.io/apimachinery/pkg/apis/meta/v1")
	for _, name := range metaRoots {
		todo = append(todo, meta.types[name])
	}
	for _, one := range r.roots() {
		todo = append(todo, one)
	}
	for len(todo) > 0 {
		next := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		name := r.nameOf(next)
		if result.structs[name] != nil {
			continue
		}
		facts := r.structOf(next)
		lines := []string{}
		if next.markers.get("structType") == "atomic" || next.markers.get("mapType") == "atomic" {
			lines = append(lines, "$struct atomic")
		}
		if facts.typeMeta != "" {
			lines = append(lines, "$typeMeta "+facts.typeMeta)
		}
		for _, one := range facts.fields {
			line, structs := r.line(one, result.gates)
			lines = append(lines, line)
			todo = append(todo, structs...)
		}
		if facts.typeMeta == "object" {
			todo = append(todo, meta.types["ObjectMeta"])
		}
		result.structs[name] = lines
	}
	result.resources = r.resourceLines(result.structs)
	result.otherVersions = r.otherVersions(result.structs)
	return result
}

// The kinds of all groups: each in its most stable version, and in every version that is as stable.
func (r *reader) roots() []*goType {
	stability := map[string]int{}
	type candidate struct {
		key  string
		rank int
		kind *goType
	}
	candidates := []candidate{}
	others := []resource{}
	for _, one := range r.modules.groupVersions() {
		resources := r.modules.resources(one)
		pkg := r.load(one.path)
		names := map[string]bool{}
		for _, served := range resources {
			// Options of a subresource are no objects. The bodies of some subresources are kinds of another group.
			if !strings.Contains(served.Name, "/") {
				names[served.Kind] = true
			} else if served.Group != "" && served.Group != one.group {
				others = append(others, served)
			}
		}
		if resources == nil {
			// metrics.k8s.io is served by another server. Metrics of containers are reachable from those of pods.
			if one.group != "metrics.k8s.io" || one.version != "v1beta1" {
				continue
			}
			for name := range pkg.types {
				names[name] = strings.HasSuffix(name, "Metrics")
			}
		}
		for name, isKind := range names {
			kind := pkg.types[name]
			if !isKind || kind == nil {
				continue
			}
			if _, isStruct := kind.expr.(*ast.StructType); !isStruct {
				continue
			}
			key, rank := one.group+"/"+name, rankOf(one.version)
			if known, ok := stability[key]; !ok || rank < known {
				stability[key] = rank
			}
			candidates = append(candidates, candidate{key, rank, kind})
		}
	}
	sort.Slice(candidates, func(a, b int) bool { return candidates[a].key < candidates[b].key })
	found := []*goType{}
	for _, one := range others {
		for _, version := range r.modules.groupVersions() {
			if version.group == one.Group && version.version == one.Version {
				found = append(found, r.load(version.path).types[one.Kind])
			}
		}
	}
	for _, one := range candidates {
		if stability[one.key] == one.rank {
			found = append(found, one.kind)
		}
	}
	return found
}

var versionParts = regexp.MustCompile(`^v([0-9]+)(?:(alpha|beta)([0-9]+))?$`)

// Lower is more stable; all versions without a stage are equal.
func rankOf(version string) int {
	match := versionParts.FindStringSubmatch(version)
	switch {
	case match == nil:
		fail("%s is not a version", version)
		return 0
	case match[2] == "":
		return 0
	case match[2] == "beta":
		return 1000 - number(match[3])
	default:
		return 2000 - number(match[3])
	}
}
