package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
)

// The folders of the modules that declare the API.
type modules struct {
	minor      string
	kubernetes string
	// By the path of the module.
	folders map[string]string
}

// Downloads the modules, unless the module cache has them.
func locate(version string) modules {
	found := modules{minor: strings.Split(version, ".")[1], folders: map[string]string{}}
	staging := "v0" + strings.TrimPrefix(version, "v1")
	for _, name := range []string{"api", "apimachinery", "apiextensions-apiserver", "kube-aggregator", "metrics"} {
		found.folders["k8s.io/"+name] = download("k8s.io/" + name + "@" + staging)
	}
	found.kubernetes = download("k8s.io/kubernetes@" + version)
	return found
}

func download(module string) string {
	command := exec.Command("go", "mod", "download", "-json", module)
	command.Dir = os.TempDir()
	command.Stderr = os.Stderr
	output, err := command.Output()
	answer := struct{ Dir, Error string }{}
	if json.Unmarshal(output, &answer) != nil || answer.Dir == "" {
		fail("Cannot download %s: %s %v", module, answer.Error, err)
	}
	return answer.Dir
}

// The folder of a package, or "" for a package of another module.
func (m modules) folderOf(path string) string {
	for module, folder := range m.folders {
		if strings.HasPrefix(path, module+"/") {
			return filepath.Join(folder, strings.TrimPrefix(path, module+"/"))
		}
	}
	return ""
}

// A package that declares a version of a group.
type groupVersion struct {
	group, version string
	path           string
}

// Below these folders, each version of a group is a package.
var apiFolders = []string{
	"k8s.io/api",
	"k8s.io/apiextensions-apiserver/pkg/apis",
	"k8s.io/kube-aggregator/pkg/apis",
	"k8s.io/metrics/pkg/apis",
}

var groupName = regexp.MustCompile(`(?m)^const GroupName = "([^"]*)"`)

func (m modules) groupVersions() []groupVersion {
	found := []groupVersion{}
	for _, base := range apiFolders {
		folder := m.folders[base]
		if folder == "" {
			folder = m.folderOf(base)
		}
		files, _ := filepath.Glob(filepath.Join(folder, "*", "v[0-9]*", "register.go"))
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				fail("%v", err)
			}
			match := groupName.FindSubmatch(text)
			if match == nil {
				continue
			}
			short := filepath.Dir(file)
			version, parent := filepath.Base(short), filepath.Base(filepath.Dir(short))
			found = append(found, groupVersion{string(match[1]), version, base + "/" + parent + "/" + version})
		}
	}
	sort.Slice(found, func(a, b int) bool { return found[a].path < found[b].path })
	return found
}

// What api/discovery says about an endpoint of a group and version.
type resource struct {
	Kind, Name, Group, Version, SingularName string
	Namespaced                               bool
	ShortNames, Categories, Verbs            []string
}

// The endpoints of a group and version; none where Kubernetes does not serve it.
func (m modules) resources(one groupVersion) []resource {
	name := "api__" + one.version + ".json"
	if one.group != "" {
		name = "apis__" + one.group + "__" + one.version + ".json"
	}
	text, err := os.ReadFile(filepath.Join(m.kubernetes, "api/discovery", name))
	if err != nil {
		return nil
	}
	answer := struct{ Resources []resource }{}
	if err := json.Unmarshal(text, &answer); err != nil {
		fail("%s: %v", name, err)
	}
	return answer.Resources
}

// A feature gate in the version: whether it is on by default, and its stage.
type gate struct {
	on, locked bool
	stage      string
}

var gateLine = regexp.MustCompile(`^(- name|\s+- default|\s+lockToDefault|\s+preRelease|\s+version): "?([A-Za-z0-9.]+)"?$`)

// Reads the list of feature gates, whose versions are in ascending order.
func (m modules) gates() map[string]gate {
	text, err := os.ReadFile(filepath.Join(m.kubernetes, "test/compatibility_lifecycle/reference/versioned_feature_list.yaml"))
	if err != nil {
		fail("%v", err)
	}
	gates := map[string]gate{}
	name, next := "", gate{}
	for _, line := range strings.Split(string(text), "\n") {
		match := gateLine.FindStringSubmatch(line)
		if match == nil {
			continue
		}
		switch strings.TrimLeft(match[1], " ") {
		case "- name":
			name = match[2]
		case "- default":
			next = gate{on: match[2] == "true"}
		case "lockToDefault":
			next.locked = match[2] == "true"
		case "preRelease":
			next.stage = strings.ToUpper(match[2])
		case "version":
			if number(strings.TrimPrefix(match[2], "1.")) <= number(m.minor) {
				gates[name] = next
			}
		}
	}
	return gates
}
