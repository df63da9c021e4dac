// Reads OpenAPI documents as Kubernetes' clients do, and compares their protobuf with what gnostic makes of their JSON. Prints one line of JSON.
//
//	gnostic cluster KUBECONFIG       the documents of a server
//	gnostic files VERSION JSON PROTO  one document; VERSION is v2 or v3
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"sort"

	openapi2 "github.com/google/gnostic-models/openapiv2"
	openapi3 "github.com/google/gnostic-models/openapiv3"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"gopkg.in/yaml.v3"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/tools/clientcmd"
	models "k8s.io/kube-openapi/pkg/util/proto"
)

type summary struct {
	Models      int      `json:"models"`
	Paths       int      `json:"paths"`
	Groups      int      `json:"groups"`
	Unused      []string `json:"unused"`
	Differences []string `json:"differences"`
}

func main() {
	result := summary{Differences: []string{}, Unused: []string{}}
	switch {
	case len(os.Args) == 3 && os.Args[1] == "cluster":
		check(readCluster(os.Args[2], &result))
	case len(os.Args) == 5 && os.Args[1] == "files":
		document, err := os.ReadFile(os.Args[3])
		check(err)
		encoded, err := os.ReadFile(os.Args[4])
		check(err)
		result.compare(os.Args[2], os.Args[2], document, encoded)
	default:
		check(fmt.Errorf("usage: gnostic cluster KUBECONFIG | gnostic files VERSION JSON PROTO"))
	}
	check(json.NewEncoder(os.Stdout).Encode(result))
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func readCluster(kubeconfig string, result *summary) error {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return err
	}
	client, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		return err
	}
	document, err := client.OpenAPISchema()
	if err != nil {
		return err
	}
	data, err := models.NewOpenAPIData(document)
	if err != nil {
		return err
	}
	for _, name := range data.ListModels() {
		if data.LookupModel(name) == nil {
			result.Differences = append(result.Differences, name+": no model")
		}
	}
	result.Models = len(data.ListModels())
	result.Paths = len(document.Paths.Path)
	text, err := client.RESTClient().Get().AbsPath("/openapi/v2").SetHeader("Accept", "application/json").Do(context.Background()).Raw()
	if err != nil {
		return err
	}
	encoded, err := proto.Marshal(document)
	if err != nil {
		return err
	}
	result.compare("v2", "/openapi/v2", text, encoded)
	groups, err := client.OpenAPIV3().Paths()
	if err != nil {
		return err
	}
	result.Groups = len(groups)
	for path, group := range groups {
		text, err := group.Schema("application/json")
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		encoded, err := group.Schema("application/com.github.proto-openapi.spec.v3.v1.0+protobuf")
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		result.compare("v3", path, text, encoded)
	}
	return nil
}

func (s *summary) compare(version, name string, document, encoded []byte) {
	var parsed, decoded proto.Message
	var err error
	if version == "v2" {
		parsed, err = openapi2.ParseDocument(document)
		decoded = &openapi2.Document{}
	} else {
		parsed, err = openapi3.ParseDocument(document)
		decoded = &openapi3.Document{}
	}
	check(err)
	check(proto.Unmarshal(encoded, decoded))
	s.differ(name, parsed.ProtoReflect(), decoded.ProtoReflect())
	if version == name {
		s.findUnused(decoded.ProtoReflect())
	}
}

// Names the fields that no message within this one has.
func (s *summary) findUnused(message protoreflect.Message) {
	used := map[protoreflect.FullName]bool{}
	known := map[protoreflect.FullName]protoreflect.MessageDescriptor{}
	var visit func(protoreflect.Message)
	visit = func(one protoreflect.Message) {
		known[one.Descriptor().FullName()] = one.Descriptor()
		one.Range(func(field protoreflect.FieldDescriptor, value protoreflect.Value) bool {
			used[field.FullName()] = true
			if field.Kind() != protoreflect.MessageKind {
				return true
			}
			if !field.IsList() {
				visit(value.Message())
				return true
			}
			for i := 0; i < value.List().Len(); i++ {
				visit(value.List().Get(i).Message())
			}
			return true
		})
	}
	visit(message)
	for _, descriptor := range known {
		for i := 0; i < descriptor.Fields().Len(); i++ {
			if name := descriptor.Fields().Get(i).FullName(); !used[name] && name.Name() != "value" {
				s.Unused = append(s.Unused, string(name))
			}
		}
	}
	sort.Strings(s.Unused)
}

// Compares field by field, and what an Any carries by its value, because one value has many forms in YAML.
func (s *summary) differ(path string, want, got protoreflect.Message) {
	if len(s.Differences) >= 100 {
		return
	}
	fields := want.Descriptor().Fields()
	if text := fields.ByName("yaml"); text != nil {
		if a, b := valueOf(want.Get(text).String()), valueOf(got.Get(text).String()); a != b {
			s.Differences = append(s.Differences, fmt.Sprintf("%s: want %s, got %s", path, a, b))
		}
		return
	}
	for i := 0; i < fields.Len(); i++ {
		field := fields.Get(i)
		here := path + "." + string(field.Name())
		switch {
		case field.IsList():
			a, b := want.Get(field).List(), got.Get(field).List()
			if a.Len() != b.Len() {
				s.Differences = append(s.Differences, fmt.Sprintf("%s: want %d elements, got %d", here, a.Len(), b.Len()))
				continue
			}
			for j := 0; j < a.Len(); j++ {
				s.differValue(fmt.Sprintf("%s[%d]", here, j), field, a.Get(j), b.Get(j))
			}
		case isEmpty(field, want) && !got.Has(field):
			// gnostic writes an empty message for a default that is neither a text, a number nor a boolean.
		case want.Has(field) != got.Has(field):
			s.Differences = append(s.Differences, fmt.Sprintf("%s: want %v, got %v", here, want.Has(field), got.Has(field)))
		case want.Has(field):
			s.differValue(here, field, want.Get(field), got.Get(field))
		}
	}
}

func isEmpty(field protoreflect.FieldDescriptor, message protoreflect.Message) bool {
	return field.Kind() == protoreflect.MessageKind && proto.Size(message.Get(field).Message().Interface()) == 0
}

func (s *summary) differValue(path string, field protoreflect.FieldDescriptor, want, got protoreflect.Value) {
	if field.Kind() == protoreflect.MessageKind {
		s.differ(path, want.Message(), got.Message())
	} else if !want.Equal(got) {
		s.Differences = append(s.Differences, fmt.Sprintf("%s: want %v, got %v", path, want, got))
	}
}

func valueOf(text string) string {
	var value any
	if err := yaml.Unmarshal([]byte(text), &value); err != nil {
		return err.Error()
	}
	encoded, err := json.Marshal(value)
	if err != nil {
		return err.Error()
	}
	return string(encoded)
}
