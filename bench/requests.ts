// The requests that the benchmarks send to a cluster, and how long they take.
import { type Answer, Connection } from './connection.ts'
import type { Target } from './kubeconfig.ts'
import { pause } from './measuring.ts'
import { podName, podText, runningText } from './pods.ts'

export class Requests {
  readonly #target: Target
  readonly #connections: Connection[] = []

  constructor(target: Target) {
    this.#target = target
  }

  close(): void {
    for (const connection of this.#connections) connection.close()
  }

  async #open(count: number): Promise<readonly Connection[]> {
    while (this.#connections.length < count) this.#connections.push(await Connection.open(this.#target))
    return this.#connections.slice(0, count)
  }

  #path(namespace: string, rest = ''): string {
    return `${this.#target.basePath}/api/v1/namespaces/${namespace}${rest}`
  }

  /** Waits until pods can be created in it, which takes a moment where service accounts are made first. */
  async createNamespace(name: string): Promise<void> {
    const [connection] = await this.#open(1)
    const path = `${this.#target.basePath}/api/v1/namespaces`
    const body = JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
    check(await connection!.send(connection!.head('POST', path, 'application/json'), body), 201)
    const head = connection!.head('POST', `${this.#path(name, '/pods')}?dryRun=All`, 'application/json')
    for (let tries = 0; ; tries++) {
      const answer = await connection!.send(head, podText('first', 0))
      if (answer.code === 201) return
      if (tries === 100) check(answer, 201)
      await pause(100)
    }
  }

  /** Deletes the namespace, or with `/pods` its pods. */
  async delete(namespace: string, rest = ''): Promise<void> {
    const [connection] = await this.#open(1)
    check(await connection!.send(connection!.head('DELETE', this.#path(namespace, rest), 'application/json'), ''), 200)
  }

  /** Returns how many seconds it took. With `running`, each pod also gets the status of a running pod. */
  async createPods(namespace: string, prefix: string, first: number, count: number, clients: number, running = false): Promise<number> {
    const connections = await this.#open(clients)
    const path = this.#path(namespace, '/pods')
    let next = first
    const end = first + count
    const start = performance.now()
    await Promise.all(
      connections.map(async (connection) => {
        const head = connection.head('POST', path, 'application/json')
        while (next < end) {
          const index = next++
          const name = podName(prefix, index)
          check(await connection.send(head, podText(name, index)), 201)
          if (!running) continue
          check(await connection.send(connection.head('PATCH', `${path}/${name}/status`, 'application/merge-patch+json'), runningText), 200)
        }
      }),
    )
    return (performance.now() - start) / 1000
  }

  /** Milliseconds of each of `count` reads, one after the other, spread over the pods. */
  async getPods(namespace: string, prefix: string, pods: number, count: number): Promise<number[]> {
    const [connection] = await this.#open(1)
    const times: number[] = []
    for (let i = 0; i < count; i++) {
      const path = this.#path(namespace, `/pods/${podName(prefix, (i * 7919) % pods)}`)
      const start = performance.now()
      check(await connection!.get(path), 200)
      times.push(performance.now() - start)
    }
    return times
  }

  /** Milliseconds until the last byte is read, and the average size of a pod. */
  async listPods(namespace: string, pods: number, times: number): Promise<{ readonly ms: number[]; readonly podBytes: number }> {
    const [connection] = await this.#open(1)
    const ms: number[] = []
    let podBytes = 0
    for (let i = 0; i < times; i++) {
      const start = performance.now()
      const answer = await connection!.get(this.#path(namespace, '/pods'))
      ms.push(performance.now() - start)
      check(answer, 200)
      podBytes = answer.bytes / pods
    }
    return { ms, podBytes }
  }

  /**
   * `watchers` watch the namespace while `pods` are created in it. Returns the seconds until all watchers have received all pods. They start at
   * any revision: with an etcd that cannot report its progress, such as 3.4, kube-apiserver ends a watch that asks for the newest state.
   */
  async watchCreates(namespace: string, watchers: number, pods: number, clients: number): Promise<number> {
    await this.#open(clients)
    const expected = watchers * pods
    let received = 0
    let finish: () => void = () => {}
    let fail: (error: Error) => void = () => {}
    const finished = new Promise<void>((resolve, reject) => {
      finish = resolve
      fail = reject
    })
    finished.catch(() => {})
    const watching = await Promise.all(
      Array.from({ length: watchers }, async () => {
        const connection = await Connection.open(this.#target)
        const count = countEvents((events, first) => {
          if (first.includes('"type":"ERROR"')) fail(new Error(`The server ended a watch: ${first}`))
          received += events
          if (received >= expected) finish()
        })
        check(await connection.watch(`${this.#path(namespace, '/pods')}?watch=1&resourceVersion=0`, count), 200)
        return connection
      }),
    )
    const start = performance.now()
    await this.createPods(namespace, 'watched', 0, pods, clients)
    let known = -1
    let isFinished = false
    const noteFinish = () => {
      isFinished = true
    }
    void finished.then(noteFinish, noteFinish)
    while (!isFinished) {
      await Promise.race([finished, pause(stallMs)])
      if (!isFinished && received === known)
        throw new Error(`The watchers have received ${received} of ${expected} events, and no more in ${stallMs / 1000} seconds.`)
      known = received
    }
    await finished
    const seconds = (performance.now() - start) / 1000
    for (const connection of watching) connection.close()
    return seconds
  }
}

/** Watchers that receive nothing for so long have been lost. */
const stallMs = 20_000
const newline = 10
const brace = 125

/**
 * An event ends in a brace and a newline; the newlines of the chunks around it have a carriage return before them. `first` is the text with the
 * first event, and empty after it.
 */
function countEvents(onCount: (events: number, first: string) => void): (piece: Buffer) => void {
  let last = 0
  let isFirst = true
  return (piece) => {
    let events = 0
    for (let at = piece.indexOf(newline); at >= 0; at = piece.indexOf(newline, at + 1))
      if ((at === 0 ? last : piece[at - 1]) === brace) events++
    if (piece.length > 0) last = piece[piece.length - 1]!
    if (events === 0) return
    onCount(events, isFirst ? piece.toString() : '')
    isFirst = false
  }
}

function check({ code }: Answer, wanted: number): void {
  if (code !== wanted) throw new Error(`Cannot go on: the server answered ${code} instead of ${wanted}`)
}
