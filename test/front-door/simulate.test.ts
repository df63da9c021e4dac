// `rollcall simulate` as a person or a pipeline calls it: what it prints, what it writes, and how it ends.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SimulationResult } from '../../src/simulate/rollout/result.ts'
import type { Trace } from '../../src/simulate/rollout/trace.ts'
import { createSimulateFolder, manifest, type SimulateFolder, simulateFiles } from './simulate-folder.ts'

const examples = fileURLToPath(new URL('../../examples/simulate', import.meta.url))
const web = join(examples, 'web.yaml')

let folder: SimulateFolder
beforeAll(() => {
  folder = createSimulateFolder()
})
afterAll(() => folder?.remove())
const run: SimulateFolder['run'] = (...args) => folder.run(...args)

describe('rollcall simulate', { timeout: 60_000 }, () => {
  const rollout = ['-f', web, '--to', 'image=example/web:2', '--startup', '20s+-5s', '--stop', '45s±15s', '--nodes', '5x4cpu16Gi']

  it('prints a table, a chart and what it would choose, within 80 columns', async () => {
    const { code, stdout, stderr } = await run(rollout)
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/^peak pods +20 +13$/m)
    expect(stdout).toMatch(/^over the cap of 13 +7 +0$/m)
    expect(stdout).toContain('░░░')
    expect(stdout).toMatch(/^Choose the pacer: /m)
    const [text = '', commands] = stdout.split('\n\n# ')
    expect(commands).toContain('\nkubectl annotate deployment web ')
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80)
    expect(stdout).not.toContain('\u001b')
  })

  it('has a column for the pacer, with the pods that wait and the deadline that it needs', async () => {
    const { code, stdout } = await run([...rollout, '--policies', 'None,Pacer', '--report', 'paced.html'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^peak pods +20 +13$/m)
    expect(stdout).toMatch(/^over the cap of 13 +7 +0$/m)
    expect(stdout).toMatch(/^waiting for the pacer +- +5$/m)
    expect(stdout).toMatch(/^deadline to exceed +- +[0-9ms. ]+$/m)
    expect(stdout).toMatch(/^Choose the pacer: it spares you 7 pods over the cap of 13/m)
    const html = readFileSync(join(folder.path, 'paced.html'), 'utf8')
    expect(html).toContain('data-measure="peakWaiting" data-value="5"')
    expect(html).toContain('data-measure="neededDeadlineMs"')
  })

  it('prints ASCII only where the locale requires it', async () => {
    const { stdout } = await run(rollout, '', { LC_ALL: 'C' })
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what ASCII is.
    expect(stdout).toMatch(/^[\x00-\x7f]*$/)
    expect(stdout).toContain('////')
  })

  it('gives the same result for the same seed with any number of threads, and another one for another seed', async () => {
    const results = await Promise.all([
      run([...rollout, '-o', 'json', '--workers', '0']),
      run([...rollout, '-o', 'json', '--workers', '2']),
      run([...rollout, '-o', 'json', '--workers', '0', '--seed', '2']),
    ])
    const [alone, threaded, other] = results.map(({ stdout }) => (JSON.parse(stdout) as SimulationResult).outcomes)
    expect(threaded).toEqual(alone)
    expect(other).not.toEqual(alone)
  })

  it('gives the same result for the first seed, whatever the number of runs and the other flags', async () => {
    // More than 30 pods: their time is on a grid.
    writeFileSync(join(folder.path, 'forty.yaml'), manifest({ replicas: 40 }))
    const args = ['forty.yaml', '--to', 'image=example/web:2', '-o', 'json']
    const firstOf = async (...more: string[]) => {
      const { outcomes } = JSON.parse((await run([...args, ...more])).stdout) as SimulationResult
      return outcomes.map(({ policy, measures, series, marks }) => ({ policy, measures, series, marks }))
    }
    const alone = await firstOf('--policies', 'none')
    expect(await firstOf('--policies', 'none', '--runs', '10')).toEqual(alone)
    expect(await firstOf('--policies', 'none', '--trace', join(folder.path, 'forty.json'), '--expect', 'peakPods <= 1')).toEqual(alone)
    const [none] = await firstOf()
    const { podSeconds: _, nodeMinutes: __, ...measures } = none!.measures
    expect(alone[0]!.measures).toMatchObject(measures)
  })

  it('simulates every policy, also those with equal outcomes', async () => {
    const policies = ['None', 'TerminationStarted', 'TerminationComplete']
    await run(['web.yaml', '--to', 'image=example/web:2', '--policies', policies.join(','), '--trace', join(folder.path, 'each.json')])
    const simulated = policies.map((name) => {
      const { policy, changes } = JSON.parse(readFileSync(join(folder.path, `each.${name}.json`), 'utf8')) as Trace
      return [policy, Math.max(...changes.map((change) => ('workload' in change ? change.workload.generation : 0)))]
    })
    // The policy is in the manifest from the beginning, and the image is one change of the spec.
    expect(simulated).toEqual(policies.map((name) => [name, 2]))
  })

  it('reads stdin, directories, lists and JSON', async () => {
    const text = readFileSync(web, 'utf8')
    const list = `apiVersion: v1\nkind: List\nitems:\n  - ${text.trim().replaceAll('\n', '\n    ')}\n`
    writeFileSync(join(folder.path, 'nothing-in-it', 'list.yaml'), list)
    const ended = await Promise.all([
      run(['-f', '-', '-o', 'json', '--policies', 'none'], text),
      run(['-f', 'nothing-in-it', '-o', 'json', '--policies', 'none']),
    ])
    rmSync(join(folder.path, 'nothing-in-it', 'list.yaml'))
    const [stdin, directory] = ended.map(({ stdout }) => (JSON.parse(stdout) as SimulationResult).outcomes[0]!.measures)
    expect(stdin?.peakPods).toBe(10)
    expect(directory).toEqual(stdin)
  })

  it('writes JSON, JUnit, a report and traces', async () => {
    const policies = [
      '--policies',
      'none,TerminationComplete',
      '--expect',
      'peakPods <= 13',
      '--expect',
      'TerminationComplete: peakOverCap == 0',
    ]
    const outputs = ['--json', 'out.json', '--junit', 'out.xml', '--report', 'out.html', '--trace', 'out.trace.json']
    const { code, stderr } = await run([...rollout, ...policies, ...outputs])
    expect([code, stderr.split('\n')]).toEqual([
      1,
      [
        'Wrote out.json: the result as JSON.',
        'Wrote out.xml: the expectations as JUnit XML.',
        'Wrote out.html: the report, for a browser.',
        'Wrote out.trace.None.json: the trace under policy None.',
        'Wrote out.trace.TerminationComplete.json: the trace under policy TerminationComplete.',
        'error: not as expected under None: peakPods <= 13: it is 20.',
        '',
      ],
    ])
    const read = (name: string) => readFileSync(join(folder.path, name), 'utf8')
    const result = JSON.parse(read('out.json')) as SimulationResult
    expect(result.outcomes.map(({ policy, failures }) => [policy, failures.length])).toEqual([
      ['None', 1],
      ['TerminationComplete', 0],
    ])
    expect(result.command).toContain('rollcall simulate -f')
    const xml = read('out.xml')
    expect(xml).toContain('tests="5" failures="1"')
    expect(xml).toContain('<failure message="peakPods &lt;= 13: it is 20"')
    expect(xml.match(/<testcase /g)).toHaveLength(5)
    expect(read('out.html')).toContain('<!doctype html>')
    expect(JSON.parse(read('out.trace.TerminationComplete.json'))).toMatchObject({
      format: 'rollcall.trace/1',
      policy: 'TerminationComplete',
    })
  })

  it('gives percentiles over several runs', async () => {
    const { code, stdout } = await run([
      '-f',
      'web.yaml',
      '--to',
      'image=example/web:2',
      '--runs',
      '5',
      '--policies',
      'TerminationComplete',
    ])
    expect(code).toBe(0)
    expect(stdout).toContain('5 runs, seeds 1 to 5')
    expect(stdout).toMatch(/^ {2}worst +\S+/m)
    expect(stdout).not.toContain('of runs within')
    expect(stdout).toContain('The table has the medians of all runs; the chart is that of seed 1.')
  })

  it('reports in every format why a rollout never completes, and fails', async () => {
    const outputs = ['--json', 'stuck.json', '--report', 'stuck.html', '--junit', 'stuck.xml']
    const { code, stdout, stderr } = await run(['-f', 'web.yaml', '--to', 'image=hot:missing', '--within', '30m', ...outputs])
    expect(code).toBe(1)
    expect(stdout).toMatch(/^until complete +never +never$/m)
    expect(stdout).toMatch(/^deadlines passed +1 /m)
    expect(stdout).toContain('- 2 pods: ImagePullBackOff: container web: Back-off pulling image "hot:missing"')
    expect(stdout).toContain('It does not complete within 30m 00s under any of the policies.')
    expect(stderr).toContain('not as expected under None: completes: Deployment default/web has 3 of 4 replicas available')
    const { outcomes } = JSON.parse(readFileSync(join(folder.path, 'stuck.json'), 'utf8')) as SimulationResult
    for (const { stuck } of outcomes) expect(stuck?.join(' ')).toContain('ImagePullBackOff')
    const junit = readFileSync(join(folder.path, 'stuck.xml'), 'utf8')
    expect(junit).toContain('tests="2" failures="2"')
    expect(junit).toContain('ImagePullBackOff')
    const report = readFileSync(join(folder.path, 'stuck.html'), 'utf8')
    expect(report.match(/<div class="failed stuck">[\s\S]*?ImagePullBackOff/g)).toHaveLength(2)
    expect(report.match(/<span class="badge over">does not complete/g)).toHaveLength(2)
    expect(report).not.toContain('<span class="badge within">')
    expect(report).not.toContain('<td class="best"')
  })

  it('succeeds when a rollout is expected not to complete', async () => {
    const { code } = await run(['web.yaml', '--to', 'image=hot:missing', '--policies', 'none', '--expect', 'completes == false'])
    expect(code).toBe(0)
  })

  const podOf = (spec: string) => simulateFiles['web.yaml']!.replace('      containers:', `${spec}\n      containers:`)

  it.each([
    [
      'a nodeSelector',
      '      nodeSelector: { disk: ssd }',
      /4 pods: Unschedulable: 0\/3 nodes are available: 3 node\(s\) didn't match/,
      'match',
    ],
    [
      'a missing claim',
      '      volumes: [{ name: d, persistentVolumeClaim: { claimName: nosuch } }]',
      /persistentvolumeclaim "nosuch" not found/,
      'match',
    ],
    ['too little room', '', /Insufficient cpu/, 'room'],
  ])('reports what pods wait for: %s', async (_, spec, reason, waits) => {
    const args = ['--nodes', '3x4cpu16Gi', '--policies', 'none', '-o', 'json']
    const manifest = podOf(spec).replace('cpu: "100m"', waits === 'room' ? 'cpu: "64"' : 'cpu: "100m"')
    const { code, stdout } = await run(['-f', '-', ...args], manifest)
    expect(code).toBe(1)
    const [outcome] = (JSON.parse(stdout) as SimulationResult).outcomes
    expect(outcome!.stuck?.join('\n').replaceAll(/\s+/g, ' ')).toMatch(reason)
    expect([outcome!.measures.waitedForRoom, outcome!.measures.matchedNoNode]).toEqual(waits === 'room' ? [4, 0] : [0, 4])
    expect(outcome!.measures.lowestAvailability).toBeUndefined()
  })

  it('names Jobs in its output, and fails when one fails', async () => {
    const job = (exit: number) => `apiVersion: batch/v1
kind: Job
metadata: { name: load }
spec:
  parallelism: 3
  completions: 3
  backoffLimit: 0
  template: { spec: { restartPolicy: Never, containers: [{ name: c, image: busybox, command: [sh, -c, "sleep 5; exit ${exit}"] }] } }
`
    const good = await run(['-'], job(0))
    expect(good.code).toBe(0)
    expect(good.stdout).toMatch(/^over parallelism of 3 +0$/m)
    expect(good.stdout).not.toMatch(/availab|maxSurge|no policy|ready/)
    const bad = await run(['-'], job(1))
    expect(bad.code).toBe(1)
    expect(bad.stdout).toMatch(/^- Job default\/load failed: BackoffLimitExceeded/m)
  })

  it('shows no data of Secrets, and what it was made from', async () => {
    const secrets = `apiVersion: v1
kind: Secret
metadata:
  name: db
  annotations: { kubectl.kubernetes.io/last-applied-configuration: '{"data":{"password":"aHVudGVyMg=="}}' }
data: { password: aHVudGVyMg== }
stringData:
  key: |
    hunter2
    hunter2
---
apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
metadata: { name: front }
---
`
    const manifest =
      secrets +
      podOf('').replace(
        '          image:',
        '          env: [{ name: DB_PASSWORD, value: hunter2 }, { name: MODE, value: quick }]\n          image:',
      )
    const outputs = ['--json', 'secret.json', '--report', 'secret.html']
    const { code } = await run(['-', '--to', 'image=example/web:2', '--policies', 'none,TerminationComplete', ...outputs], manifest)
    expect(code).toBe(0)
    for (const name of ['secret.json', 'secret.html']) {
      const text = readFileSync(join(folder.path, name), 'utf8')
      expect(text).not.toMatch(/hunter2|aHVudGVyMg/)
      for (const part of ['quick', 'ServiceMonitor/front', 'room for all', 'web=example/web:2', 'Choose ', '<redacted>'])
        expect(text.replaceAll('&lt;', '<').replaceAll('&gt;', '>'), `${part} in ${name}`).toContain(part)
    }
    const result = JSON.parse(readFileSync(join(folder.path, 'secret.json'), 'utf8')) as SimulationResult
    expect(result).toMatchObject({
      change: ['web=example/web:2'],
      ignored: ['ServiceMonitor/front'],
      version: expect.stringMatching(/^\d/),
    })
    expect(result.createdAt).toMatch(/^\d{4}-\d\d-\d\dT/)
    expect(readFileSync(join(folder.path, 'secret.html'), 'utf8')).toContain(
      `Made by Rollcall ${result.version} on ${result.createdAt!.slice(0, 10)}`,
    )
  })

  it('reads the output of kubectl get -o yaml: a live Deployment and its related objects', async () => {
    const live = (kind: string, name: string, more: string, owner = '') => `- apiVersion: apps/v1
  kind: ${kind}
  metadata:
    annotations: { deployment.kubernetes.io/revision: "4" }
    creationTimestamp: "2026-01-01T00:00:00Z"
    generation: 7
    managedFields: [{ manager: kubectl, operation: Update, apiVersion: apps/v1, fieldsType: FieldsV1, fieldsV1: { "f:spec": {} } }]
    name: ${name}
    namespace: shop
    resourceVersion: "12345"
    uid: 6b1f7a3e-0000-4000-8000-000000000001${owner}
  spec:
    replicas: 3
    selector: { matchLabels: { app: web } }
    template:
      metadata: { labels: { app: web } }
      spec:
        serviceAccountName: web
        priorityClassName: important
        containers:
          - name: web
            image: example/web:1
            envFrom: [{ configMapRef: { name: settings } }]
            env: [{ name: PASSWORD, valueFrom: { secretKeyRef: { name: db, key: password } } }]
            volumeMounts: [{ name: tls, mountPath: /tls }]
        volumes: [{ name: tls, secret: { secretName: tls, items: [{ key: tls.crt, path: tls.crt }] } }, { name: more, configMap: { name: maybe, optional: true } }]
  ${more}
`
    const owner = `
    ownerReferences: [{ apiVersion: apps/v1, kind: Deployment, name: web, uid: 6b1f7a3e-0000-4000-8000-000000000001, controller: true }]`
    const status = 'status: { replicas: 3, readyReplicas: 3, availableReplicas: 3, observedGeneration: 7 }'
    const list = `apiVersion: v1\nkind: List\nitems:\n${live('Deployment', 'web', status)}${live('ReplicaSet', 'web-7d5c', status, owner)}`
    const { code, stdout, stderr } = await run(['-f', '-', '--to', 'image=example/web:2', '--policies', 'none'], list)
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/^Deployment shop\/web: /)
    const printed = stdout.replaceAll(/\s+/g, ' ')
    expect(printed).toContain('ServiceAccount web, PriorityClass important, Secret tls, ConfigMap settings, Secret db exist')
    expect(printed).toContain('Left out: ReplicaSet/web-7d5c')
  })

  it.each(['--json', '--report', '--junit', '--trace'])('does not overwrite with %s what it has not written', async (flag) => {
    const { code, stderr } = await run(['web.yaml', flag, 'never.yaml'])
    expect([code, stderr]).toEqual([2, expect.stringContaining('Cannot write never.yaml: Rollcall did not write the existing file')])
    expect(readFileSync(join(folder.path, 'never.yaml'), 'utf8')).toBe(simulateFiles['never.yaml'])
    const again = ['web.yaml', '--policies', 'none', flag, `again${flag}`]
    expect([(await run(again)).code, (await run(again)).code]).toEqual([0, 0])
  })

  it('writes nothing but the trace where the trace is the standard output', async () => {
    const { code, stdout, stderr } = await run(['web.yaml', '--policies', 'none', '--trace', '-'])
    expect([code, stderr]).toEqual([0, ''])
    expect(JSON.parse(stdout)).toMatchObject({ format: 'rollcall.trace/1' })
  })

  it('succeeds when a scenario is expected not to complete', async () => {
    expect((await run(['expected-never.yaml', '--policies', 'none'])).code).toBe(0)
  })

  it('plays faults', async () => {
    const faults = [
      '--fault',
      'node-1:down@30s..10m',
      '--fault',
      'web:evict=2@10s',
      '--fault',
      'web:crash@20s',
      '--fault',
      'node-2:drain@20s..5m',
    ]
    const { code, stdout } = await run(['-f', 'web.yaml', '--nodes', '3x4cpu16Gi', '--policies', 'none', ...faults, '-o', 'json'])
    expect(code).toBe(0)
    const { marks, measures } = (JSON.parse(stdout) as SimulationResult).outcomes[0]!
    expect(marks.filter(({ type }) => type === 'fault').map(({ text }) => text)).toEqual([
      'evict 2 of Deployment/web',
      'crash 1 of Deployment/web',
      'drain node-2',
      'node-1 down',
      'uncordon node-2',
      'node-1 up',
    ])
    expect(measures.lowestAvailability).toBeLessThan(1)
  })
})
