// Extracts the descriptions of Kubernetes' types and fields from its client library, for `kubectl explain` and the
// OpenAPI documents: { V1DeploymentSpec: { '': 'about the type', replicas: 'about the field' } }.
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const models = join(dirname(fileURLToPath(import.meta.url)), '../node_modules/@kubernetes/client-node/dist/gen/models')

/** The versions that are served. A prefix distinguishes types of the same name. */
const ours = /^([A-Z][a-z]+)?V[12][A-Z]\w*\.d\.ts$|^V1beta1(MutatingAdmissionPolicy|Mutation|ApplyConfiguration|JSONPatch)\w*\.d\.ts$/

/** Writes the descriptions as JSON, and returns how many types have some. */
export async function writeDescriptions(outFile) {
  const descriptions = {}
  for (const file of (await readdir(models)).filter((name) => ours.test(name)).sort()) {
    const found = describeModel(await readFile(join(models, file), 'utf8'))
    if (Object.keys(found).length > 0) descriptions[file.slice(0, -'.d.ts'.length)] = found
  }
  await writeFile(outFile, JSON.stringify(descriptions))
  return Object.keys(descriptions).length
}

const commented = /\/\*\*\n((?:\s*\*[^\n]*\n)+?)\s*\*\/\s*(?:export declare class \w+|'(\w+)'\??:)/g

/** The sentences before the class (under '') and before each field. */
export function describeModel(text) {
  const found = {}
  for (const [, comment, field] of text.matchAll(commented)) {
    const sentence = comment
      .split('\n')
      .map((line) => line.replace(/^\s*\* ?/, ''))
      .join('\n')
      .trim()
      .replaceAll('\\"', '"')
    // The generator puts _ before reserved words, and escapes quotes.
    if (sentence !== '') found[field === undefined ? '' : field.replace(/^_/, '')] = sentence
  }
  return found
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const types = await writeDescriptions(process.argv[2] ?? 'openapi-descriptions.json')
  console.log(`${types} types described`)
}
