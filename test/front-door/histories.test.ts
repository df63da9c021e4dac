// Clients read and write the same few objects concurrently, with and without kills of the server. Their responses must be
// consistent with one sequence of changes.
import { mkdtempSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { seededRandom } from '../../src/base/random.ts'
import { type Change, findProblems, type Operation, type Version } from './history-checker.ts'
import { type RunningCluster, startCluster } from './running-cluster.ts'

const seed = Number(process.env['ROLLCALL_SEED'] ?? 1)
const operationsOfClient = Number(process.env['HISTORY_OPERATIONS'] ?? 150)
const clients = 8
const kills = Number(process.env['HISTORY_KILLS'] ?? 4)
const keys = ['a', 'b', 'c', 'd', 'e']
const path = '/api/v1/namespaces/default/configmaps'
const label = 'history=yes'

interface ConfigMap {
  readonly metadata: { readonly name: string; readonly resourceVersion: string }
  readonly data: { readonly value: string }
}

const versionOf = ({ metadata, data }: ConfigMap): Version => ({ revision: Number(metadata.resourceVersion), value: data.value })

class Recorder {
  readonly operations: Operation[] = []
  readonly changes: Change[] = []
  readonly #random: ReturnType<typeof seededRandom>
  /** The response to a delete has no revision: only a complete watch reveals it. */
  readonly #deletes: boolean
  #tick = 0
  #written = 0

  constructor(part: number, deletes: boolean) {
    this.#random = seededRandom(seed * 1000 + part)
    this.#deletes = deletes
  }

  #upTo(most: number): number {
    return Math.floor(this.#random.next() * (most + 1))
  }

  /** False when the server has ended. */
  async act(cluster: RunningCluster): Promise<boolean> {
    const key = keys[this.#upTo(keys.length - 1)]!
    const choice = this.#random.next()
    if (choice < 0.15) return this.#list(cluster)
    const found = await this.#get(cluster, key)
    if (found === 'gone') return false
    if (choice < 0.35) return true
    if (found === undefined) return this.#write(cluster, 'create', key)
    if (this.#deletes && choice < 0.5) return this.#write(cluster, 'delete', key)
    return this.#write(cluster, 'update', key, choice < 0.8 ? found.revision : undefined)
  }

  async #get(cluster: RunningCluster, key: string): Promise<Version | undefined | 'gone'> {
    const start = ++this.#tick
    const answer = await cluster.ask('GET', `${path}/${key}`).catch(() => undefined)
    if (answer === undefined || (answer.code === 200 && answer.json === undefined)) return 'gone'
    if (answer.code !== 200 && answer.code !== 404) throw new Error(`get ${key}: ${answer.code} ${answer.text}`)
    const found = answer.code === 404 ? undefined : versionOf(answer.json as ConfigMap)
    this.operations.push({ start, end: ++this.#tick, verb: 'get', key, found })
    return found
  }

  async #list(cluster: RunningCluster): Promise<boolean> {
    const start = ++this.#tick
    const answer = await cluster.ask('GET', `${path}?labelSelector=${label}`).catch(() => undefined)
    if (answer?.json === undefined) return false
    const list = answer.json as { readonly metadata: { readonly resourceVersion: string }; readonly items: readonly ConfigMap[] }
    const items = new Map(list.items.map((item) => [item.metadata.name, versionOf(item)]))
    this.operations.push({ start, end: ++this.#tick, verb: 'list', revision: Number(list.metadata.resourceVersion), items })
    return true
  }

  async #write(cluster: RunningCluster, verb: 'create' | 'update' | 'delete', key: string, expected?: number): Promise<boolean> {
    const value = verb === 'delete' ? undefined : `${key}${this.#written++}`
    const attempt = { verb, key, ...(value !== undefined && { value }), ...(expected !== undefined && { expected }) }
    const metadata = { name: key, labels: { history: 'yes' }, ...(expected !== undefined && { resourceVersion: String(expected) }) }
    const body = { metadata, data: { value, fill: 'x'.repeat(this.#upTo(20) === 0 ? 50_000 : this.#upTo(500)) } }
    const start = ++this.#tick
    const asked =
      verb === 'create'
        ? cluster.ask('POST', path, body)
        : verb === 'update'
          ? cluster.ask('PUT', `${path}/${key}`, body)
          : cluster.ask('DELETE', `${path}/${key}`)
    const answer = await asked.catch(() => undefined)
    if (answer?.json === undefined) {
      this.operations.push({ start, end: Number.POSITIVE_INFINITY, ...attempt, outcome: 'unknown' })
      return false
    }
    const end = ++this.#tick
    const { code, json } = answer
    if (code === 200 || code === 201) {
      const revision = verb === 'delete' ? {} : { revision: versionOf(json as ConfigMap).revision }
      this.operations.push({ start, end, ...attempt, outcome: 'done', ...revision })
    } else if (code === 404) this.operations.push({ start, end, ...attempt, outcome: 'absent' })
    else if (code === 409) this.operations.push({ start, end, ...attempt, outcome: verb === 'create' ? 'exists' : 'conflict' })
    else throw new Error(`${verb} ${key}: ${code} ${answer.text}`)
    return true
  }

  /** `started` resolves when it is open; `ended` when it or the server has ended. */
  watch(cluster: RunningCluster, revision: string): { readonly started: Promise<void>; readonly ended: Promise<void>; stop(): void } {
    const outgoing = request(`${cluster.url}${path}?watch=1&labelSelector=${label}&resourceVersion=${revision}`, {
      rejectUnauthorized: false,
      headers: { authorization: `Bearer ${cluster.token}` },
    })
    const started = new Promise<void>((resolve) => outgoing.on('response', () => resolve()))
    const ended = new Promise<void>((resolve) => {
      outgoing.on('error', () => resolve())
      outgoing.on('response', (response) => {
        let rest = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => {
          const lines = (rest + chunk).split('\n')
          rest = lines.pop()!
          for (const line of lines) this.#note(JSON.parse(line) as { readonly type: string; readonly object: ConfigMap })
        })
        response.on('error', () => resolve())
        response.on('close', () => resolve())
      })
    })
    outgoing.end()
    return { started, ended, stop: () => outgoing.destroy() }
  }

  #note({ type, object }: { readonly type: string; readonly object: ConfigMap }): void {
    const { revision, value } = versionOf(object)
    this.changes.push({ revision, key: object.metadata.name, ...(type !== 'DELETED' && { value }) })
  }
}

async function revisionOf(cluster: RunningCluster): Promise<string> {
  const { json } = await cluster.ask('GET', `${path}?labelSelector=${label}`)
  return (json as { readonly metadata: { readonly resourceVersion: string } }).metadata.resourceVersion
}

describe(`responses to concurrent clients (ROLLCALL_SEED=${seed})`, { timeout: 120_000 + operationsOfClient * 60 }, () => {
  let running: RunningCluster | undefined
  afterEach(async () => {
    await running?.stop()
    running = undefined
  })

  it.each([
    ['in memory', ['--memory']],
    ['on disk', []],
  ])('fits one sequence of changes, %s', async (name, flags) => {
    const cluster = await startCluster(flags)
    running = cluster
    const recorder = new Recorder(name === 'on disk' ? 1 : 2, true)
    const watch = recorder.watch(cluster, await revisionOf(cluster))
    await watch.started
    const work = async () => {
      for (let i = 0; i < operationsOfClient; i++) await recorder.act(cluster)
    }
    await Promise.all(Array.from({ length: clients }, work))
    // The last write: a watch that reports it has reported everything.
    await cluster.ask('POST', path, { metadata: { name: 'last', labels: { history: 'yes' } }, data: { value: 'last' } })
    while (recorder.changes.at(-1)?.key !== 'last') await new Promise((resolve) => setImmediate(resolve))
    recorder.changes.pop()
    watch.stop()
    expect(findProblems({ operations: recorder.operations, changes: recorder.changes, isComplete: true })).toEqual([])
    expect(recorder.operations.length).toBeGreaterThan(clients * operationsOfClient)
  })

  it('fits one sequence of changes across kills of the server', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rollcall-histories-'))
    const recorder = new Recorder(3, false)
    const operationsOfRound = Math.ceil((operationsOfClient * clients) / (kills + 1))
    for (let round = 0; round <= kills; round++) {
      const cluster = await startCluster([], folder)
      running = cluster
      const watch = recorder.watch(cluster, await revisionOf(cluster))
      await watch.started
      const until = recorder.operations.length + operationsOfRound
      let isKilled = false
      const work = async () => {
        while (await recorder.act(cluster)) {
          if (recorder.operations.length < until || isKilled) continue
          isKilled = true
          void cluster.end('SIGKILL')
        }
      }
      await Promise.all([watch.ended, ...Array.from({ length: clients }, work)])
      await cluster.end('SIGKILL')
    }
    expect(findProblems({ operations: recorder.operations, changes: recorder.changes, isComplete: false })).toEqual([])
    expect(recorder.operations.length).toBeGreaterThan(kills * operationsOfRound)
  })
})
