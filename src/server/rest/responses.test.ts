// What Kubernetes answers where its ways are not plain from one rule.
import { describe, expect, it } from 'vitest'
import {
  configMaps,
  coreEvents,
  daemonSets,
  deployments,
  events,
  jobs,
  nodes,
  persistentVolumeClaims,
  pods,
  priorityClasses,
  secrets,
  services,
} from '../../api/kinds.ts'
import type { Job, ObjectMeta } from '../../api/types.ts'
import { type Bench, configMap, input, openBench, options, pod, podKind, refusal } from './testing/rest-bench.ts'

const template = { metadata: { labels: { app: 'x' } }, spec: pod('').spec }
const workload = { metadata: { name: 'a' }, spec: { selector: { matchLabels: { app: 'x' } }, template } }
const job = (name: string, more: object = {}) => ({
  metadata: { name },
  spec: { template: { spec: { ...pod('').spec, restartPolicy: 'Never' }, ...more } },
})
const fieldsOf = (causes: readonly { readonly field?: string }[] | undefined) => causes?.map(({ field }) => field)

describe('metadata on an update', () => {
  const label = 'metadata.labels'
  it.each([
    ['Deployment', deployments, workload, 3],
    ['Pod', podKind, pod('a'), 4],
    ['Job', jobs, job('a'), 3],
    ['ConfigMap', configMaps, configMap('a'), 4],
    [
      'PersistentVolumeClaim',
      persistentVolumeClaims,
      { metadata: { name: 'a' }, spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
      4,
    ],
    ['Node', nodes, { metadata: { name: 'a' } }, 4],
    ['Service', services, { metadata: { name: 'a' }, spec: { ports: [{ port: 80 }] } }, 3],
    ['PriorityClass', priorityClasses, { metadata: { name: 'a' }, value: 5 }, 3],
  ])('is judged as often as Kubernetes judges it: %s', async (_name, kind, object, times) => {
    const { rest, create } = await openBench()
    await create(kind, object)
    const namespace = kind.namespaced ? 'default' : ''
    const patch = { metadata: { labels: { 'a b': 'x' } } }
    const status = await refusal(rest.patch(kind, namespace, 'a', undefined, 'merge', input(patch), options))
    expect(fieldsOf(status.details?.causes)).toEqual(Array(times).fill(label))
  })
})

describe('a Job', () => {
  it('warns once about a name that is too long for the labels of its pods', async () => {
    const { create } = await openBench()
    const status = await refusal(create(jobs, job('a'.repeat(64))))
    expect(fieldsOf(status.details?.causes)).toEqual(['spec.template.labels', 'spec.template.labels'])
    expect(status.message).toBe(
      `Job.batch "${'a'.repeat(64)}" is invalid: spec.template.labels: Invalid value: "${'a'.repeat(64)}": must be no more than 63 bytes`,
    )
  })

  it('has the labels of its pods, given or not', async () => {
    const { create } = await openBench()
    const given = (await create(jobs, job('a', { metadata: { labels: { app: 'x' } } }))) as Job
    expect(given.metadata?.labels).toMatchObject({ app: 'x', 'job-name': 'a' })
    expect(given.metadata?.labels).toEqual(given.spec?.template.metadata?.labels)
    const made = (await create(jobs, job('b'))) as Job
    expect(made.metadata?.labels).toEqual(made.spec?.template.metadata?.labels)
  })
})

describe('a Job that an apply creates', () => {
  it('shares the labels of its pods, unless it has its own', async () => {
    const { rest } = await openBench()
    const applied = async (name: string, labels?: object) => {
      const { spec } = job(name, { metadata: { labels: { app: 'x' } } })
      const object = { apiVersion: 'batch/v1', kind: 'Job', metadata: { name, ...(labels && { labels }) }, spec }
      const query = { ...options, force: false }
      return (await rest.patch(jobs, 'default', name, undefined, 'apply', input(object), query)).response.object as Job
    }
    const shared = await applied('a')
    expect(shared.metadata?.labels).toEqual(shared.spec?.template.metadata?.labels)
    expect(shared.metadata?.labels).toMatchObject({ app: 'x', 'job-name': 'a' })
    expect((await applied('b', { app: 'x' })).metadata?.labels).toEqual({ app: 'x' })
  })
})

describe('a DaemonSet', () => {
  const annotation = 'f:deprecated.daemonset.template.generation'
  const ownersOf = ({ managedFields = [] }: ObjectMeta) =>
    managedFields.filter(({ fieldsV1 }) => JSON.stringify(fieldsV1).includes(annotation)).map(({ manager }) => manager)

  it('keeps the count of its templates when a writer omits it', async () => {
    const { rest, create } = await openBench()
    const made = await create(daemonSets, workload)
    expect(ownersOf(made.metadata ?? {})).toEqual(['test'])
    const patched = { metadata: { labels: { a: 'b' } } }
    const other = { ...options, manager: 'other' }
    const patch = await rest.patch(daemonSets, 'default', 'a', undefined, 'merge', input(patched), other)
    expect(ownersOf(patch.response.object.metadata ?? {})).toEqual(['test'])
    const put = await rest.update(daemonSets, 'default', 'a', undefined, input(workload), other)
    expect(ownersOf(put.response.object.metadata ?? {})).toEqual(['other'])
    expect(put.response.object.metadata?.annotations).toEqual({ 'deprecated.daemonset.template.generation': '1' })
  })
})

describe('an Event', () => {
  it.each(['Orphan', 'Foreground'] as const)('waits for no garbage collector: %s', async (propagationPolicy) => {
    const { rest, create } = await openBench()
    await create(coreEvents, { metadata: { name: 'a' }, involvedObject: { namespace: 'default' } })
    const answer = await rest.delete(coreEvents, 'default', 'a', { ...options, propagationPolicy })
    expect(answer).toMatchObject({ kind: 'Status', status: 'Success' })
  })
})

describe('an apply that changes nothing', () => {
  async function openApplied(): Promise<Bench> {
    const bench = await openBench()
    await bench.create(deployments, workload)
    const status = { status: { conditions: [{ type: 'Available', status: 'True' }] } }
    await bench.rest.patch(deployments, 'default', 'a', 'status', 'merge', input(status), options)
    return bench
  }

  it('leaves no time, also where the object has times that are not set', async () => {
    const { rest } = await openApplied()
    const applied = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'a' }, spec: { replicas: 1 } }
    const query = { ...options, manager: 'applier', force: false }
    const { response: answer } = await rest.patch(deployments, 'default', 'a', undefined, 'apply', input(applied), query)
    const [first] = answer.object.metadata?.managedFields ?? []
    expect(first).toEqual({
      manager: 'applier',
      operation: 'Apply',
      apiVersion: 'apps/v1',
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:spec': { 'f:replicas': {} } },
    })
  })
})

