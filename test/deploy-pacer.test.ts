// The chart of the pacer agrees with the command, and renders the admission that `rollcall pacer manifests` prints.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import type { KubernetesObject } from '../src/api/types.ts'
import { addPacerCommand } from '../src/cli/pacer.ts'
import { evictionObjects, policyObjects, webhookObjects } from '../src/cluster/pacer/pacer-admission-objects.ts'
import { logLevels } from '../src/cluster/remote/structured-log.ts'
import { root } from './front-door/running-cluster.ts'

const chart = join(root, 'deploy/charts/rollcall-pacer')
const read = (file: string) => readFileSync(join(chart, file), 'utf8')

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly enum?: readonly string[]
}
const schema = () => JSON.parse(read('values.schema.json')) as Schema

interface Rendered extends KubernetesObject {
  readonly kind: string
  readonly rules?: readonly object[]
  readonly webhooks?: readonly object[]
  readonly spec?: object & { readonly replicas?: number }
}

const flagsOf = (text: string) => [...text.matchAll(/^\s*- (--[a-z-]+)/gm)].map(([, flag]) => flag!)

describe('deploy/charts/rollcall-pacer', () => {
  it('has the version of the package', () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
    expect(parse(read('Chart.yaml'))).toMatchObject({ version, appVersion: version })
  })

  it('passes flags that the commands know', () => {
    const program = new Command()
    addPacerCommand(program)
    const pacer = program.commands[0]!
    const release = pacer.commands.find((command) => command.name() === 'release')!
    const known = (command: Command) => command.options.map(({ long }) => long)
    expect(known(pacer)).toEqual(expect.arrayContaining(flagsOf(read('templates/deployment.yaml'))))
    expect(known(release)).toEqual(expect.arrayContaining(flagsOf(read('templates/uninstall.yaml'))))
  })

  it('has a schema for every value, with the log levels of the command', () => {
    const missing = (values: object, known: Schema, path = ''): readonly string[] =>
      Object.entries(values).flatMap(([key, value]) => {
        const one = known.properties?.[key]
        if (one === undefined) return [`${path}${key}`]
        return one.properties === undefined ? [] : missing(value as object, one, `${path}${key}.`)
      })
    expect(missing(parse(read('values.yaml')) as object, schema())).toEqual([])
    expect(schema().properties?.['logLevel']?.enum).toEqual([...logLevels])
  })
})

const helm = process.env['ROLLCALL_HELM'] ?? 'helm'
const hasHelm = spawnSync(helm, ['version']).status === 0
const hasPolicies = ['--api-versions', 'admissionregistration.k8s.io/v1/MutatingAdmissionPolicy']

