// PodSecurity on a real kube-apiserver and on Rollcall: the same pods, levels and versions, the same answers.
import { writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { podCases, podOf, versions } from '../../src/server/admission/pod-security/testing/pods.ts'
import { type Answer, type ApiServer, startReal, startRollcall } from '../differential/servers.ts'
import { missing } from './real-control-plane.ts'
import { until } from './running-command.ts'

/** Where to write what the real server said; the unit tests read it. */
const recording = process.env['ROLLCALL_RECORD_POD_SECURITY']

describe.skipIf(missing)('PodSecurity, compared with kube-apiserver', () => {
  let servers: readonly ApiServer[] = []
  /** By level and pod: what is said from a version on, until another is said. */
  const recorded: Record<string, Record<string, [version: string, text: string][]>> = {}
  beforeAll(async () => {
    servers = [await startReal(), await startRollcall('test')]
  })
  afterAll(async () => {
    await Promise.all(servers.map((one) => one.stop()))
    if (recording !== undefined) writeFileSync(recording, `${JSON.stringify(recorded, null, 2)}\n`)
  })

  const askBoth = (method: string, path: string, body?: unknown, contentType?: string) =>
    Promise.all(servers.map(async (one) => brief(await one.ask(method, path, body, contentType))))
  const label = (name: string, labels: Readonly<Record<string, string>>) =>
    askBoth('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } })
  const dryRun = (namespace: string, pod: object) => askBoth('POST', `/api/v1/namespaces/${namespace}/pods?dryRun=All`, pod)

  it.each(['baseline', 'restricted'])('warns about the same pods in every version of %s', { timeout: 600_000 }, async (level) => {
    const ofLevel: Record<string, [version: string, text: string][]> = {}
    recorded[level] = ofLevel
    for (const version of versions) {
      const namespace = `${level}-${version.replace('.', '-')}`
      await label(namespace, { 'pod-security.kubernetes.io/warn': level, 'pod-security.kubernetes.io/warn-version': version })
      const answers = await inTurns(podCases, (one) => dryRun(namespace, podOf(one)))
      for (const [at, [theirs, ours]] of answers.entries()) {
        const { name } = podCases[at]!
        expect({ name, version, ...ours }).toEqual({ name, version, ...theirs })
        if (theirs!.code !== 201) continue
        const warning = theirs!.warnings.find((one) => one.includes('PodSecurity')) ?? ''
        const text = warning.replace(/^.*?": /, '').replaceAll(/\\(.)/g, '$1')
        ofLevel[name] ??= []
        if (ofLevel[name].at(-1)?.[1] !== text) ofLevel[name].push([version, text])
      }
    }
  })

  it('refuses the same pods, and warns beside', { timeout: 600_000 }, async () => {
    const base = 'pod-security.kubernetes.io'
    const labelled = {
      enforced: { [`${base}/enforce`]: 'restricted' },
      'enforced-old': { [`${base}/enforce`]: 'restricted', [`${base}/enforce-version`]: 'v1.20', [`${base}/warn-version`]: 'v1.30' },
      both: { [`${base}/enforce`]: 'baseline', [`${base}/warn`]: 'restricted', [`${base}/audit`]: 'restricted' },
      relaxed: { [`${base}/enforce`]: 'restricted', [`${base}/warn`]: 'privileged' },
    }
    for (const [namespace, labels] of Object.entries(labelled)) {
      await label(namespace, labels)
      const answers = await inTurns(podCases, (one) => dryRun(namespace, podOf(one)))
      for (const [at, [theirs, ours]] of answers.entries())
        expect({ name: podCases[at]!.name, namespace, ...ours }).toEqual({ name: podCases[at]!.name, namespace, ...theirs })
    }
  })

  it('warns about the templates of workloads', async () => {
    await label('workloads', { 'pod-security.kubernetes.io/enforce': 'restricted' })
    const metadata = { labels: { app: 'a' } }
    const template = (restartPolicy: string) => ({ metadata, spec: { restartPolicy, containers: [{ name: 'main', image: 'a' }] } })
    const selector = { matchLabels: { app: 'a' } }
    const bodies: readonly (readonly [string, string, object])[] = [
      ['apps/v1', 'Deployment', { spec: { selector, template: template('Always') } }],
      ['apps/v1', 'ReplicaSet', { spec: { selector, template: template('Always') } }],
      ['apps/v1', 'StatefulSet', { spec: { selector, serviceName: 's', template: template('Always') } }],
      ['apps/v1', 'DaemonSet', { spec: { selector, template: template('Always') } }],
      ['batch/v1', 'Job', { spec: { template: template('Never') } }],
      ['batch/v1', 'CronJob', { spec: { schedule: '* * * * *', jobTemplate: { spec: { template: template('Never') } } } }],
      ['v1', 'ReplicationController', { spec: { selector: { app: 'a' }, template: template('Always') } }],
      ['v1', 'PodTemplate', { template: template('Always') }],
    ]
    for (const [apiVersion, kind, more] of bodies) {
      const path = `${apiVersion === 'v1' ? '/api/v1' : `/apis/${apiVersion}`}/namespaces/workloads/${kind.toLowerCase()}s`
      const body = { apiVersion, kind, metadata: { name: 'w' }, ...more }
      const [theirs, ours] = await askBoth('POST', path, body)
      expect({ kind, ...ours }).toEqual({ kind, ...theirs })
      expect(ours!.warnings.join()).toContain('would violate PodSecurity \\"restricted:latest\\"')
      const patched = await askBoth('PATCH', `${path}/w`, { metadata: { labels: { b: 'c' } } }, 'application/merge-patch+json')
      expect({ kind, ...patched[1] }).toEqual({ kind, ...patched[0] })
    }
  })

  it('judges the labels of a namespace, and warns about its pods', async () => {
    const base = 'pod-security.kubernetes.io'
    const bad = { [`${base}/enforce`]: 'x', [`${base}/enforce-version`]: 'v1', [`${base}/audit`]: '', [`${base}/warn-version`]: 'v1.01' }
    const tooLarge = { [`${base}/enforce-version`]: 'v1.99999999999999999999' }
    for (const labels of [bad, tooLarge]) {
      const [theirs, ours] = await label('judged', labels)
      expect(ours).toEqual(theirs)
    }
    await label('judged', {})
    for (const [at, one] of podCases.entries()) {
      const owned = at % 3 === 0 && { ownerReferences: [{ apiVersion: 'v1', kind: 'A', name: 'a', uid: 'u', controller: true }] }
      await askBoth('POST', '/api/v1/namespaces/judged/pods', podOf(one, { name: `p-${at}`, ...owned }))
    }
    // The API server judges the pods of its cache, which is behind. No other pod violates the same checks, so it is named.
    const container = { name: 'main', image: 'a', ports: [{ containerPort: 1, hostPort: 1 }], securityContext: { privileged: true } }
    const last = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'q-last' }, spec: { hostPID: true, containers: [container] } }
    await askBoth('POST', '/api/v1/namespaces/judged/pods', last)
    const change = { metadata: { labels: { [`${base}/enforce`]: 'baseline' } } }
    await until('the last pod is judged', async () => {
      const answers = await askBoth('PATCH', '/api/v1/namespaces/judged?dryRun=All', change, 'application/merge-patch+json')
      return answers.every(({ warnings }) => warnings.join().includes('q-last'))
    })
    const steps = [
      { [`${base}/enforce`]: 'restricted' },
      { [`${base}/enforce`]: 'baseline' },
      { [`${base}/enforce-version`]: 'v1.20' },
      { [`${base}/enforce`]: 'restricted', [`${base}/enforce-version`]: 'v1.20' },
      { [`${base}/enforce-version`]: 'latest' },
      { [`${base}/warn`]: 'restricted' },
      bad,
      tooLarge,
      { other: 'label' },
    ]
    for (const labels of steps) {
      const [theirs, ours] = await askBoth('PATCH', '/api/v1/namespaces/judged', { metadata: { labels } }, 'application/merge-patch+json')
      expect(ours).toEqual(theirs)
    }
  })

  it('checks an update of a pod where an image changes', async () => {
    await label('updated', {})
    await askBoth('POST', '/api/v1/namespaces/updated/pods', podOf(podCases[1]!))
    const enforce = { metadata: { labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } } }
    await askBoth('PATCH', '/api/v1/namespaces/updated', enforce, 'application/merge-patch+json')
    const path = '/api/v1/namespaces/updated/pods/p'
    const ephemeral = { spec: { ephemeralContainers: [{ name: 'e', image: 'b' }] } }
    const changes = [
      [path, { metadata: { labels: { a: 'b' } } }],
      [path, { spec: { containers: [{ name: 'main', image: 'other' }] } }],
      [`${path}/status`, { status: { message: 'm' } }],
      [`${path}/ephemeralcontainers`, ephemeral],
      [`${path}/resize`, { spec: { containers: [{ name: 'main', resources: { requests: { cpu: '1' } } }] } }],
    ] as const
    for (const [target, change] of changes) {
      const [theirs, ours] = await askBoth('PATCH', target, change, 'application/strategic-merge-patch+json')
      expect({ target, ...ours }).toEqual({ target, ...theirs })
    }
  })
})

const brief = ({ code, body, warnings }: Answer) => ({
  code,
  message: body['message'],
  details: body['details'],
  reason: body['reason'],
  warnings,
})

async function inTurns<T, R>(items: readonly T[], run: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (let i = 0; i < items.length; i += 16) results.push(...(await Promise.all(items.slice(i, i + 16).map(run))))
  return results
}