describe('a server-side apply', () => {
  const limited = (value: unknown) => ({ spec: { containers: [{ name: 'c', resources: { limits: { cpu: value } } }] } })
  const probed = (port: unknown) => ({ spec: { containers: [{ name: 'c', livenessProbe: { tcpSocket: { port } } }] } })

  it.each([
    ['no quantity', pods, limited('abc'), "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"],
    ['neither a number nor a text', pods, probed({}), 'json: cannot unmarshal object into Go value of type int32'],
    ['a fraction', pods, { spec: { terminationGracePeriodSeconds: 1.5 } }, 'cannot convert float64 to int64'],
    ['no base64', secrets, { data: { a: '%' } }, 'error decoding from json: illegal base64 data at input byte 0'],
  ])('that brings %s is refused with the conversion that failed', async (_name, kind, configuration, why) => {
    const { rest } = await openBench()
    const applied = { apiVersion: 'v1', kind: kind.kind, metadata: { name: 'a', namespace: 'default' }, ...configuration }
    const { code, message } = await refusal(rest.patch(kind, 'default', 'a', undefined, 'apply', input(applied), options))
    const subject = `/v1, Kind=${kind.kind}`
    expect(code).toBe(500)
    expect(message).toBe(
      `failed to convert new object (default/a; ${subject}) to proper version: unable to convert unstructured object to ${subject}: ${why}`,
    )
  })
})

