// `rollcall simulate` with other inputs than plain manifests: the output of the real kubectl, Helm and Kustomize, and a running cluster.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SimulationResult } from '../../src/simulate/rollout/result.ts'
import { command, kubectlMinor, type RunningCluster, startCluster } from './running-cluster.ts'

const helm = process.env['ROLLCALL_HELM'] ?? 'helm'
const hasHelm = spawnSync(helm, ['version']).status === 0
const folder = mkdtempSync(join(tmpdir(), 'rollcall-inputs-'))
let cluster: RunningCluster

const container = `{ name: web, image: 'example/web:1', resources: { requests: { cpu: 500m } }, envFrom: [{ configMapRef: { name: web } }, { secretRef: { name: web } }] }`
const deployment = (name: string, more = '') => `apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name} }
spec:
  ${more}
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name} } }
    spec: { serviceAccountName: robot, containers: [${container}] }
`
const objects = `apiVersion: v1
kind: ServiceAccount
metadata: { name: robot }
---
apiVersion: v1
kind: ConfigMap
metadata: { name: web }
data: { a: b }
---
apiVersion: v1
kind: Secret
metadata: { name: web }
stringData: { password: hidden-value }
---
apiVersion: v1
kind: ResourceQuota
metadata: { name: room }
spec: { hard: { pods: '12' } }
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: { name: web }
spec: { minAvailable: 2, selector: { matchLabels: { app: web } } }
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: { name: web }
spec: { scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: web }, minReplicas: 4, maxReplicas: 6 }
---
${deployment('other', 'replicas: 5')}---
${deployment('web', 'replicas: 4')}`

const files: Readonly<Record<string, string>> = {
  'chart/Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n',
  'chart/values.yaml': 'replicas: 3\n',
  'chart/templates/web.yaml': deployment('{{ .Release.Name }}', 'replicas: {{ .Values.replicas }}'),
  'chart/templates/hook.yaml': `apiVersion: batch/v1
kind: Job
metadata: { name: migrate, annotations: { helm.sh/hook: pre-upgrade } }
spec: { template: { spec: { restartPolicy: Never, containers: [{ name: a, image: a }] } } }
`,
  'chart/templates/widget.yaml': 'apiVersion: example.com/v1\nkind: Widget\nmetadata: { name: one }\n',
  'base/web.yaml': deployment('web', 'replicas: 2'),
  'base/kustomization.yaml': 'resources: [web.yaml]\n',
  'overlay/kustomization.yaml': 'resources: [../base]\nnamePrefix: blue-\nreplicas: [{ name: web, count: 5 }]\n',
}

