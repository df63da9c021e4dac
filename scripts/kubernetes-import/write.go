package main

import (
	"regexp"
	"strings"
)

const head = `// The types of the Kubernetes API: facts only, read from its published modules. Written by npm run kubernetes-import. Not to be edited: what
// Rollcall adds is in ../schema/proposals.ts. ../schema/schema.ts explains the lines.

/** The version that the facts are from. */
export const kubernetesVersion = '`

func write(version string, found api) string {
	var out strings.Builder
	out.WriteString(head + version + "'\n\n/** The feature gates that fields name, unless they are locked. */\nexport const kubernetesGates: Readonly<Record<string, string>> = {\n")
	for _, name := range sortedKeys(found.gates) {
		state := "off"
		if found.gates[name].on {
			state = "on"
		}
		out.WriteString("  " + name + ": '" + state + " " + found.gates[name].stage + "',\n")
	}
	out.WriteString("}\n\n/** The resource of each kind, and its subresources, as discovery lists them: ../schema/resource.ts explains the lines. */\nexport const kubernetesResources: Readonly<Record<string, string>> = ")
	out.WriteString(table(found.resources))
	out.WriteString("\n\n/** The kinds of the versions that the table of types does not have: old versions, alpha and beta ones. */\nexport const kubernetesOtherVersions: Readonly<Record<string, string>> = ")
	out.WriteString(table(found.otherVersions))
	out.WriteString("\n\n/** A line for each field. */\nexport const kubernetesTypes: Readonly<Record<string, string>> = ")
	out.WriteString(table(found.structs))
	out.WriteString("\n")
	return out.String()
}

const rolesHead = `// The roles and bindings of a new cluster, as Kubernetes has them: facts only. Written by npm run kubernetes-import. Not to be edited:
// ../bootstrap-objects.ts explains the lines.

`

func writeRoles(found roles) string {
	var out strings.Builder
	out.WriteString(rolesHead)
	for _, one := range []struct {
		name  string
		lines map[string][]string
	}{
		{"clusterRoles", found.clusterRoles},
		{"clusterRoleBindings", found.clusterRoleBindings},
		{"roles", found.roles},
		{"roleBindings", found.roleBindings},
	} {
		if one.name != "clusterRoles" {
			out.WriteString("\n")
		}
		out.WriteString("export const " + one.name + ": Readonly<Record<string, string>> = " + table(one.lines) + "\n")
	}
	return out.String()
}

var plainKey = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9]*$`)

func key(name string) string {
	if plainKey.MatchString(name) {
		return name
	}
	return "'" + name + "'"
}

func table(lines map[string][]string) string {
	var out strings.Builder
	out.WriteString("{\n")
	for _, name := range sortedKeys(lines) {
		out.WriteString("  " + key(name) + ": `" + strings.Join(lines[name], "\n") + "`,\n")
	}
	out.WriteString("}")
	return out.String()
}
