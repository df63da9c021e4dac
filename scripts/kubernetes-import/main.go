// Reads the types of the Kubernetes API and the roles of a new cluster from the published modules and writes them as data modules of facts:
// structs, fields, names, numbers, tags and markers; resources; roles and bindings. No sentence and no code is carried over. Without arguments it writes the modules for the version that
// test/kubernetes/go.mod names; --check compares instead, --print prints them (for another version: --print v1.36.4).
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
)

const (
	typesFile = "src/api/machinery/generated/kubernetes.ts"
	rolesFile = "src/cluster/rbac/generated/bootstrap-roles.ts"
)

func main() {
	_, self, _, _ := runtime.Caller(0)
	root := filepath.Join(filepath.Dir(self), "..", "..")
	mode, version := "", ""
	for _, argument := range os.Args[1:] {
		if argument == "--check" || argument == "--print" {
			mode = argument
		} else {
			version = argument
		}
	}
	if version == "" {
		version = pinnedVersion(filepath.Join(root, "test/kubernetes/go.mod"))
	}
	found := locate(version)
	put(mode, version, root, typesFile, write(version, readApi(found)))
	put(mode, version, root, rolesFile, writeRoles(found.roles()))
}

func put(mode, version, root, file, text string) {
	path := filepath.Join(root, file)
	switch mode {
	case "--print":
		fmt.Print(text)
	case "--check":
		stored, err := os.ReadFile(path)
		if err != nil || string(stored) != text {
			fail("%s is not what Kubernetes %s says. Run npm run kubernetes-import.", file, version)
		}
		fmt.Printf("%s is what Kubernetes %s says\n", file, version)
	default:
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			fail("%v", err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			fail("%v", err)
		}
		fmt.Printf("wrote %s from Kubernetes %s\n", file, version)
	}
}

func pinnedVersion(goMod string) string {
	text, err := os.ReadFile(goMod)
	if err != nil {
		fail("%v", err)
	}
	match := regexp.MustCompile(`k8s\.io/kubernetes (v[0-9.]+)`).FindSubmatch(text)
	if match == nil {
		fail("%s does not name k8s.io/kubernetes", goMod)
	}
	return string(match[1])
}

func fail(format string, arguments ...any) {
	fmt.Fprintf(os.Stderr, "error: "+format+"\n", arguments...)
	os.Exit(1)
}
