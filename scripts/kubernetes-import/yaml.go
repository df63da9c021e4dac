package main

import "strings"

// A reader of the YAML that Kubernetes writes: block maps, block lists and scalars without line breaks.
type yamlReader struct {
	lines []yamlLine
	at    int
}

type yamlLine struct {
	indent int
	text   string
}

func readYaml(text string) any {
	reader := yamlReader{}
	for _, line := range strings.Split(text, "\n") {
		if trimmed := strings.TrimLeft(line, " "); trimmed != "" {
			reader.lines = append(reader.lines, yamlLine{len(line) - len(trimmed), trimmed})
		}
	}
	return reader.value()
}

func isItem(line yamlLine) bool { return strings.HasPrefix(line.text, "- ") }

// Maps are map[string]any, lists []any, scalars strings.
func (y *yamlReader) value() any {
	first := y.lines[y.at]
	if isItem(first) {
		list := []any{}
		for y.at < len(y.lines) && y.lines[y.at].indent == first.indent && isItem(y.lines[y.at]) {
			y.lines[y.at] = yamlLine{first.indent + 2, y.lines[y.at].text[2:]}
			list = append(list, y.value())
		}
		return list
	}
	if _, _, isEntry := cutEntry(first.text); !isEntry {
		y.at++
		return unquote(first.text)
	}
	fields := map[string]any{}
	for y.at < len(y.lines) && y.lines[y.at].indent == first.indent && !isItem(y.lines[y.at]) {
		key, value, _ := cutEntry(y.lines[y.at].text)
		y.at++
		if value != "" {
			fields[key] = unquote(value)
		} else if next := y.lines[y.at]; next.indent > first.indent || next.indent == first.indent && isItem(next) {
			fields[key] = y.value()
		}
	}
	return fields
}

// `key: value`, or `key:` before a map or a list.
func cutEntry(text string) (string, string, bool) {
	if key, isKey := strings.CutSuffix(text, ":"); isKey {
		return key, "", true
	}
	return strings.Cut(text, ": ")
}

func unquote(text string) string {
	if len(text) > 1 && (text[0] == '"' || text[0] == '\'') {
		return text[1 : len(text)-1]
	}
	return text
}
