package main

import (
	"os"
	"path/filepath"
	"strings"
)

// The roles and bindings of a new cluster, by `name` or `namespace/name`, in the form that src/cluster/rbac/bootstrap-objects.ts reads.
type roles struct{ clusterRoles, clusterRoleBindings, roles, roleBindings map[string][]string }

func (m modules) roles() roles {
	return roles{
		clusterRoles:        m.objectLines(roleLines, "cluster-roles.yaml", "controller-roles.yaml"),
		clusterRoleBindings: m.objectLines(bindingLines, "cluster-role-bindings.yaml", "controller-role-bindings.yaml"),
		roles:               m.objectLines(roleLines, "namespace-roles.yaml"),
		roleBindings:        m.objectLines(bindingLines, "namespace-role-bindings.yaml"),
	}
}

type yamlMap = map[string]any

func (m modules) objectLines(linesOf func(yamlMap) []string, files ...string) map[string][]string {
	found := map[string][]string{}
	for _, file := range files {
		text, err := os.ReadFile(filepath.Join(m.kubernetes, "plugin/pkg/auth/authorizer/rbac/bootstrappolicy/testdata", file))
		if err != nil {
			fail("%v", err)
		}
		for _, one := range mapsOf(readYaml(string(text)), "items") {
			metadata := one["metadata"].(yamlMap)
			name := metadata["name"].(string)
			if namespace, ok := metadata["namespace"].(string); ok {
				name = namespace + "/" + name
			}
			found[name] = linesOf(one)
		}
	}
	return found
}

const aggregationLabel = "rbac.authorization.k8s.io/aggregate-to-"

func roleLines(role yamlMap) []string {
	lines := []string{}
	add := func(flag string, labels any) {
		found, _ := labels.(yamlMap)
		for _, label := range sortedKeys(found) {
			if name, ok := strings.CutPrefix(label, aggregationLabel); ok {
				lines = append(lines, flag+" "+name)
			}
		}
	}
	add("$partOf", role["metadata"].(yamlMap)["labels"])
	for _, selector := range mapsOf(role["aggregationRule"], "clusterRoleSelectors") {
		add("$gathers", selector["matchLabels"])
	}
	for _, rule := range mapsOf(role, "rules") {
		words := []string{strings.Join(textsOf(rule["verbs"]), ",")}
		for _, part := range []string{"nonResourceURLs", "apiGroups", "resources", "resourceNames"} {
			names := textsOf(rule[part])
			for index, name := range names {
				if part == "apiGroups" && name == "" {
					names[index] = "core"
				}
			}
			if len(names) > 0 {
				words = append(words, strings.Join(names, ","))
			}
		}
		lines = append(lines, strings.Join(words, " "))
	}
	return lines
}

func bindingLines(binding yamlMap) []string {
	lines := []string{binding["roleRef"].(yamlMap)["name"].(string)}
	for _, subject := range mapsOf(binding, "subjects") {
		name := subject["name"].(string)
		if namespace, ok := subject["namespace"].(string); ok {
			name = namespace + "/" + name
		}
		lines = append(lines, subject["kind"].(string)+" "+name)
	}
	return lines
}

// The items of a list of maps in a field; none where it is absent.
func mapsOf(in any, field string) []yamlMap {
	found := []yamlMap{}
	fields, _ := in.(yamlMap)
	items, _ := fields[field].([]any)
	for _, item := range items {
		found = append(found, item.(yamlMap))
	}
	return found
}

func textsOf(list any) []string {
	found := []string{}
	items, _ := list.([]any)
	for _, item := range items {
		found = append(found, item.(string))
	}
	return found
}
