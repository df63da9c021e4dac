// The replicas of the pacer in a test cluster, and their faults.
import { parseDurationMs } from '../base/duration.ts'
import type { Random } from '../base/random.ts'
import type { Client } from '../client/client.ts'
import { createFaultyClient, type FaultyConnection, noFaults } from '../cluster/faults/faulty-client.ts'
import type { InProcessPacer } from '../cluster/in-process-pacer.ts'
import type { VirtualCluster } from '../cluster/virtual-cluster.ts'
import type { TestCluster } from './cluster-api.ts'
import { ControllerLag } from './controller-lag.ts'
import type { VirtualClock } from './virtual-clock.ts'

export class TestPacers {
  readonly #clock: VirtualClock
  readonly #random: Random
  readonly #faults = noFaults()
  readonly #lag = new ControllerLag()
  #running: { readonly pacer: InProcessPacer; readonly connection: FaultyConnection }[] = []
  #connection: FaultyConnection = { isCut: false }
  #started = 0

  constructor(clock: VirtualClock, random: Random) {
    this.#clock = clock
    this.#random = random
  }

  /** The maximum age of what a pacer acts on. */
  get lagMs(): number {
    return this.#lag.ms
  }

  wrapClient(client: Client): Client {
    return createFaultyClient({ client, clock: this.#clock, random: this.#random, faults: this.#faults, connection: this.#connection })
  }

  start(cluster: VirtualCluster): void {
    const connection = { isCut: false }
    this.#connection = connection
    this.#running.push({ pacer: cluster.startPacer(`pacer-${++this.#started}`), connection })
  }

  async stop(): Promise<void> {
    await Promise.all(this.#running.splice(0).map(({ pacer }) => pacer.stop()))
  }

  async crash(): Promise<void> {
    for (const { connection } of this.#running) connection.isCut = true
    await this.stop()
  }

  delay({ calls, watches }: Parameters<TestCluster['delayPacer']>[0]): void {
    if (calls !== undefined) this.#faults.callMs = parseDurationMs(calls)
    if (watches !== undefined) this.#faults.watchMs = parseDurationMs(watches)
    this.#lag.add(this.#faults)
  }

  failWrites(count: number, areApplied: boolean): void {
    this.#faults.failWrites = count
    this.#faults.losesAnswers = areApplied
  }
}
