// The replicas of the pacer in a test cluster, and their faults.

import { pods } from '../../api/kinds.ts'
import { isStatusError } from '../../api/machinery/status-error.ts'
import { parseDurationMs } from '../../base/duration.ts'
import { SetMap } from '../../base/maps.ts'
import type { Random } from '../../base/random.ts'
import type { VirtualClock } from '../../base/virtual-clock.ts'
import type { Client } from '../../client/client.ts'
import { createFaultyClient, type FaultyConnection, noFaults } from '../../cluster/faults/faulty-client.ts'
import type { InProcessPacer } from '../../cluster/pacer/in-process-pacer.ts'
import type { VirtualCluster } from '../../cluster/virtual-cluster.ts'
import type { TestCluster } from './cluster-api.ts'
import { ControllerLag } from './controller-lag.ts'

/** The name of the installation whose replicas elect a leader. */
const elected = 'elected'

export class TestPacers {
  readonly #clock: VirtualClock
  readonly #random: Random
  readonly #faults = noFaults()
  readonly #lag = new ControllerLag()
  #running: { readonly pacer: InProcessPacer; readonly connection: FaultyConnection }[] = []
  #connection: FaultyConnection = { isCut: false }
  #installation = elected
  #started = 0
  readonly #releasers = new SetMap<string, string>()

  constructor(clock: VirtualClock, random: Random) {
    this.#clock = clock
    this.#random = random
  }

  /** The maximum age of what a pacer acts on. */
  get lagMs(): number {
    return this.#lag.ms
  }

  /** The installations that have sent a release of the pod; see `PacerTime`. */
  releasersOf(uid: string): ReadonlySet<string> {
    return this.#releasers.get(uid) ?? new Set()
  }

  wrapClient(client: Client): Client {
    const connection = this.#connection
    const reporting = this.#reportingReleases(client, this.#installation)
    return createFaultyClient({ client: reporting, clock: this.#clock, random: this.#random, faults: this.#faults, connection })
  }

  /** `elects`: a replica of the elected installation. Otherwise an installation of its own, which acts whatever the others do. */
  start(cluster: VirtualCluster, { elects = true } = {}): void {
    const connection = { isCut: false }
    const name = `pacer-${++this.#started}`
    this.#connection = connection
    this.#installation = elects ? elected : name
    this.#running.push({ pacer: cluster.startPacer(elects ? name : undefined), connection })
  }

  #reportingReleases(client: Client, installation: string): Client {
    return {
      ...client,
      patch: async (resource, ref, type, patch, options) => {
        const { uid } = (patch as { readonly metadata?: { readonly uid?: string } }).metadata ?? {}
        const isNew = resource.plural === pods.plural && uid !== undefined && !this.releasersOf(uid).has(installation)
        if (isNew) this.#releasers.add(uid, installation)
        try {
          return await client.patch(resource, ref, type, patch, options)
        } catch (error) {
          // The pod was no longer as it was observed: nothing was released.
          if (isNew && isStatusError(error, 'Conflict')) this.#releasers.remove(uid, installation)
          throw error
        }
      },
    }
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