describe('a patch', () => {
  const patched = (patch: unknown, format: 'json' | 'merge' | 'strategic') => async () => {
    const { rest, create } = await openBench()
    await create(deployments, { ...workload, metadata: { name: 'a', labels: { l: 'm' } } })
    return rest.patch(deployments, 'default', 'a', undefined, format, input(patch), options)
  }
  const containers = (value: unknown) => ({ spec: { template: { spec: { containers: value } } } })

  it.each([
    ['a text for a number', { spec: { replicas: 'x' } }, 'unrecognized type: int32'],
    ['a fraction for a whole number', { spec: { replicas: 1.5 } }, 'cannot convert float64 to int32'],
    ['a number for a text', { spec: { template: { spec: { hostname: 5 } } } }, 'cannot convert int64 to string'],
    ['a flag for a text', { spec: { template: { spec: { hostname: true } } } }, 'unrecognized type: string'],
    ['a text for a flag', { spec: { paused: 'x' } }, 'unrecognized type: bool'],
    ['a number for a type of its own', { spec: { strategy: { type: 5 } } }, 'cannot convert int64 to v1.DeploymentStrategyType'],
    ['a text for a list', containers('x'), 'cannot restore slice from string'],
    ['a map for a list', containers({}), 'cannot restore slice from map'],
    ['a text for a struct', { spec: 'x' }, 'cannot restore struct from: string'],
    ['a list for a map', { metadata: { labels: [] } }, 'cannot restore map from slice'],
    ['no time', { metadata: { creationTimestamp: 1 } }, 'json: cannot unmarshal number into Go value of type string'],
    [
      'neither a number nor a text',
      { spec: { strategy: { rollingUpdate: { maxSurge: {} } } } },
      'json: cannot unmarshal object into Go value of type int32',
    ],
  ])('that is strategic and brings %s is refused in its own words', async (_name, patch, why) => {
    const { code, message } = await refusal(patched(patch, 'strategic')())
    expect(code).toBe(422)
    expect(message?.endsWith(`: ${why}`), message).toBe(true)
  })

  it.each([
    [
      'merge',
      { spec: { replicas: 'x' } },
      '\\"spec\\":{\\"progressDeadlineSeconds\\":600,\\"replicas\\":\\"x\\",\\"revisionHistoryLimit\\":10,',
    ],
    ['merge', containers([{ name: 'c', image: 1 }]), '\\"containers\\":[{\\"image\\":1,\\"name\\":\\"c\\"}]'],
    ['json', [{ op: 'replace', path: '/spec/replicas', value: 'x' }], '\\"spec\\":{\\"progressDeadlineSeconds\\":600,'],
    ['json', [{ op: 'replace', path: '/metadata/generation', value: 'x' }], '\\"spec\\":{\\"replicas\\":1,\\"selector\\":'],
  ] as const)('is shown with what it touched in order: %s', async (format, patch, shown) => {
    const { message } = await refusal(patched(patch, format)())
    expect(message).toContain('"{\\"apiVersion\\":\\"apps/v1\\",\\"kind\\":\\"Deployment\\",\\"metadata\\":')
    expect(message).toContain(shown)
  })

  it.each([
    [{ kind: 'Other' }, 'no kind "Other" is registered for version "apps/v1" in scheme "pkg/api/legacyscheme/scheme.go:30"'],
    [{ apiVersion: 'v1', kind: 'Pod' }, 'converting (v1.Pod) to (apps.Deployment): unknown conversion'],
    [
      { kind: 'ControllerRevision', revision: 'x' },
      'json: cannot unmarshal string into Go struct field ControllerRevision.revision of type int64',
    ],
  ])('does not change the kind: %j', async (patch, why) => {
    const { message } = await refusal(patched(patch, 'merge')())
    expect(message?.endsWith(`: ${why}`), message).toBe(true)
    const { response: answer } = await patched(patch, 'strategic')()
    expect(answer.object).toMatchObject({ spec: { replicas: 1 } })
  })

  it('with empty managedFields resets all ownership', async () => {
    const { response: answer } = await patched({ metadata: { managedFields: [] } }, 'merge')()
    expect(answer.object.metadata?.managedFields).toBeUndefined()
  })
})

