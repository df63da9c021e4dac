// The files of deploy/ agree with the command, and the chart renders.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { addControllersCommand } from '../src/cli/controllers.ts'
import { logLevels } from '../src/cluster/remote/structured-log.ts'
import { root } from './front-door/running-cluster.ts'

const chart = join(root, 'deploy/charts/rollcall-controllers')
const readText = (...path: readonly string[]) => readFileSync(join(root, 'deploy', ...path), 'utf8')
const readChart = (file: string) => readText('charts/rollcall-controllers', file)

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly enum?: readonly string[]
}

const flagsOf = (text: string) => [...text.matchAll(/^\s*- (--[a-z-]+)/gm)].map(([, flag]) => flag!)

const knownFlags = () => {
  const program = new Command()
  addControllersCommand(program)
  return program.commands[0]!.options.map(({ long }) => long)
}

describe('deploy/', () => {
  it('has the version of the package', () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
    expect(parse(readChart('Chart.yaml'))).toMatchObject({ version, appVersion: version })
    expect(readText('static-pod/rollcall-controllers.yaml')).toContain(`image: rollcall:${version}\n`)
  })

  it('builds the image from base images that are pinned by digest', () => {
    const from = readText('Dockerfile')
      .split('\n')
      .filter((line) => line.startsWith('FROM '))
    expect(from).not.toEqual([])
    for (const line of from) expect(line).toMatch(/^FROM node:[\d.]+-\S+@sha256:[0-9a-f]{64}( AS \w+)?$/)
  })

  it.each([['charts/rollcall-controllers/templates/deployment.yaml'], ['static-pod/rollcall-controllers.yaml']])(
    '%s passes flags that the command knows',
    (file) => {
      const flags = flagsOf(readText(file))
      expect(flags.length).toBeGreaterThan(0)
      expect(knownFlags()).toEqual(expect.arrayContaining(flags))
    },
  )

  it('has a schema that knows the log levels of the command', () => {
    const { properties = {} } = JSON.parse(readChart('values.schema.json')) as Schema
    expect(properties['logLevel']?.enum).toEqual([...logLevels])
  })

  it('grants the user of the static Pods the rules of the chart, in the namespace of their Lease', () => {
    const objects = parseAllDocuments(readText('static-pod/rbac.yaml')).map((document) => document.toJS() as Rendered)
    const rules = parse(readChart('rules.yaml')) as { cluster: unknown; namespace: unknown }
    const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'rollcall-controllers' }]
    const metadata = { name: 'rollcall-controllers', namespace: 'kube-system' }
    expect(objects).toMatchObject([
      { kind: 'ClusterRole', rules: rules.cluster },
      { kind: 'ClusterRoleBinding', roleRef: { kind: 'ClusterRole', name: 'rollcall-controllers' }, subjects },
      { kind: 'Role', metadata, rules: rules.namespace },
      { kind: 'RoleBinding', metadata, roleRef: { kind: 'Role', name: 'rollcall-controllers' }, subjects },
    ])
    expect(readText('static-pod/rollcall-controllers.yaml')).toContain('--leader-elect-resource-namespace=kube-system\n')
    expect(readFileSync(join(root, 'docs/real-clusters.md'), 'utf8')).toContain('--client-name rollcall-controllers ')
  })

  it('has a schema for every value', () => {
    const missing = (values: object, schema: Schema, path = ''): readonly string[] =>
      Object.entries(values).flatMap(([key, value]) => {
        const known = schema.properties?.[key]
        if (known === undefined) return [`${path}${key}`]
        return known.properties === undefined ? [] : missing(value as object, known, `${path}${key}.`)
      })
    expect(missing(parse(readChart('values.yaml')) as object, JSON.parse(readChart('values.schema.json')) as Schema)).toEqual([])
  })
})

const helm = process.env['ROLLCALL_HELM'] ?? 'helm'
const hasHelm = spawnSync(helm, ['version']).status === 0

describe.skipIf(!hasHelm)(`the Helm chart${hasHelm ? '' : ' (helm is not installed)'}`, () => {
  const run = (...args: readonly string[]) => spawnSync(helm, args, { encoding: 'utf8' })

  it('passes helm lint', () => expect(run('lint', '--strict', chart)).toMatchObject({ status: 0 }))

  it('renders two replicas with the rules of rules.yaml', () => {
    const { stdout, status, stderr } = run('template', 'rollcall', chart, '--namespace', 'rollcall-system')
    expect(status, stderr).toBe(0)
    const objects = parseAllDocuments(stdout).map((document) => document.toJS() as Rendered)
    const find = (kind: string) => objects.find((object) => object.kind === kind)
    expect(objects.map(({ kind }) => kind).sort()).toEqual(
      ['ClusterRole', 'ClusterRoleBinding', 'Deployment', 'PodDisruptionBudget', 'Role', 'RoleBinding', 'ServiceAccount'].sort(),
    )
    expect(find('Deployment')?.spec).toMatchObject({ replicas: 2 })
    const rules = parse(readChart('rules.yaml')) as { cluster: unknown; namespace: unknown }
    expect(find('ClusterRole')?.rules).toEqual(rules.cluster)
    expect(find('Role')?.rules).toEqual(rules.namespace)
  })

  it('renders every optional part', () => {
    const values = ['serviceMonitor.enabled=true', 'featureGates.PodDeletionCost=false', 'dryRun=true', 'podDisruptionBudget.enabled=false']
    const { stdout, status, stderr } = run('template', 'rollcall', chart, '--set', values.join(','))
    expect(status, stderr).toBe(0)
    for (const text of ['kind: ServiceMonitor', '--feature-gates=PodDeletionCost=false', '- --dry-run']) expect(stdout).toContain(text)
    expect(stdout).not.toContain('PodDisruptionBudget')
  })

  it('renders the webhook for evictions, whose certificate has the name of its Service', () => {
    const { stdout, status, stderr } = run('template', 'rollcall', chart, '--namespace', 'own', '--set', 'evictions.enabled=true')
    expect(status, stderr).toBe(0)
    const objects = parseAllDocuments(stdout).map((document) => document.toJS() as Rendered & { metadata: { name: string } })
    const [name] = objects.filter(({ kind }) => kind === 'ValidatingWebhookConfiguration').map(({ metadata }) => metadata.name)
    expect(objects.filter(({ kind }) => kind === 'Secret').map(({ metadata }) => metadata.name)).toEqual([name])
    const [service] = objects.filter(({ kind }) => kind === 'Service').map(({ metadata }) => metadata.name)
    for (const flag of ['--evictions', `--webhook-name=${name}`, `--webhook-hosts=${service}.own.svc`])
      expect(stdout).toContain(`- ${flag}\n`)
    const rules = parse(readChart('rules.yaml')) as Record<string, readonly object[]>
    const own = (added: string) => rules[added]!.map((rule) => ({ resourceNames: [name], ...rule }))
    const find = (kind: string) => objects.find((object) => object.kind === kind)
    expect(find('ClusterRole')?.rules).toEqual([...rules['cluster']!, ...own('evictionsCluster')])
    expect(find('Role')?.rules).toEqual([...rules['namespace']!, ...own('evictions')])
  })

  it.each([['replicas=two'], ['controllers={gardener}'], ['leaderElection.leaseDuration=soon'], ['unknown=1']])('refuses %s', (value) => {
    expect(run('template', 'rollcall', chart, '--set', value).stderr).toContain("values don't meet the specifications of the schema")
  })
})

interface Rendered {
  readonly kind: string
  readonly spec?: object
  readonly rules?: unknown
}
