// Manifests from files, directories and the standard input.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { InputError } from './input-error.ts'
import type { SourceText } from './manifests.ts'

const manifestName = /\.(ya?ml|json)$/i
const kustomizationName = /(^|[\\/])kustomization\.ya?ml$/
/** `deployment/web`, as kubectl names an object. */
const liveObjectName = /^[a-z]+\/[a-z0-9-]+$/i
const maxBytes = 64 * 1024 * 1024

/** Reads a file, every manifest in a directory (without subdirectories), or `-` for the standard input. */
export function readSources(path: string, name = path): SourceText[] {
  if (path === '-') return [{ name: 'stdin', text: readText(0, 'stdin') }]
  const status = statSync(path, { throwIfNoEntry: false })
  if (status === undefined)
    throw new InputError(`no such file: ${name}${liveObjectName.test(name) ? '. To read it from a cluster, add --from-cluster' : ''}`)
  if (!status.isDirectory()) {
    if (status.size > maxBytes) throw new InputError(`${name} is too large. The maximum is 64 MiB`)
    return [{ name, text: readText(path, name) }]
  }
  const files = readdirSync(path)
    .filter((file) => manifestName.test(file))
    .sort()
  if (files.length === 0) throw new InputError(`${name} has no manifest: no file ends in .yaml, .yml or .json`)
  if (files.includes('Chart.yaml'))
    throw new InputError(`${name} is a Helm chart, which has to be rendered. Run helm template NAME ${name} | rollcall simulate -f -`)
  const sources = files.map((file) => ({ name: join(name, file), text: readText(join(path, file), join(name, file)) }))
  if (sources.some((source) => kustomizationName.test(source.name) && !/^kind:/m.test(source.text)))
    throw new InputError(`${name} has a kustomization, which has to be rendered. Run kubectl kustomize ${name} | rollcall simulate -f -`)
  return sources
}

function readText(path: string | number, name: string): string {
  try {
    const bytes = readFileSync(path)
    const text = bytes.toString('utf8')
    if (text.includes('\0')) throw new InputError(`${name} is not a text file`)
    return text.replace(/^\uFEFF/, '')
  } catch (error) {
    if (error instanceof InputError) throw error
    throw new InputError(
      `cannot read ${name}: ${(error as NodeJS.ErrnoException).code === 'EACCES' ? 'permission denied' : (error as Error).message}`,
    )
  }
}
