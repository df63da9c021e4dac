// Requests within the size limits that are designed to take long. No other request is served while one is decoded, so each must
// be fast. Measured in processor time, which does not depend on the load of the machine.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningCluster, startCluster } from './running-cluster.ts'

const characters = 1_000_000
/** Each takes less than a second on an idle machine; quadratic behaviour took at least 4 s. */
const maxProcessorSeconds = 3

const yaml = 'application/yaml'
const apply = 'application/apply-patch+yaml'
const jsonPatch = 'application/json-patch+json'
const mergePatch = 'application/merge-patch+json'
const strategicPatch = 'application/strategic-merge-patch+json'
const configMaps = '/api/v1/namespaces/default/configmaps'
const pods = '/api/v1/namespaces/default/pods'
const deployments = '/apis/apps/v1/namespaces/default/deployments'
const cronJobs = '/apis/batch/v1/namespaces/default/cronjobs'

const repeated = (text: string, length = characters) => text.repeat(Math.floor(length / text.length))
const many = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i))
const configMap = (more: object) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'made' }, ...more })
const pod = (spec: object) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'made' },
  spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
})
const withCpu = (cpu: string) => pod({ containers: [{ name: 'c', image: 'i', resources: { requests: { cpu } } }] })
const deployment = (name: string, container: object) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name },
  spec: {
    replicas: 0,
    selector: { matchLabels: { a: 'b' } },
    template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i', ...container }] } },
  },
})
const cronJob = (schedule: string) => ({
  apiVersion: 'batch/v1',
  kind: 'CronJob',
  metadata: { name: 'made' },
  spec: { schedule, jobTemplate: { spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } } } } },
})
const variables = (count: number, value: string) => many(count, (i) => ({ name: `K${i}`, value }))
const managers = (operation: string) =>
  many(8000, (i) => ({
    manager: `m${i}`,
    operation,
    apiVersion: 'v1',
    fieldsType: 'FieldsV1',
    time: '2026-01-01T00:00:00Z',
    fieldsV1: { 'f:data': { [`f:k${i}`]: {} } },
  }))
const keys = (count: number, value: string) => Object.fromEntries(many(count, (i) => [`k${i}`, value]))

type Row = readonly [name: string, code: number, method: string, path: string, body?: unknown, type?: string]

const yamlRows: Row[] = (
  [
    ['double quotes', 413, repeated('"')],
    ['single quotes', 400, repeated("'")],
    ['quotes as a value', 413, `a: ${repeated('"')}`],
    ['flow mappings in one another', 400, `a: ${repeated('{')}`],
    ['flow sequences in one another', 400, `a: ${repeated('[')}`],
    ['sequences in one another, in one line', 400, repeated('- ')],
    ['keys in one another, in one line', 400, repeated('? ')],
    ['values in one another, in one line', 400, repeated(': ')],
    ['mappings in one another, line by line', 400, many(1900, (i) => `${' '.repeat(i)}a:`).join('\n')],
    ['anchors', 413, many(100_000, (i) => `k${i}: &a${i} v`).join('\n')],
    ['aliases of one anchor', 413, `a: &a b\n${repeated('b: *a\n')}`],
    ['aliases that multiply', 400, `a0: &a0 [x]\n${many(60, (i) => `a${i + 1}: &a${i + 1} [*a${i},*a${i},*a${i}]`).join('\n')}`],
    ['errors between the elements of a sequence', 413, `a: [${repeated('"" ')}]`],
    ['elements', 413, `a: [${repeated('x,')}]`],
    ['documents', 422, repeated('---\n')],
    ['empty lines in a block', 422, `a: |\n${repeated('\n')} x`],
    ['lines in quotes', 422, `a: "${repeated('x\n ')}"`],
  ] as const
).map(([name, code, body]) => [`YAML: ${name}`, code, 'POST', configMaps, body, yaml])

