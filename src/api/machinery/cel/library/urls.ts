// The functions of URLs.
// Kubernetes: k8s.io/apiserver/pkg/cel/library.urls.*
import { readUrl, type Url, urlProblem } from '../../validation/request-url.ts'
import { bool, listOf, mapOf, opaque, string } from '../cel-type.ts'
import { EvaluationError } from '../evaluation-error.ts'
import { type Functions, global, member } from '../functions.ts'
import { CelList, LiteralMap, OpaqueValue } from '../values.ts'
import { traverse } from './costs.ts'

type UrlValue = OpaqueValue<Url>

function parse(text: string): UrlValue {
  const url = readUrl(text)
  if (typeof url === 'string') throw new EvaluationError(`URL parse error during conversion from string: ${url}`)
  return new OpaqueValue(type, url, (one, other) => one.text === other.text)
}

function hostname({ host }: Url): string {
  const bracket = /^\[(.*)\]/.exec(host)
  return bracket?.[1] ?? host.replace(/:[0-9]*$/, '')
}

function queryOf({ content: { query } }: UrlValue): LiteralMap {
  const values = new Map<string, string[]>()
  for (const [key, value] of new URLSearchParams(query)) values.set(key, [...(values.get(key) ?? []), value])
  const map = new LiteralMap()
  for (const [key, list] of values) map.add(key, new CelList(list))
  return map
}

const type = opaque('kubernetes.URL')
const part = (read: (url: Url) => string) => [member([type], string, ({ content }: UrlValue) => read(content))]

export const urls: Functions = {
  url: [global([string], type, parse, traverse)],
  isURL: [global([string], bool, (text: string) => urlProblem(text) === undefined, traverse)],
  getScheme: part(({ scheme }) => scheme),
  getHost: part(({ host }) => host),
  getHostname: part(hostname),
  getPort: part(({ host }) => /:([0-9]*)$/.exec(host)?.[1] ?? ''),
  getEscapedPath: part(({ path }) => path),
  getQuery: [member([type], mapOf(string, listOf(string)), queryOf)],
}
