package main

import (
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

func (served resource) line(in groupVersion) string {
	words := []string{strings.TrimPrefix(in.group+"/"+in.version, "/"), served.Kind, served.Name}
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
		of = strings.TrimPrefix(served.Group+"/"+served.Version, "/") + " " + of
	}
	return name + " " + of + " verbs=" + strings.Join(served.Verbs, ",")
}
