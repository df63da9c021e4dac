// Kills the server at random moments while many clients write, restarts it on the same directory, and compares the stored
// objects with the responses to the clients. The page cache survives kill -9: this tests the process, not the disk.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { machineRandom, seededRandom } from '../../src/base/random.ts'
import { command, type RunningCluster, startCluster } from './running-cluster.ts'

interface ConfigMap {
  readonly metadata: { readonly name: string; readonly uid: string; readonly resourceVersion: string }
  readonly data: Readonly<Record<string, string>>
}

type Attempt = { readonly verb: 'create' | 'update' | 'delete'; readonly data?: ConfigMap['data'] }

/** The state of an object as its only writer knows it. */
interface Belief {
  /** As it was last acknowledged; undefined: it is not there. */
  known: ConfigMap | undefined
  /** Sent, and not answered. */
  attempt: Attempt | undefined
}

/** For a longer run: `ROLLCALL_KILLS=500`. */
const rounds = Number(process.env['ROLLCALL_KILLS'] ?? 20)
const writers = 12
const namesOfWriter = 6
const path = '/api/v1/namespaces/default/configmaps'
const label = 'crash=yes'
const given = process.env['ROLLCALL_SEED'] ?? '1'
const seed = given === 'random' ? Math.floor(machineRandom.next() * 2 ** 31) : Number(given)
const random = seededRandom(seed)
/** Of its own: how often the writers draw depends on the machine. */
const plan = seededRandom(seed + 1)
const upTo = (most: number) => Math.floor(random.next() * (most + 1))

