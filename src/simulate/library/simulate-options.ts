// Checks the options of `simulate()`: programs in plain JavaScript have no types. Pure.
import { InputError } from '../rollout/input-error.ts'
import { numberRanges } from '../rollout/number-ranges.ts'
import type { SimulateOptions } from './simulate-api.ts'

type Shape = 'any' | 'text' | 'text or true' | 'text or list' | 'list' | 'number' | 'boolean' | 'function'

const shapes: Readonly<Record<keyof SimulateOptions, Shape>> = {
  manifests: 'any',
  files: 'list',
  to: 'text or list',
  scale: 'text or list',
  policies: 'list',
  nodes: 'text',
  autoscale: 'text or true',
  price: 'text or list',
  startup: 'text',
  stop: 'text',
  timing: 'text',
  load: 'text or list',
  capacity: 'text or list',
  fault: 'text or list',
  seed: 'number',
  runs: 'number',
  within: 'text',
  expect: 'text or list',
  strict: 'boolean',
  workers: 'number',
  onProgress: 'function',
}

const isText = (value: unknown) => typeof value === 'string'
const isList = (value: unknown) => Array.isArray(value) && value.every(isText)

/** What a value has to be, in words. Undefined: it is that. */
function wantedInstead(name: string, value: unknown, shape: Shape): string | undefined {
  switch (shape) {
    case 'any':
      return undefined
    case 'text':
      return isText(value) ? undefined : 'a string'
    case 'text or true':
      return isText(value) || value === true ? undefined : 'a string or true'
    case 'text or list':
      return isText(value) || isList(value) ? undefined : 'a string or a list of strings'
    case 'list':
      return isList(value) ? undefined : 'a list of strings'
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'true or false'
    case 'function':
      return typeof value === 'function' ? undefined : 'a function'
    case 'number': {
      const [least, greatest] = numberRanges[name as keyof typeof numberRanges]
      const isInRange = Number.isInteger(value) && (value as number) >= least && (value as number) <= greatest
      return isInRange ? undefined : `a whole number from ${least} to ${greatest}`
    }
  }
}

/** Throws where an option does not exist, or has a value of another type. An option that is undefined is absent. */
export function checkSimulateOptions(options: SimulateOptions): void {
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(shapes, name))
      throw new InputError(`Cannot simulate: there is no option "${name}"; there are ${Object.keys(shapes).join(', ')}`)
    const wanted = value === undefined ? undefined : wantedInstead(name, value, shapes[name as keyof SimulateOptions])
    if (wanted !== undefined) throw new InputError(`Cannot simulate: ${name} is ${JSON.stringify(value)}. Give ${wanted}.`)
  }
}
