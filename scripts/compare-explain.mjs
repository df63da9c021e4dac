// `node scripts/compare-explain.mjs KUBECONFIG KUBECONFIG`: compares what `kubectl explain` shows of each field on a real API server and on Rollcall, from their OpenAPI v3
// documents, and reports other structures, other texts and missing ones, with counts.
import { execFileSync } from 'node:child_process'
import { pathToFileURL } from 'node:url'

const get = (kubeconfig, path) =>
  JSON.parse(execFileSync('kubectl', ['--kubeconfig', kubeconfig, 'get', '--raw', path], { encoding: 'utf8', maxBuffer: 1 << 28 }))

const readDocuments = (kubeconfig) =>
  Object.entries(get(kubeconfig, '/openapi/v3').paths)
    .filter(([path]) => /^apis?\//.test(path))
    .map(([, { serverRelativeURL }]) => get(kubeconfig, serverRelativeURL))

/** The order of members means nothing. */
function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((name) => [name, sorted(value[name])]),
  )
}

/** `[]io.k8s.api.core.v1.Container`, `map[string]string`, `integer(int32)`. */
function typeOf(schema) {
  const reference = schema.$ref ?? schema.allOf?.[0]?.$ref
  if (reference !== undefined) return reference.replace('#/components/schemas/', '')
  if (schema.items !== undefined) return `[]${typeOf(schema.items)}`
  if (schema.additionalProperties !== undefined) return `map[string]${typeOf(schema.additionalProperties)}`
  return `${schema.type ?? JSON.stringify(schema.oneOf ?? 'any')}${schema.format === undefined ? '' : `(${schema.format})`}`
}

function structureOf(schema, isRequired) {
  const words = Object.keys(schema)
    // A type of meta/v1 is of other groups in each document.
    .filter((name) => /^x-kubernetes-(?!group-version-kind)|^(?:enum|default)$/.test(name))
    .sort()
    .map((name) => `${name}=${JSON.stringify(sorted(schema[name]))}`)
  return [typeOf(schema), ...(isRequired ? ['required'] : []), ...words].join(' ')
}

/** Each type (`io.k8s.api.apps.v1.Deployment`) and field (`….Deployment spec`) of the documents, with its structure and its text. */
export function explainedFields(documents) {
  const found = new Map()
  const add = (name, schema, isRequired) => found.set(name, { structure: structureOf(schema, isRequired), text: schema.description ?? '' })
  for (const { components } of documents)
    for (const [type, schema] of Object.entries(components?.schemas ?? {})) {
      add(type, schema, false)
      for (const [field, of] of Object.entries(schema.properties ?? {})) add(`${type} ${field}`, of, schema.required?.includes(field))
    }
  return found
}

const words = (text) => text.replaceAll(/\s+/g, ' ').trim()

/** Of the types that both have: the names of fields by how ours compare with the real ones. */
export function compareFields(real, ours) {
  const result = {
    equal: [],
    'other white space': [],
    'other text': [],
    'no text': [],
    'text of ours': [],
    'other structure': [],
    missing: [],
    'of ours': [],
  }
  const isCommon = (name) => real.has(name.split(' ')[0]) && ours.has(name.split(' ')[0])
  for (const [name, theirs] of real) {
    const own = ours.get(name)
    if (!isCommon(name)) continue
    if (own === undefined) result.missing.push(name)
    else {
      result[compareTexts(theirs.text, own.text)].push(name)
      if (own.structure !== theirs.structure) result['other structure'].push(name)
    }
  }
  for (const name of ours.keys()) if (isCommon(name) && !real.has(name)) result['of ours'].push(name)
  return result
}

function compareTexts(real, own) {
  if (real === own) return 'equal'
  if (own === '') return 'no text'
  if (real === '') return 'text of ours'
  return words(real) === words(own) ? 'other white space' : 'other text'
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [real, ours] = process.argv.slice(2)
  if (ours === undefined) {
    console.error('error: two kubeconfigs are needed: that of a real API server, and that of Rollcall.')
    process.exit(1)
  }
  const result = compareFields(explainedFields(readDocuments(real)), explainedFields(readDocuments(ours)))
  for (const [what, names] of Object.entries(result)) if (what !== 'equal') for (const name of names) console.log(`${what}: ${name}`)
  console.log(
    Object.entries(result)
      .map(([what, names]) => `${names.length} ${what}`)
      .join(', '),
  )
}