describe('a configuration that is no object', () => {
  it.each([
    ['[]', 'array'],
    ['"x"', 'string'],
  ])('is not applied: %s', async (text, type) => {
    const { rest } = await openBench()
    const query = { ...options, force: false }
    const apply = rest.patch(configMaps, 'default', 'a', undefined, 'apply', { text, format: 'json' }, query)
    expect(await refusal(apply)).toMatchObject({
      code: 400,
      message: `error decoding YAML: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${type} into Go value of type map[string]interface {}`,
    })
  })
})

describe('the owners of replicas', () => {
  const owners = ({ managedFields = [] }: ObjectMeta) =>
    managedFields.map(({ manager, operation, subresource = '', time, fieldsV1 }) => [
      manager,
      operation,
      subresource,
      time !== undefined,
      JSON.stringify(fieldsV1).includes('f:replicas'),
    ])
  const rest = ['test', 'Update', '', true, false]

  it.each([
    ['another number', [['merge', { spec: { replicas: 3 } }]], [['scaler', 'Update', 'scale', false, true], rest]],
    ['none', [['merge', { spec: { replicas: 0 } }]], [rest]],
    [
      'another number after none',
      [
        ['merge', { spec: { replicas: 0 } }],
        ['merge', { spec: { replicas: 2 } }],
      ],
      [rest],
    ],
    ['an apply by force', [['apply', { spec: { replicas: 3 } }]], [['scaler', 'Apply', 'scale', false, true], rest]],
    ['something else', [['merge', { metadata: { labels: { a: 'b' } } }]], [['test', 'Update', '', false, true], rest]],
  ] as const)('after a Scale was written with %s', async (_name, writes, expected) => {
    const { rest, create } = await openBench()
    await create(deployments, workload)
    for (const [format, body] of writes) {
      const scale = format === 'apply' ? { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'a' }, ...body } : body
      const query = { ...options, manager: 'scaler', force: format === 'apply' }
      await rest.patch(deployments, 'default', 'a', 'scale', format, input(scale), query)
    }
    expect(owners(rest.get(deployments, 'default', 'a').object.metadata ?? {})).toEqual(expected)
  })
})

describe('other versions', () => {
  it('of an Eviction are taken', async () => {
    const { rest, create } = await openBench()
    await create(podKind, pod('a'))
    const eviction = { apiVersion: 'policy/v1beta1', kind: 'Eviction', metadata: { name: 'a' } }
    const text = JSON.stringify(eviction)
    const answer = await rest.createSubresource(podKind, 'default', 'a', 'eviction', { text, format: 'json' }, options)
    expect(answer).toMatchObject({ kind: 'Status', status: 'Success' })
  })

  it.each([
    [
      'extensions/v1beta1',
      'Scale',
      'the API version in the data (extensions/v1beta1) does not match the expected API version (autoscaling/v1)',
    ],
    [
      'v1',
      'ConfigMapList',
      'ConfigMapList in version "v1" cannot be handled as a Scale: converting (v1.ConfigMapList) to (autoscaling.Scale): unknown conversion',
    ],
  ])('of a Scale are not: %s %s', async (apiVersion, kind, message) => {
    const { rest, create } = await openBench()
    await create(deployments, workload)
    const text = JSON.stringify({ apiVersion, kind, metadata: { name: 'a' } })
    const update = rest.update(deployments, 'default', 'a', 'scale', { text, format: 'json' }, options)
    expect(await refusal(update)).toMatchObject({ code: 400, message })
  })
})

describe('an invalid object', () => {
  it('has its name in quotes as Go writes them, and no group if it is an Event', async () => {
    const { create } = await openBench()
    expect((await refusal(create(configMaps, configMap('a\u0000')))).message).toMatch(/^ConfigMap "a\\x00" is invalid: /)
    const status = await refusal(create(events, { metadata: { name: 'a' } }))
    expect(status).toMatchObject({ code: 422, details: { kind: 'Event' } })
    expect(status.message).toMatch(/^Event "a" is invalid: /)
    expect(status.details?.group).toBeUndefined()
  })
})