describe.skipIf(!hasHelm)(`the Helm chart of the pacer${hasHelm ? '' : ' (helm is not installed)'}`, () => {
  const run = (...args: readonly string[]) => spawnSync(helm, args, { encoding: 'utf8' })
  const render = (...args: readonly string[]) => {
    const { stdout, status, stderr } = run('template', 'rollcall-pacer', chart, '--namespace', 'rollcall-system', ...args)
    expect(status, stderr).toBe(0)
    return parseAllDocuments(stdout).map((document) => document.toJS() as Rendered)
  }
  const isHook = ({ metadata }: Rendered) => metadata?.annotations?.['helm.sh/hook'] !== undefined
  const kindsOf = (objects: readonly Rendered[]) =>
    objects
      .filter((object) => !isHook(object))
      .map(({ kind }) => kind)
      .sort()
  const find = (objects: readonly Rendered[], kind: string) =>
    objects.find((object) => object.kind === kind && !isHook(object) && !object.metadata!.name!.endsWith('-workloads'))!
  const withoutLabels = ({ metadata: { labels: _, ...metadata } = {}, ...object }: KubernetesObject) => ({ ...object, metadata })
  const common = ['ClusterRole', 'ClusterRoleBinding', 'Deployment', 'PodDisruptionBudget', 'Role', 'RoleBinding', 'ServiceAccount']
  const rules = parse(read('rules.yaml')) as Record<string, object[]>
  /** Of the objects of the chart's name only. */
  const named = (...all: readonly object[]) =>
    all.map((rule) => {
      const { verbs, resources } = rule as { readonly verbs: readonly string[]; readonly resources: readonly string[] }
      if (verbs.includes('create')) return rule
      return { ...rule, resourceNames: [resources.includes('roles') ? 'rollcall-pacer-workloads' : 'rollcall-pacer'] }
    })
  const here = { name: 'rollcall-pacer', namespace: 'rollcall-system' }

  it('passes helm lint', () => expect(run('lint', '--strict', chart)).toMatchObject({ status: 0 }))

  it('renders the policy where the API server has it', () => {
    const objects = render(...hasPolicies)
    const expected = policyObjects(here)
    expect(kindsOf(objects)).toEqual([...common, ...expected.map(({ kind }) => kind)].sort())
    const own = (object: KubernetesObject) =>
      objects.find((one) => one.kind === object.kind && one.metadata?.name === object.metadata?.name)!
    for (const object of expected) expect(withoutLabels(own(object))).toEqual(object)
    expect(find(objects, 'Deployment').spec).toMatchObject({ replicas: 2 })
    expect(find(objects, 'ClusterRole').rules).toEqual([...rules['cluster']!, ...named(...rules['policyCluster']!)])
    expect(find(objects, 'Role').rules).toEqual(named(...rules['namespace']!, ...rules['policy']!))
  })

  it('renders the beta of the policy where the API server has only that', () => {
    const objects = render('--api-versions', 'admissionregistration.k8s.io/v1beta1/MutatingAdmissionPolicy')
    expect(find(objects, 'MutatingAdmissionPolicyBinding').apiVersion).toBe('admissionregistration.k8s.io/v1beta1')
  })

  it('renders the webhook where it has not', () => {
    const objects = render()
    expect(kindsOf(objects)).toEqual([...common, 'MutatingWebhookConfiguration', 'Secret', 'Service'].sort())
    expect(withoutLabels(find(objects, 'MutatingWebhookConfiguration'))).toEqual(webhookObjects(here)[0])
    expect(find(objects, 'ClusterRole').rules).toEqual([
      ...rules['cluster']!,
      ...rules['webhookCluster']!.map((rule) => ({ ...rule, resourceNames: ['rollcall-pacer'] })),
    ])
    expect(find(objects, 'Role').rules).toEqual(named(...rules['namespace']!, ...rules['webhook']!))
  })

  it('renders the webhook for evictions beside the policy', () => {
    const objects = render(...hasPolicies, '--set', 'evictions.enabled=true,evictions.timeout=90s')
    expect(kindsOf(objects)).toEqual(
      [...common, ...policyObjects(here).map(({ kind }) => kind), 'Secret', 'Service', 'ValidatingWebhookConfiguration'].sort(),
    )
    expect(withoutLabels(find(objects, 'ValidatingWebhookConfiguration'))).toEqual(evictionObjects(here)[0])
    expect(find(objects, 'ClusterRole').rules).toEqual([
      ...rules['cluster']!,
      ...rules['evictions']!,
      ...named(...rules['evictionsOwn']!, ...rules['policyCluster']!),
    ])
    expect(find(objects, 'Role').rules).toEqual(named(...rules['namespace']!, ...rules['policy']!, ...rules['webhook']!))
    expect(JSON.stringify(find(objects, 'Deployment').spec)).toContain(
      '"--evictions","--eviction-timeout=90s","--webhook-address=0.0.0.0:9443"',
    )
  })

  it('renders a webhook outside the cluster', () => {
    const objects = render('--set', 'admission.mode=webhook,admission.webhookUrl=https://10.0.0.7:9443')
    expect(find(objects, 'MutatingWebhookConfiguration').webhooks).toEqual(
      (webhookObjects(here, 'https://10.0.0.7:9443')[0] as Rendered).webhooks,
    )
    expect(JSON.stringify(find(objects, 'Deployment').spec)).toContain('"--webhook-hosts=10.0.0.7"')
  })

  it('renders a Job for the uninstallation, after everything else is deleted', () => {
    const hooks = render().filter(isHook)
    expect(hooks.map(({ kind }) => kind).sort()).toEqual(['ClusterRole', 'ClusterRoleBinding', 'Job', 'ServiceAccount'])
    expect(new Set(hooks.map(({ metadata }) => metadata?.annotations?.['helm.sh/hook']))).toEqual(new Set(['post-delete']))
    expect(hooks.find(({ kind }) => kind === 'ClusterRole')?.rules).toEqual(rules['uninstall'])
    expect(render('--set', 'uninstall.release=false').filter(isHook)).toEqual([])
  })

  it('renders without admission, and every optional part', () => {
    const values = 'admission.mode=none,serviceMonitor.enabled=true,dryRun=true,podDisruptionBudget.enabled=false'
    const objects = render('--set', values)
    expect(kindsOf(objects)).toEqual([...common.filter((kind) => kind !== 'PodDisruptionBudget'), 'Service', 'ServiceMonitor'].sort())
    expect(find(objects, 'Role').rules).toEqual(named(...rules['namespace']!))
  })

  it.each([['replicas=two'], ['admission.mode=magic'], ['admission.webhookUrl=http://a'], ['uninstall.quiet=soon'], ['unknown=1']])(
    'refuses %s',
    (value) => {
      expect(run('template', 'rollcall', chart, '--set', value).stderr).toContain("values don't meet the specifications of the schema")
    },
  )
})
