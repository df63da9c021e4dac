// Valid but extreme objects, scripts and Stages against a running server, which answers all the time and starts again on what it stored.
// A failure prints the seed. ROLLCALL_EXTREME_OBJECTS=100000 ROLLCALL_EXTREME_SCRIPTS=1000 is the full size, ROLLCALL_SEED=… another run.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { type Random, seededPart, seededRandom } from '../../src/base/random.ts'
import { type ExtremeObject, extremeObject, extremePod } from './extreme-objects.ts'
import { extremeScript, oneOf, scale, whole } from './extreme-scripts.ts'
import { kubectlFor, kubectlMinor, type RunningCluster, startCluster } from './running-cluster.ts'

const objectCount = Number(process.env['ROLLCALL_EXTREME_OBJECTS'] ?? 150)
const scriptCount = Number(process.env['ROLLCALL_EXTREME_SCRIPTS'] ?? 30)
const seed = Number(process.env['ROLLCALL_SEED'] ?? '1')
const isFull = objectCount > 10_000
/** So many objects and scripts are there at a time; the oldest are deleted. */
const maxObjects = 100
const maxScripts = 50
const writers = 8
const maxAnswerSeconds = 2

const folders: string[] = []
const clusters: RunningCluster[] = []
afterEach(async () => {
  await Promise.all(clusters.splice(0).map((cluster) => cluster.end('SIGKILL')))
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-extreme-'))
  folders.push(folder)
  return folder
}

async function open(folder: string, flags: readonly string[]): Promise<RunningCluster> {
  const cluster = await startCluster(flags, folder)
  clusters.push(cluster)
  return cluster
}

/**
 * The CPU time of the server's main thread so far: while it computes, no request is answered. Other processes on a busy machine do not count.
 * Where the system does not report it, wall-clock time is used.
 */
function computedSeconds({ process: { pid } }: RunningCluster): number {
  try {
    const stat = readFileSync(`/proc/${pid}/task/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) / 100
  } catch {
    return performance.now() / 1000
  }
}

/** Asks all the time, and notes how much the server computed before the slowest answer. */
function watchAnswers(cluster: RunningCluster) {
  let isOver = false
  let slowest = 0
  let count = 0
  let failure: string | undefined
  const done = (async () => {
    while (!isOver) {
      const before = computedSeconds(cluster)
      try {
        const { code } = await cluster.ask('GET', '/api/v1/namespaces/default')
        if (code !== 200) failure ??= `GET: ${code}`
      } catch (error) {
        failure ??= (error as Error).message
        return
      }
      slowest = Math.max(slowest, computedSeconds(cluster) - before)
      count++
      await pause(5)
    }
  })()
  return {
    async stop() {
      isOver = true
      await done
      return { slowest, count, failure }
    },
  }
}

async function checkAnswers(watch: ReturnType<typeof watchAnswers>, what: string): Promise<void> {
  const { slowest, count, failure } = await watch.stop()
  if (isFull) console.log(`${what}: ${count} answers, the slowest after ${slowest.toFixed(2)} s of computing`)
  expect(failure, `${what}, seed ${seed}`).toBeUndefined()
  expect(slowest, `${what}, seed ${seed}: the slowest answer`).toBeLessThan(maxAnswerSeconds)
}

/** Creates them, some at a time, and returns what was not created. */
async function createAll(
  cluster: RunningCluster,
  count: number,
  maxKept: number,
  make: (index: number) => ExtremeObject,
): Promise<string[]> {
  const refusals: string[] = []
  const kept: string[] = []
  let next = 0
  const began = performance.now()
  const writeSome = async () => {
    while (next < count) {
      if (isFull && next % 1000 === 0) console.log(`${next} of ${count}, ${Math.round((performance.now() - began) / 1000)} s`)
      const { collection, object } = make(next++)
      const { code, json } = await cluster.ask('POST', collection, object)
      const { message = '' } = (json ?? {}) as { message?: string }
      if (code === 201) kept.push(`${collection}/${object.metadata.name}`)
      else refusals.push(`${code} ${collection.split('/').at(-1)}: ${message.slice(0, 300)}`)
      if (kept.length > maxKept) await cluster.ask('DELETE', kept.shift()!, { gracePeriodSeconds: 0, propagationPolicy: 'Background' })
    }
  }
  await Promise.all(Array.from({ length: writers }, writeSome))
  return refusals
}

/** The cluster does what a cluster does, after all of it. */
async function bringUp(cluster: RunningCluster, name: string): Promise<void> {
  const path = '/api/v1/namespaces/default/pods'
  // It names its node itself: the others may be full.
  const spec = { nodeName: 'node-1', priority: 0, containers: [{ name: 'c', image: 'nginx' }] }
  const made = await cluster.ask('POST', path, { metadata: { name }, spec })
  expect(made.code, made.text).toBe(201)
  for (;;) {
    const { json } = await cluster.ask('GET', `${path}/${name}`)
    const { phase } = (json as { status: { phase: string } }).status
    if (phase === 'Running') return
    expect(phase).toBe('Pending')
    await pause(50)
  }
}

async function restarted(cluster: RunningCluster, name: string): Promise<void> {
  for (;;) {
    const { json } = await cluster.ask('GET', `/api/v1/namespaces/default/pods/${name}`)
    const { containerStatuses = [] } = (json as { status: { containerStatuses?: { restartCount: number }[] } }).status
    if (containerStatuses.some(({ restartCount }) => restartCount > 0)) return
    await pause(50)
  }
}

function expectCalm(cluster: RunningCluster): void {
  expect(cluster.process.exitCode).toBeNull()
  expect(cluster.output()).not.toMatch(/^\s+at |RangeError|TypeError/m)
}

const large = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`k${at}`, 'x'.repeat(10_000)]))

const deepArithmetic = `echo $((${'('.repeat(9000)}1${')'.repeat(9000)}))`
const doublingVariables = [
  { name: 'A0', value: 'xxxxxxxxxx' },
  ...Array.from({ length: 41 }, (_, at) => ({ name: `A${at + 1}`, value: `$(A${at})$(A${at})` })),
]
const runs = (script: string) => ({ command: ['sh', '-c', script] })
const idle = runs('sleep infinity')

/** Each of them once ended the server, or kept it from answering. */
const knownPods: Readonly<Record<string, object>> = {
  arithmetic: runs(deepArithmetic),
  eval: runs(`eval "${'if true; then '.repeat(4000)}:${'; fi'.repeat(4000)}"`),
  variables: { ...idle, env: doublingVariables },
  probe: { ...idle, readinessProbe: { exec: runs(deepArithmetic), periodSeconds: 1 } },
  'post-start': { ...idle, lifecycle: { postStart: { exec: runs(deepArithmetic) } } },
  grep: runs(`while :; do echo ${'a'.repeat(60_000)}b | grep '(a+)+$'; done`),
  case: runs(`while :; do case ${'a'.repeat(60_000)} in ${'*a'.repeat(2000)}*b) :;; esac; done`),
  trim: runs(`a=${'a'.repeat(60_000)}; echo \${a##${'*a'.repeat(2000)}*b}`),
  loops: runs(`${'while :; do :; done & '.repeat(90)} wait`),
  text: runs(`a=${'x'.repeat(60_000)}; while :; do b=$a; echo $b; done`),
}

describe('valid but extreme input', () => {
  it('fails the pods that it comes with, and nothing else', async () => {
    const folder = newFolder()
    const flags = ['--nodes', '2']
    for (const start of ['first', 'second']) {
      const cluster = await open(folder, flags)
      const watch = watchAnswers(cluster)
      if (start === 'first')
        for (const [name, fields] of Object.entries(knownPods)) {
          const spec = { restartPolicy: 'Always', containers: [{ name: 'c', image: 'busybox', ...fields }] }
          const { code, text } = await cluster.ask('POST', '/api/v1/namespaces/default/pods', { metadata: { name }, spec })
          expect(code, text).toBe(201)
        }
      await bringUp(cluster, `alive-${start}`)
      // Containers that cannot run report it, and are restarted like any other.
      for (const name of ['arithmetic', 'eval', 'variables', 'post-start', 'trim']) await restarted(cluster, name)
      await checkAnswers(watch, `the ${start} start`)
      expectCalm(cluster)
      await cluster.end('SIGKILL')
    }
  }, 120_000)

  it('does not stop the server, which restarts on the stored objects', async () => {
    const folder = newFolder()
    const flags = ['--nodes', '20']
    const random = seededRandom(seed)
    let cluster = await open(folder, flags)
    await cluster.ask('POST', '/api/v1/namespaces/default/configmaps', { metadata: { name: 'large' }, data: large })
    await cluster.ask('POST', '/api/v1/namespaces/default/secrets', { metadata: { name: 'large' }, stringData: large })
    let watch = watchAnswers(cluster)
    const scripts = await createAll(cluster, scriptCount, maxScripts, (index) =>
      extremePod(seededPart(seed, index), `script-${index}`, extremeScript(seededPart(seed, index + 1e6))),
    )
    const objects = await createAll(cluster, objectCount, maxObjects, (index) => extremeObject(seededPart(seed, index + 2e6), `o-${index}`))
    for (let index = 0; index < Math.min(scriptCount, 50); index++)
      await cluster.ask('GET', `/api/v1/namespaces/default/pods/script-${index}/log?container=c0&tailLines=${scale(random, 1000)}`)
    await bringUp(cluster, 'alive-1')
    if (kubectlMinor() !== undefined) await execSome(cluster, random)
    await checkAnswers(watch, 'before the restart')
    expectCalm(cluster)
    // A refused object is a mistake of the generator, not of the server.
    expect([...scripts, ...objects].filter((one) => one.startsWith('5'))).toEqual([])
    expect(scripts.length + objects.length, [...new Set([...scripts, ...objects])].slice(0, 20).join('\n')).toBeLessThan(
      (objectCount + scriptCount) / 10,
    )

    await cluster.end('SIGKILL')
    cluster = await open(folder, flags)
    watch = watchAnswers(cluster)
    await bringUp(cluster, 'alive-2')
    await checkAnswers(watch, 'after the restart')
    expectCalm(cluster)
  }, 3_600_000)

  it('does not stop the server with extreme Stages', async () => {
    const folder = newFolder()
    const stageFile = join(folder, 'stages.json')
    const random = seededPart(seed, 9)
    writeFileSync(
      stageFile,
      JSON.stringify({ apiVersion: 'v1', kind: 'List', items: Array.from({ length: 20 }, (_, at) => extremeStage(random, at)) }),
    )
    const flags = ['--nodes', '5', '--stages', stageFile]
    for (const run of ['first', 'second']) {
      const cluster = await open(folder, flags)
      const watch = watchAnswers(cluster)
      const pods = await createAll(cluster, 20, 20, (index) => ({
        collection: '/api/v1/namespaces/default/pods',
        object: {
          metadata: {
            name: `${run}-${index}`,
            labels: { stage: `s${index}` },
            annotations: { p: oneOf(random, ['(', '(a+)+$', 'a'.repeat(5000)]) },
          },
          spec: { nodeName: 'node-1', containers: [{ name: 'c', image: 'nginx' }] },
        },
      }))
      expect(pods).toEqual([])
      for (let phase = ''; phase !== 'Running'; await pause(50)) {
        const { json } = await cluster.ask('GET', `/api/v1/namespaces/default/pods/${run}-0`)
        phase = (json as { status: { phase: string } }).status.phase
      }
      await checkAnswers(watch, `stages, ${run} start`)
      expectCalm(cluster)
      await cluster.end('SIGKILL')
    }
  }, 300_000)
})

async function execSome(cluster: RunningCluster, random: Random): Promise<void> {
  const kubectl = kubectlFor(cluster)
  // Some never end by themselves.
  const run = (script: string) =>
    kubectl(`exec alive-1 -- sh -c "$SCRIPT" > /dev/null 2>&1 & P=$!; sleep 3; kill $P 2>/dev/null; wait`, undefined, { SCRIPT: script })
  await Promise.all(Array.from({ length: 5 }, () => run(extremeScript(random).slice(0, 100_000))))
}

function extremeStage(random: Random, at: number): object {
  const many = (text: string, most: number) => text.repeat(scale(random, most))
  const nested = whole(random, 1, 5)
  const query = oneOf(random, [
    `.${many('|(.,.)', 60)}`,
    '.none | keys',
    '.metadata.annotations.p | test(.)',
    `[.${many('|(.,.)', 20)}] | map(.) | (.[] == .[])`,
    `.metadata.name${many('|[.,.]', 60)}|tostring`,
    `.metadata | ${many('[', 90)}.${many(']', 1)}`.replace(/\[*\.\]$/, '.'),
  ])
  const template = oneOf(random, [
    `${'{{ range until 10000 }}'.repeat(nested)}x${'{{ end }}'.repeat(nested)}`,
    `{{ $a := "xxxxxxxxxx" }}${many(`{{ $a = ${oneOf(random, ['print $a $a', 'list $a $a', 'replace "x" $a $a'])} }}`, 60)}message: {{ $a | Quote }}`,
    `{{ range until 10000 }}{{ YAML . 1000000000 }}{{ end }}`,
    `message: "${many('x', 200_000)}"`,
    `${many('- ', 500)}a`,
    'conditions: {{ toJson .spec }}',
  ])
  const isGood = at === 0
  return {
    apiVersion: 'kwok.x-k8s.io/v1alpha1',
    kind: 'Stage',
    metadata: { name: `stage-${at}` },
    spec: {
      resourceRef: { apiGroup: 'v1', kind: 'Pod' },
      selector: {
        matchLabels: { stage: `s${at}` },
        matchExpressions: isGood
          ? [{ key: '.status.phase', operator: 'In', values: ['Pending'] }]
          : [{ key: query, operator: oneOf(random, ['Exists', 'DoesNotExist']) }],
      },
      next: { statusTemplate: isGood ? 'phase: Running' : template },
    },
  }
}
