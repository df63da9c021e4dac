package main

import (
	"go/ast"
	"sort"
	"strings"
)

const allVerbs = "create,delete,deletecollection,get,list,patch,update,watch"

// The lines about the resource of each kind that is in `structs`, in the form that src/api/machinery/schema/resource.ts reads: first the
// resource itself, then its subresources.
func (r *reader) resourceLines(structs map[string][]string) map[string][]string {
	found := map[string][]string{}
	for _, one := range r.modules.groupVersions() {
		resources := r.modules.resources(one)
		sort.Slice(resources, func(a, b int) bool { return resources[a].Name < resources[b].Name })
		types := map[string]string{}
		for _, served := range resources {
			plural, subresource, isSubresource := strings.Cut(served.Name, "/")
			if isSubresource {
				if name := types[plural]; name != "" {
					found[name] = append(found[name], served.subresourceLine(subresource))
				}
				continue
			}
			kind := r.load(one.path).types[served.Kind]
			if kind == nil || structs[r.nameOf(kind)] == nil {
				continue
			}
			types[plural] = r.nameOf(kind)
			found[types[plural]] = []string{served.line(one)}
		}
	}
	return found
}

// The kinds of every version that `structs` does not have, by apiVersion: old versions, alpha and beta ones. metrics.k8s.io is served by another server.
func (r *reader) otherVersions(structs map[string][]string) map[string][]string {
	found := map[string][]string{}
	for _, one := range r.modules.groupVersions() {
		if strings.HasPrefix(one.path, "k8s.io/metrics/") {
			continue
		}
		types := r.load(one.path).types
		for _, name := range sortedKeys(types) {
			if isObject(types[name].expr) && structs[r.nameOf(types[name])] == nil {
				found[one.apiVersion()] = append(found[one.apiVersion()], name)
			}
		}
	}
	return found
}

// Whether a struct has kind, apiVersion and the metadata of an object.
func isObject(expr ast.Expr) bool {
	of, isStruct := expr.(*ast.StructType)
	embedded := map[string]bool{}
	if isStruct {
		for _, member := range of.Fields.List {
			embedded[typeName(member.Type)] = embedded[typeName(member.Type)] || len(member.Names) == 0
		}
	}
	return embedded["TypeMeta"] && embedded["ObjectMeta"]
}

func (one groupVersion) apiVersion() string {
	return strings.TrimPrefix(one.group+"/"+one.version, "/")
}

func (served resource) line(in groupVersion) string {
	words := []string{in.apiVersion(), served.Kind, served.Name}
	if served.Namespaced {
		words = append(words, "namespaced")
	}
	if len(served.ShortNames) > 0 {
		words = append(words, "short="+strings.Join(served.ShortNames, ","))
	}
	if len(served.Categories) > 0 {
		words = append(words, "categories="+strings.Join(served.Categories, ","))
	}
	if verbs := strings.Join(served.Verbs, ","); verbs != allVerbs {
		words = append(words, "verbs="+verbs)
	}
	return strings.Join(words, " ")
}

func (served resource) subresourceLine(name string) string {
	of := served.Kind
	if served.Version != "" {
		of = groupVersion{group: served.Group, version: served.Version}.apiVersion() + " " + of
	}
	return name + " " + of + " verbs=" + strings.Join(served.Verbs, ",")
}
