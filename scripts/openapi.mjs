// Extracts the descriptions of Kubernetes' types and fields from npm packages, for `kubectl explain` and the OpenAPI documents:
// { V1DeploymentSpec: { '': 'about the type', replicas: 'about the field' } }. Most are from Kubernetes' client library. Its files have no
// descriptions of fields whose type is a struct; those of an older Kubernetes are in kubernetes-models.
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const packages = join(dirname(fileURLToPath(import.meta.url)), '../node_modules')
const library = join(packages, 'kubernetes-client-2/dist/gen/models')
const olderModels = join(packages, 'kubernetes-models')
const olderMachinery = join(packages, '@kubernetes-models/apimachinery')

/** A prefix distinguishes types of the same name. */
const ours = /^([A-Z][a-z]+)?V\d\w*\.d\.ts$/

/** Writes the descriptions as JSON, and returns how many types have some. */
export async function writeDescriptions(outFile) {
  const descriptions = {}
  const older = new Set()
  const add = (name, found) => {
    if (Object.keys(found).length === 0) return
    descriptions[name] ??= {}
    const known = descriptions[name]
    for (const [field, text] of Object.entries(found)) {
      if (known[field] === undefined || isFuller(text, known[field])) known[field] = text
    }
  }
  for (const file of (await readdir(library)).filter((name) => ours.test(name)).sort())
    add(file.slice(0, -'.d.ts'.length), describeModel(await readFile(join(library, file), 'utf8')))
  const addOlder = async (folder, group, version) => {
    for (const file of (await readdir(folder)).filter((name) => /^[A-Z]\w*\.d\.ts$/.test(name)).sort()) {
      const type = `V${version.slice(1)}${file.slice(0, -'.d.ts'.length)}`
      const prefixed = `${group[0].toUpperCase()}${group.slice(1)}${type}`
      const name = descriptions[prefixed] === undefined ? type : prefixed
      const found = describeModel(await readFile(join(folder, file), 'utf8'))
      for (const field of Object.keys(found)) older.add(`${name}.${field}`)
      add(name, found)
    }
  }
  for (const group of (await readdir(olderModels, { withFileTypes: true })).filter((entry) => entry.isDirectory())) {
    if (/^v[12]$/.test(group.name)) await addOlder(join(olderModels, group.name), 'core', group.name)
    else
      for (const version of (await readdir(join(olderModels, group.name))).filter((name) => /^v[12]$/.test(name)))
        await addOlder(join(olderModels, group.name, version), group.name.split('.')[0], version)
  }
  for (const folder of ['apis/meta/v1', 'runtime', 'util/intstr']) await addOlder(join(olderMachinery, folder), 'meta', 'v1')
  for (const [type, fields] of Object.entries(descriptions))
    for (const [field, text] of Object.entries(fields)) if (!older.has(`${type}.${field}`)) fields[field] = withLineBreaks(text)
  await writeFile(outFile, JSON.stringify(descriptions))
  return Object.keys(descriptions).length
}

const words = (text) => text.replaceAll(/\s+/g, ' ')

/** The client library has written its texts on one line, and without the values of enums. */
const isFuller = (text, known) => words(text) === words(known) || words(text).startsWith(`${words(known)} Possible enum values: `)

/** A line break is a space there, and an empty line two. Those before items of a list are single ones. */
const withLineBreaks = (text) => text.replaceAll(/ {2}(?=- )/g, '\n ').replaceAll('  ', '\n\n')

/** Where the type of a field is a reference, the client library has the text of that type in place of the field's. */
const isReference = (type) => /^(?:(?:[A-Z][a-z]+)?V\d\w*|IntOrString)$/.test(type)

const commented =
  /\/\*\*\n((?:\s*\*[^\n]*\n)+?)\s*\*\/\s*(?:export declare (?:class|type) \w+|export interface \w+|['"]([\w$-]+)['"]\??:\s*([^;\n]*))/g

/** The sentences before the class or interface (under '') and before each field. */
export function describeModel(text) {
  const found = {}
  for (const [, comment, field, type = ''] of text.matchAll(commented)) {
    if (isReference(type)) continue
    const sentence = comment
      .split('\n')
      .map((line) => line.replace(/^\s*\* ?/, ''))
      .join('\n')
      .trim()
      // Generators escape quotes, backslashes and the end of the comment.
      .replaceAll(/\\(["'*\\])/g, '$1')
      .replaceAll('*\\/', '*/')
      .replaceAll('*_/', '*/')
    // The generator puts _ before reserved words.
    if (sentence !== '') found[field === undefined ? '' : field.replace(/^_/, '')] = sentence
  }
  return found
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const types = await writeDescriptions(process.argv[2] ?? 'openapi-descriptions.json')
  console.log(`${types} types described`)
}
