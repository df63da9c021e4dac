// Reads rollcall.yaml: defaults for the flags of `rollcall simulate`. What the command line gives has precedence.
import { existsSync } from 'node:fs'
import { InputError } from '../simulate/rollout/input-error.ts'
import { readDocuments } from '../simulate/rollout/manifests.ts'
import { numberRanges } from '../simulate/rollout/number-ranges.ts'
import { readSources } from '../simulate/rollout/read-sources.ts'
import { YamlReader } from '../simulate/rollout/yaml-reader.ts'
import type { SimulateCommandOptions } from './simulate.ts'

const configurationFile = 'rollcall.yaml'

type Shape = 'text' | 'texts' | 'number' | 'flag' | 'text or flag'

/** By the name of the flag. Output files and the cluster are no defaults: they belong to one call. */
const shapes: Readonly<Record<string, Shape>> = {
  filename: 'texts',
  to: 'texts',
  scale: 'texts',
  policies: 'text',
  nodes: 'text',
  autoscale: 'text or flag',
  price: 'texts',
  compare: 'texts',
  startup: 'text',
  stop: 'text',
  timing: 'text',
  load: 'texts',
  capacity: 'texts',
  fault: 'texts',
  drain: 'text',
  oneByOne: 'flag',
  seed: 'number',
  runs: 'number',
  within: 'text',
  expect: 'texts',
  strict: 'flag',
  workers: 'number',
}

interface Configured {
  readonly options: SimulateCommandOptions
  /** What was taken from which file, in words. Absent: nothing. */
  readonly note?: string
}

/** `file` absent: rollcall.yaml of the working directory, where there is one. Throws an InputError with the place of a mistake. */
export async function withConfiguration(options: SimulateCommandOptions, file?: string): Promise<Configured> {
  if (file === undefined && !existsSync(configurationFile)) return { options }
  const path = file ?? configurationFile
  const yaml = await import('yaml')
  const [source] = readSources(path)
  const [document, further] = readDocuments(yaml, source!).filter(({ document }) => document.contents !== null)
  if (further !== undefined) throw new InputError('the file has several documents. Write one, without ---', { source: path })
  if (document === undefined) return { options }
  const root = new YamlReader(yaml, document, document.document.contents, path)
  const section = root.fields(['simulate']).get('simulate')
  if (section === undefined) return { options }
  const fields = section.fields(Object.keys(shapes))
  const given = options as Readonly<Record<string, unknown>>
  const values = [...fields].map(([name, field]) => [name, readValue(name, field)] as const)
  const used = values.filter(([name]) => given[name] === undefined)
  if (used.length === 0) return { options }
  return {
    options: { ...options, ...Object.fromEntries(used) },
    note: `${used.map(([name]) => (name === 'filename' ? '-f' : `--${name}`)).join(', ')} of ${path}`,
  }
}

function readValue(name: string, field: YamlReader): string | readonly string[] | number | boolean {
  switch (shapes[name]!) {
    case 'texts':
      return field.oneOrMany().map((one) => one.text())
    case 'number': {
      const [least, greatest] = numberRanges[name as keyof typeof numberRanges]
      return field.wholeNumber(least, greatest)
    }
    case 'flag':
      return readFlag(field)
    case 'text or flag':
      return typeof field.value === 'boolean' ? readFlag(field) : field.text()
    case 'text':
      return field.isList
        ? field
            .items()
            .map((one) => one.text())
            .join(',')
        : field.text()
  }
}

function readFlag(field: YamlReader): boolean {
  if (typeof field.value !== 'boolean') return field.fail('write true or false')
  if (field.value === false) throw new InputError('false is the default. Leave the field out', field.place)
  return true
}