let folder: string
let running: RunningCluster | undefined
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'rollcall-crash-'))
})
afterAll(async () => {
  await running?.end('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

let written = 0
function nextData(): ConfigMap['data'] {
  const version = String(written++)
  // From 1 to 200 KB, as many below 14 KB as above.
  const bytes = 1000 * 200 ** random.next()
  return { version, fill: `${version} `.repeat(Math.ceil(bytes / (version.length + 1))) }
}

class Ledger {
  readonly beliefs = new Map<string, Belief>()
  /** The last event of each object that a watcher was sent. */
  readonly seen = new Map<string, { readonly type: string; readonly object: ConfigMap }>()
  greatestRevision = 0
  acknowledged = 0

  constructor() {
    for (let i = 0; i < writers * namesOfWriter; i++) this.beliefs.set(`object-${i}`, { known: undefined, attempt: undefined })
  }

  noteRevision(text: string): void {
    this.greatestRevision = Math.max(this.greatestRevision, Number(text))
  }

  /** Writes to its own objects until the server is killed. */
  async write(cluster: RunningCluster, writer: number, floor: number): Promise<void> {
    for (;;) {
      const name = `object-${writer * namesOfWriter + upTo(namesOfWriter - 1)}`
      const belief = this.beliefs.get(name)!
      const { known } = belief
      const verb = known === undefined ? 'create' : random.next() < 0.3 ? 'delete' : 'update'
      const data = verb === 'delete' ? undefined : nextData()
      belief.attempt = { verb, ...(data !== undefined && { data }) }
      let answer: Awaited<ReturnType<RunningCluster['ask']>>
      try {
        answer = await send(cluster, verb, name, known, data)
      } catch {
        return
      }
      const code = verb === 'create' ? 201 : 200
      if (answer.code !== code) throw new Error(`${verb} ${name}: ${answer.code} ${answer.text}`)
      if (answer.json === undefined) return
      belief.known = verb === 'delete' ? undefined : (answer.json as ConfigMap)
      belief.attempt = undefined
      this.acknowledged++
      if (belief.known === undefined) continue
      expect(Number(belief.known.metadata.resourceVersion), 'a revision is given once').toBeGreaterThan(floor)
      this.noteRevision(belief.known.metadata.resourceVersion)
    }
  }

  /** The stored state must be the acknowledged one, or that of the last request without a response. */
  check(items: readonly ConfigMap[], revision: string): void {
    expect(Number(revision), "the list's revision").toBeGreaterThanOrEqual(this.greatestRevision)
    this.noteRevision(revision)
    const found = new Map(items.map((item) => [item.metadata.name, item]))
    expect([...found.keys()].filter((name) => !this.beliefs.has(name))).toEqual([])
    for (const [name, belief] of this.beliefs) {
      const object = found.get(name)
      if (!this.#isAttempted(name, belief, object)) expect(object, `${name} as it was acknowledged`).toEqual(belief.known)
      else if (object !== undefined) expect(Number(object.metadata.resourceVersion)).toBeLessThanOrEqual(Number(revision))
      belief.known = object
      belief.attempt = undefined
    }
    this.seen.clear()
  }

  #isAttempted(name: string, { known, attempt }: Belief, object: ConfigMap | undefined): boolean {
    if (attempt === undefined) return false
    const isThere =
      attempt.verb === 'delete' ? object === undefined : object !== undefined && object.data['version'] === attempt.data!['version']
    if (isThere && object !== undefined) {
      expect(object.data, `${name} must be whole`).toEqual(attempt.data)
      if (attempt.verb === 'update') expect(object.metadata.uid).toBe(known!.metadata.uid)
    }
    if (!isThere) expect(this.#wasShown(name, known, attempt), `${attempt.verb} of ${name} was shown to a watcher, and is lost`).toBe(false)
    return isThere
  }

  #wasShown(name: string, known: ConfigMap | undefined, attempt: Attempt): boolean {
    const event = this.seen.get(name)
    if (event === undefined) return false
    if (attempt.verb === 'delete')
      return event.type === 'DELETED' && Number(event.object.metadata.resourceVersion) > Number(known!.metadata.resourceVersion)
    return event.type !== 'DELETED' && event.object.data['version'] === attempt.data!['version']
  }
}

function send(
  cluster: RunningCluster,
  verb: Attempt['verb'],
  name: string,
  known: ConfigMap | undefined,
  data: ConfigMap['data'] | undefined,
) {
  if (verb === 'delete') return cluster.ask('DELETE', `${path}/${name}`)
  const metadata = { name, labels: { crash: 'yes' } }
  if (verb === 'create') return cluster.ask('POST', path, { metadata, data })
  switch (upTo(2)) {
    case 0:
      return cluster.ask('PATCH', `${path}/${name}`, { data }, { 'content-type': 'application/merge-patch+json' })
    case 1:
      return cluster.ask('PUT', `${path}/${name}`, { metadata, data })
    default:
      return cluster.ask('PUT', `${path}/${name}`, { metadata: { ...metadata, resourceVersion: known!.metadata.resourceVersion }, data })
  }
}

/** Resolves when the server has ended. */
function watch(cluster: RunningCluster, revision: string, ledger: Ledger): Promise<void> {
  return new Promise((resolve) => {
    const outgoing = request(
      `${cluster.url}${path}?watch=1&labelSelector=${label}&resourceVersion=${revision}`,
      { rejectUnauthorized: false, headers: { authorization: `Bearer ${cluster.token}` } },
      (response) => {
        let rest = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => {
          const lines = (rest + chunk).split('\n')
          rest = lines.pop()!
          for (const line of lines) {
            const event = JSON.parse(line) as { readonly type: string; readonly object: ConfigMap }
            ledger.seen.set(event.object.metadata.name, event)
            ledger.noteRevision(event.object.metadata.resourceVersion)
          }
        })
        response.on('error', () => resolve())
        response.on('close', () => resolve())
      },
    )
    outgoing.on('error', () => resolve())
    outgoing.end()
  })
}

/** A start that does not get far. */
async function killDuringStart(place: string, afterMs: number): Promise<void> {
  const child = spawn(process.execPath, [command, 'up', '--port', '0', '--data-dir', place], { stdio: 'ignore' })
  const ended = once(child, 'close')
  await sleep(afterMs)
  child.kill('SIGKILL')
  await ended
}

describe('kill -9', () => {
  it(
    `loses nothing that was acknowledged, and leaves nothing half-written, ${rounds} times (ROLLCALL_SEED=${seed})`,
    async () => {
      const ledger = new Ledger()
      for (let round = 0; round <= rounds; round++) {
        if (round % 5 === 1) await killDuringStart(folder, upTo(400))
        const cluster = await startCluster([], folder)
        running = cluster
        const { json } = await cluster.ask('GET', `${path}?labelSelector=${label}`)
        const list = json as { readonly metadata: { readonly resourceVersion: string }; readonly items: readonly ConfigMap[] }
        ledger.check(
          list.items.map(({ metadata, data }) => ({ kind: 'ConfigMap', apiVersion: 'v1', metadata, data })),
          list.metadata.resourceVersion,
        )
        if (round === rounds) break
        const work = [watch(cluster, list.metadata.resourceVersion, ledger)]
        for (let writer = 0; writer < writers; writer++) work.push(ledger.write(cluster, writer, Number(list.metadata.resourceVersion)))
        const target = ledger.acknowledged + 1 + Math.floor(plan.next() * 100)
        const reached = async () => {
          while (ledger.acknowledged < target) await sleep(1)
          await sleep(random.next() * 20)
        }
        const ended = Promise.all(work)
        await Promise.race([reached(), ended])
        await cluster.end('SIGKILL')
        await ended
      }
      expect(ledger.acknowledged).toBeGreaterThan(rounds * 20)
      await running!.end('SIGTERM')
    },
    60_000 + rounds * 10_000,
  )

  it('can come at any moment of the first start', async () => {
    const place = join(folder, 'first')
    for (const afterMs of [30, 80, 130, 160, 190, 220, 250, 300, 400]) await killDuringStart(place, afterMs)
    const cluster = await startCluster([], place)
    running = cluster
    expect((await cluster.ask('GET', '/api/v1/namespaces/default')).json).toMatchObject({ status: { phase: 'Active' } })
    expect((await cluster.ask('POST', path, { metadata: { name: 'works' } })).code).toBe(201)
    await cluster.end('SIGTERM')
  }, 120_000)
})
