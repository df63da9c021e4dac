import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fieldErrorMessage } from '../../../../machinery/field-error.ts'
import { type FieldType, structOf } from '../../../../machinery/schema/schema.ts'
import type { Pod } from '../../../../types.ts'
import { context, examplePod } from '../testing/example-pod.ts'
import {
  validatePod,
  validatePodEphemeralContainersUpdate,
  validatePodResizeUpdate,
  validatePodStatusUpdate,
  validatePodTemplateSpec,
  validatePodUpdate,
} from '../validation.ts'

const texts = fc.oneof(
  fc.constantFrom(
    '',
    'a',
    'main',
    'data',
    'Always',
    'Never',
    'In',
    'Exists',
    'cpu',
    'memory',
    '__proto__',
    'constructor',
    '..',
    '/a/../b',
    'x y',
    '1',
  ),
  fc.string({ unit: 'binary', maxLength: 8 }),
)
const keys = fc.oneof(
  fc.constantFrom('cpu', 'memory', 'hugepages-2Mi', 'hugepages-', 'example.com/gpu', '__proto__', 'a'),
  fc.string({ maxLength: 5 }),
)
const quantities = fc.constantFrom('0', '1', '-1', '500m', '2Mi', '3Mi', '1e3', '9223372036854775807', '')
const numbers = fc.oneof(fc.constantFrom(0, 1, -1, 80, 65536, 2147483647, -2147483648), fc.integer())

/** Any value of that type, right in form and in nothing else. */
function arbitrary(type: FieldType, depth: number): fc.Arbitrary<unknown> {
  if (type.kind === 'list') return fc.array(arbitrary(type.of, depth), { maxLength: 2 })
  if (type.kind === 'map') return fc.dictionary(keys, arbitrary(type.of, depth), { maxKeys: 2 })
  if (type.kind === 'struct') return depth === 0 ? fc.constant({}) : struct(type.name, depth - 1)
  switch (type.scalar) {
    case 'bool':
      return fc.boolean()
    case 'int32':
    case 'int64':
    case 'float64':
      return numbers
    case 'Quantity':
      return quantities
    case 'IntOrString':
      return fc.oneof(numbers, texts)
    case 'any':
      return fc.constant({})
    default:
      return texts
  }
}

const known = new Map<string, fc.Arbitrary<Record<string, unknown>>>()

function struct(name: string, depth: number): fc.Arbitrary<Record<string, unknown>> {
  const key = `${name} ${depth}`
  let result = known.get(key)
  if (result === undefined) {
    const fields = structOf(name).fields.map((field) => [field.name, arbitrary(field.type, depth)] as const)
    // A few fields at a time, so that the interesting ones are not lost among the others.
    result = fc
      .subarray(fields as (readonly [string, fc.Arbitrary<unknown>])[], { maxLength: Math.min(6, fields.length) })
      .chain((some) => fc.record(Object.fromEntries(some)) as fc.Arbitrary<Record<string, unknown>>)
    known.set(key, result)
  }
  return result
}

const pods = struct('core.Pod', 6).map((pod) => {
  const example = examplePod()
  const merged = (field: 'spec' | 'status') => ({ ...example[field], ...(pod[field] as object | undefined) })
  return { ...example, spec: merged('spec'), status: merged('status') } as unknown as Pod
})

describe('validation of pods', () => {
  it('never throws, whatever the fields hold', () => {
    fc.assert(
      fc.property(pods, pods, (next, current) => {
        const all = [
          validatePod(next, context),
          validatePodUpdate(next, current, context),
          validatePodUpdate(next, next, context),
          validatePodStatusUpdate(next, current, context),
          validatePodEphemeralContainersUpdate(next, current, context),
          validatePodResizeUpdate(next, current, context),
          validatePodTemplateSpec({ spec: next.spec! }, 'spec.template'),
        ]
        for (const error of all.flat()) expect(fieldErrorMessage(error)).toContain(': ')
      }),
      { numRuns: 150 },
    )
  })

  it('never throws on a stored sysctl without a name', () => {
    const pod = examplePod()
    const spec = { ...pod.spec, hostNetwork: true, securityContext: { sysctls: [{}] } }
    const broken = { ...pod, spec } as unknown as Pod
    expect(() => validatePodUpdate(broken, broken, context)).not.toThrow()
  })

  it('never throws on a spec of nothing', () => {
    for (const pod of [{}, { spec: {} }, { spec: { containers: [{}], volumes: [{}], initContainers: [{}] } }] as unknown as Pod[])
      for (const validate of [validatePodUpdate, validatePodStatusUpdate, validatePodEphemeralContainersUpdate, validatePodResizeUpdate])
        expect(() => [validatePod(pod, context), validate(pod, pod, context)]).not.toThrow()
  })
})