function run(program: string, args: readonly string[], input = ''): string {
  const { stdout, stderr, status } = spawnSync(program, args, {
    input,
    encoding: 'utf8',
    cwd: folder,
    env: {
      ...process.env,
      KUBECONFIG: cluster.kubeconfig,
      KUBECACHEDIR: join(folder, 'cache'),
      HELM_CACHE_HOME: folder,
      HELM_CONFIG_HOME: folder,
      HELM_DATA_HOME: folder,
    },
  })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr}`)
  return stdout
}

const simulate = (args: readonly string[], input?: string) =>
  JSON.parse(
    run(process.execPath, [command, 'simulate', '--policies', 'None', '--startup', '5s', '--stop', '5s', '-o', 'json', ...args], input),
  ) as SimulationResult

describe.skipIf(kubectlMinor() === undefined)('rollcall simulate', { timeout: 60_000 }, () => {
  beforeAll(async () => {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      writeFileSync(join(folder, name), text)
    }
    cluster = await startCluster(['--memory', '--nodes', '3'])
    run('kubectl', ['apply', '-f', '-'], objects)
    run('kubectl', ['rollout', 'status', 'deployment/web', '--timeout', '60s'])
    run('kubectl', ['rollout', 'status', 'deployment/other', '--timeout', '60s'])
  }, 120_000)

  afterAll(async () => {
    await cluster.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  it('takes what kubectl get prints, and assumes what is not in it', () => {
    const yaml = run('kubectl', ['get', 'deployment', 'web', '-o', 'yaml'])
    const { outcomes, assumptions } = simulate(['-f', '-', '--to', 'image=example/web:2'], yaml)
    expect(outcomes[0]!.measures).toMatchObject({ cap: 5, completeAfterMs: expect.any(Number) })
    expect(assumptions).toContain('ServiceAccount robot, ConfigMap web, Secret web exist')
  })

  it.skipIf(!hasHelm)('takes a chart that Helm renders, without its hooks and custom resources', () => {
    const yaml = run(helm, ['template', 'shop', 'chart', '--set', 'replicas=6'])
    const { title, outcomes, ignored } = simulate(['-f', '-', '--to', 'image=example/web:2'], yaml)
    expect(title).toBe('Deployment default/shop')
    expect(outcomes[0]!.measures).toMatchObject({ cap: 8, completeAfterMs: expect.any(Number) })
    expect(ignored).toEqual(expect.arrayContaining(['Job/migrate (a Helm hook)', 'Widget/one']))
  })

  it('takes what Kustomize builds', () => {
    const yaml = run('kubectl', ['kustomize', 'overlay'])
    const { title, outcomes } = simulate(['-f', '-', '--to', 'image=example/web:2'], yaml)
    expect(title).toBe('Deployment default/blue-web')
    expect(outcomes[0]!.measures).toMatchObject({ cap: 7, completeAfterMs: expect.any(Number) })
  })

  it('says how to render a chart or a kustomization that it is given as a directory', () => {
    expect(() => simulate(['-f', 'chart'])).toThrow('Run helm template NAME chart | rollcall simulate -f -.')
    expect(() => simulate(['-f', 'overlay'])).toThrow('Run kubectl kustomize overlay | rollcall simulate -f -.')
  })

  it('reads a workload of a cluster with all that its rollout depends on', () => {
    const {
      outcomes,
      assumptions = [],
      sources,
      ignored,
    } = simulate(['--from-cluster', '-f', 'deployment/web', '--to', 'image=example/web:2'])
    expect(outcomes[0]!.measures).toMatchObject({ cap: 5, completeAfterMs: expect.any(Number), peakNodes: 3 })
    expect(sources.map(({ name }) => name)).toEqual([
      'serviceaccount/robot',
      'configmap/web',
      'secret/web',
      'poddisruptionbudget/web',
      'horizontalpodautoscaler/web',
      'resourcequota/room',
      'deployment/web',
    ])
    expect(JSON.stringify(sources)).not.toContain(Buffer.from('hidden-value').toString('base64'))
    // Twelve, less the five pods of the other Deployment.
    expect(sources.find(({ name }) => name === 'resourcequota/room')?.text).toContain('"pods": "7"')
    expect(assumptions).toContain('3 nodes of the cluster, less what 5 other pods on them request')
    expect(assumptions[0]).toMatch(/^the cluster is as it was at 20\d\d-/)
    expect(ignored).toEqual(['HorizontalPodAutoscaler/web (the size stays as it is: --load)'])
    expect(assumptions[1]).toMatch(/^pods take as long to start as \d+ pods of the cluster did \(--startup\)$/)
    // Nothing else had to be assumed.
    expect(assumptions).toHaveLength(3)
  })

  it('keeps the pods of other workloads that affinity depends on', () => {
    const beside = (app: string) => ({ topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app } } })
    const deployment = (name: string, affinity: object = {}) => ({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name },
      spec: {
        replicas: 1,
        selector: { matchLabels: { app: name } },
        template: { metadata: { labels: { app: name } }, spec: { affinity, containers: [{ name: 'c', image: 'c:1' }] } },
      },
    })
    const near = { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [beside('anchor')] } }
    run('kubectl', ['create', 'namespace', 'beside'])
    run('kubectl', ['-n', 'beside', 'apply', '-f', '-'], JSON.stringify(deployment('anchor')))
    run('kubectl', ['-n', 'beside', 'rollout', 'status', 'deployment/anchor'])
    run('kubectl', ['-n', 'beside', 'apply', '-f', '-'], JSON.stringify(deployment('near', near)))
    const args = ['--from-cluster', '-n', 'beside', '-f', 'deployment/near', '--to', 'image=c:2', '--policies', 'TerminationComplete']
    for (const nodes of [[], ['--nodes', '2x4cpu16Gi']]) {
      const { title, outcomes, assumptions } = simulate([...args, ...nodes])
      expect(title).toBe('Deployment beside/near')
      expect(outcomes[0]!.measures).toMatchObject({ peakPods: 2, completeAfterMs: expect.any(Number) })
      expect(assumptions).toContainEqual(expect.stringMatching(/^1 pod of another workload is there too, for affinity/))
    }
    run('kubectl', ['delete', 'namespace', 'beside', '--wait=false'])
  })

  it('continues a rollout that is in progress', () => {
    run('kubectl', [
      'patch',
      'deployment',
      'web',
      '--patch',
      '{"spec":{"template":{"metadata":{"annotations":{"rollcall.dev/ready-delay":"10m"}}}}}',
    ])
    run('kubectl', ['wait', 'deployment/web', '--for=jsonpath={.status.updatedReplicas}=2', '--timeout=30s'])
    const { change, outcomes, assumptions = [], sources } = simulate(['--from-cluster', '-f', 'deployment/web'])
    expect(change).toEqual(['the rollout of web goes on'])
    expect(sources.filter(({ name }) => name.startsWith('replicaset/'))).toHaveLength(2)
    expect(assumptions.join('\n')).toMatch(/the rollout of web is under way, .*: web-\w+ has \d, web-\w+ has \d/)
    expect(outcomes[0]!.series.layers.filter(({ state, values }) => state === 'ready' && values[0]! > 0)).toHaveLength(2)
    expect(outcomes[0]!.measures.completeAfterMs).toBeGreaterThan(0)
  })
})