const rows: readonly Row[] = [
  ...yamlRows,
  ['YAML: quotes as the options of a deletion', 413, 'DELETE', `${configMaps}/none`, repeated('"'), yaml],
  ['JSON: lists in one another', 400, 'POST', configMaps, repeated('[')],
  ['JSON: objects in one another', 400, 'POST', configMaps, repeated('{"a":')],
  ['a quantity of a million digits', 400, 'POST', pods, withCpu('1'.repeat(1_000_000))],
  ['a quantity of a million zeros', 400, 'POST', pods, withCpu(`1${'0'.repeat(1_000_000)}`)],
  ['a quantity that almost is one', 400, 'POST', pods, withCpu(`${'1'.repeat(1_000_000)}x`)],
  ['a time of digits', 400, 'POST', configMaps, configMap({ metadata: { name: 'made', creationTimestamp: repeated('2') } })],
  ['a name of labels', 422, 'POST', configMaps, configMap({ metadata: { name: `${repeated('a.')}!` } })],
  ['updaters of fields', 201, 'POST', configMaps, configMap({ metadata: { name: 'updaters', managedFields: managers('Update') } })],
  ['appliers of fields', 201, 'POST', configMaps, configMap({ metadata: { name: 'appliers', managedFields: managers('Apply') } })],
  [
    'an apply beside many appliers',
    200,
    'PATCH',
    `${configMaps}/appliers?fieldManager=x`,
    configMap({ metadata: { name: 'appliers' } }),
    apply,
  ],
  ['environment variables', 201, 'POST', deployments, deployment('large', { env: variables(15_000, 'v') })],
  ['a strategic patch of a long list', 200, 'PATCH', `${deployments}/large`, strategic({ env: variables(15_000, 'w') }), strategicPatch],
  [
    'a strategic patch that deletes a long list',
    200,
    'PATCH',
    `${deployments}/large`,
    strategic({ env: many(15_000, (i) => ({ name: `K${i}`, $patch: 'delete' })) }),
    strategicPatch,
  ],
  [
    'an apply of a long list',
    200,
    'PATCH',
    `${deployments}/large?fieldManager=x&force=true`,
    deployment('large', { env: variables(15_000, 'x') }),
    apply,
  ],
  [
    'an apply of a map',
    201,
    'PATCH',
    `${configMaps}/map?fieldManager=x`,
    configMap({ metadata: { name: 'map' }, data: keys(30_000, 'v') }),
    apply,
  ],
  [
    'an apply with many conflicts',
    409,
    'PATCH',
    `${configMaps}/map?fieldManager=y`,
    configMap({ metadata: { name: 'map' }, data: keys(30_000, 'w') }),
    apply,
  ],
  [
    'a JSON patch of many operations',
    200,
    'PATCH',
    `${configMaps}/map`,
    many(9000, (i) => ({ op: 'add', path: `/data/n${i}`, value: 'v' })),
    jsonPatch,
  ],
  [
    'a JSON patch with a long path',
    422,
    'PATCH',
    `${configMaps}/map`,
    [{ op: 'add', path: `/data/${repeated('a/')}`, value: 'v' }],
    jsonPatch,
  ],
  [
    'a merge patch of objects in one another',
    400,
    'PATCH',
    `${configMaps}/map`,
    `${'{"data":'.repeat(100_000)}1${'}'.repeat(100_000)}`,
    mergePatch,
  ],
  ['a schedule of many stars', 201, 'POST', cronJobs, cronJob(`${'*,'.repeat(200_000)}* * * * *`)],
  ['a schedule of spaces', 422, 'POST', cronJobs, cronJob(`*${' '.repeat(1_000_000)}x`)],
  ['a label selector of many values', 200, 'GET', `${configMaps}?labelSelector=${encodeURIComponent(`a in (${'x,'.repeat(10_000)}y)`)}`],
  ['a label selector of parentheses', 400, 'GET', `${configMaps}?labelSelector=${'('.repeat(30_000)}`],
  ['a field selector of backslashes', 400, 'GET', `${configMaps}?fieldSelector=metadata.name=${'%5C'.repeat(9999)}`],
  ['a continue token', 400, 'GET', `${configMaps}?limit=1&continue=${'A'.repeat(50_000)}`],
]

function strategic(container: object) {
  return { spec: { template: { spec: { containers: [{ name: 'c', ...container }] } } } }
}

describe('a request that is made to take long', () => {
  let cluster: RunningCluster
  beforeAll(async () => {
    cluster = await startCluster()
  })
  afterAll(() => cluster.stop())

  const processorSeconds = async () => {
    const { text } = await cluster.ask('GET', '/metrics')
    return Number(/^process_cpu_seconds_total ([\d.]+)/m.exec(text)?.[1])
  }

  it.each(rows.map(([name, ...rest]) => ({ name, rest })))('$name', async ({ rest }) => {
    const [code, method, path, body, type = 'application/json'] = rest
    const before = await processorSeconds()
    const answer = await cluster.ask(method, path, body, { 'content-type': type })
    expect({ code: answer.code, text: answer.text.slice(0, 300) }).toMatchObject({ code })
    expect((await processorSeconds()) - before).toBeLessThan(maxProcessorSeconds)
  })
})
