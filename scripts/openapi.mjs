// Extracts the descriptions of Kubernetes' types and fields from npm packages, for `kubectl explain` and the OpenAPI documents:
// { V1DeploymentSpec: { '': 'about the type', replicas: 'about the field' } }. Most are from Kubernetes' client library. Its files have no
// descriptions of fields whose type is a struct; those of an older Kubernetes are in kubernetes-models.
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const packages = join(dirname(fileURLToPath(import.meta.url)), '../node_modules')
const library = join(packages, 'kubernetes-client-2/dist/gen/models')
const olderModels = join(packages, 'kubernetes-models')
const olderMeta = join(packages, '@kubernetes-models/apimachinery/apis/meta/v1')

/** A prefix distinguishes types of the same name. */
const ours = /^([A-Z][a-z]+)?V\d\w*\.d\.ts$/

/** Writes the descriptions as JSON, and returns how many types have some. */
export async function writeDescriptions(outFile) {
  const descriptions = {}
  const add = (name, found) => {
    if (Object.keys(found).length === 0) return
    descriptions[name] ??= {}
    const known = descriptions[name]
    for (const [field, text] of Object.entries(found)) {
      // The client library has written its texts on one line.
      if (known[field] === undefined || words(known[field]) === words(text)) known[field] = text
    }
  }
  for (const file of (await readdir(library)).filter((name) => ours.test(name)).sort())
    add(file.slice(0, -'.d.ts'.length), describeModel(await readFile(join(library, file), 'utf8')))
  const addOlder = async (folder, group, version) => {
    for (const file of (await readdir(folder)).filter((name) => /^[A-Z]\w*\.d\.ts$/.test(name)).sort()) {
      const type = `V${version.slice(1)}${file.slice(0, -'.d.ts'.length)}`
      const prefixed = `${group[0].toUpperCase()}${group.slice(1)}${type}`
      add(descriptions[prefixed] === undefined ? type : prefixed, describeModel(await readFile(join(folder, file), 'utf8')))
    }
  }
  for (const group of (await readdir(olderModels, { withFileTypes: true })).filter((entry) => entry.isDirectory())) {
    if (/^v[12]$/.test(group.name)) await addOlder(join(olderModels, group.name), 'core', group.name)
    else
      for (const version of (await readdir(join(olderModels, group.name))).filter((name) => /^v[12]$/.test(name)))
        await addOlder(join(olderModels, group.name, version), group.name.split('.')[0], version)
  }
  await addOlder(olderMeta, 'meta', 'v1')
  await writeFile(outFile, JSON.stringify(descriptions))
  return Object.keys(descriptions).length
}

const words = (text) => text.replaceAll(/\s+/g, ' ')

const commented = /\/\*\*\n((?:\s*\*[^\n]*\n)+?)\s*\*\/\s*(?:export declare class \w+|export interface \w+|['"]([\w$-]+)['"]\??:)/g

/** The sentences before the class or interface (under '') and before each field. */
export function describeModel(text) {
  const found = {}
  for (const [, comment, field] of text.matchAll(commented)) {
    const sentence = comment
      .split('\n')
      .map((line) => line.replace(/^\s*\* ?/, ''))
      .join('\n')
      .trim()
      // Generators escape quotes, backslashes and the end of the comment.
      .replaceAll(/\\(["'\\])/g, '$1')
      .replaceAll('*\\/', '*/')
    // The generator puts _ before reserved words.
    if (sentence !== '') found[field === undefined ? '' : field.replace(/^_/, '')] = sentence
  }
  return found
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const types = await writeDescriptions(process.argv[2] ?? 'openapi-descriptions.json')
  console.log(`${types} types described`)
}
