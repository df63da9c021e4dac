// Runs `rollcall swarm`: several threads, each of which runs this same command and receives seeds until none is left.
import { availableParallelism } from 'node:os'
import { isMainThread, parentPort, Worker } from 'node:worker_threads'
import { type CancelTimer, realClock } from '../base/clock.ts'
import { checkSeed, replaySeed } from '../simulate/swarm/swarm.ts'
import { type OutputOption, printData } from './flag-values.ts'
import type { SwarmCommandOptions } from './swarm.ts'

interface Tried {
  readonly seed: number
  /** Absent: the seed passes. */
  readonly failure?: string
}

/** Most objects of a run are short-lived: with a large young generation, few of them are copied. */
const youngGenerationMb = 64
const progressEveryMs = 250
/** Built beside the chunk that this is part of. A single executable has no other name for it. */
const commandFile = new URL('./rollcall.mjs', import.meta.url)
/** Real time. A seed takes a tenth of a second, and reducing a failure takes some seconds. */
const seedLimitMs = 300_000

/** Resolves to the exit code. */
export async function runSwarmCommand(options: SwarmCommandOptions): Promise<number> {
  const { seed, seeds, jobs = availableParallelism() } = options
  if (!isMainThread) return serveSeeds()
  if (seed !== undefined) return showSeed(seed, options.output)
  const failures = await trySeeds(options, Math.min(jobs, seeds))
  if (failures.length === 0) return 0
  if (options.output === undefined) for (const { failure } of failures) process.stderr.write(`${failure}\n`)
  return 1
}

async function showSeed(seed: number, output: OutputOption['output']): Promise<number> {
  const { trace, failure } = await replaySeed(seed)
  if (output !== undefined) {
    await printData({ seed, passes: failure === undefined, ...(failure !== undefined && { failure }), trace }, output)
    return failure === undefined ? 0 : 1
  }
  process.stdout.write(trace.map((line) => `${line}\n`).join(''))
  if (failure === undefined) {
    process.stdout.write(`Seed ${seed} passes.\n`)
    return 0
  }
  process.stderr.write(`${failure}\n`)
  return 1
}

const trySeed = (seed: number): Promise<Tried> =>
  checkSeed(seed).then(
    () => ({ seed }),
    (error: Error) => ({ seed, failure: error.message }),
  )

/** Runs in a worker thread, until the main thread has no more seeds. */
function serveSeeds(): Promise<number> {
  const port = parentPort!
  return new Promise((resolve) => {
    port.on('message', async (seed: number | undefined) => {
      if (seed === undefined) {
        port.close()
        resolve(0)
      } else port.postMessage(await trySeed(seed))
    })
    port.postMessage(undefined)
  })
}

/** Resolves to the failures, the lowest seed first. */
async function trySeeds(options: SwarmCommandOptions, threads: number): Promise<readonly Tried[]> {
  const { from, seeds: count, untilFailure = false, within = Number.POSITIVE_INFINITY } = options
  const startMs = realClock.now()
  const isShown = process.stderr.isTTY === true
  const failures: Tried[] = []
  let next = from
  let tried = 0
  let shownAtMs = startMs
  const showProgress = () => {
    if (!isShown || realClock.now() - shownAtMs < progressEveryMs) return
    shownAtMs = realClock.now()
    const perSecond = tried / ((shownAtMs - startMs) / 1000)
    const left = Math.ceil((count - tried) / perSecond)
    process.stderr.write(`\r${tried} of ${count} seeds, ${failures.length} failed, ${Math.round(perSecond)}/s, ${left} s left  `)
  }
  const takeSeed = () => {
    const isLate = realClock.now() - startMs >= within
    return next >= from + count || isLate || (untilFailure && failures.length > 0) ? undefined : next++
  }
  const add = (result: Tried) => {
    tried++
    if (result.failure !== undefined) failures.push(result)
    showProgress()
  }
  /** Resolves to whether to start another thread: one whose seed does not end is terminated. */
  const runThread = () =>
    new Promise<boolean>((resolve, reject) => {
      const worker = new Worker(commandFile, { argv: ['swarm'], resourceLimits: { maxYoungGenerationSizeMb: youngGenerationMb } })
      let cancelLimit: CancelTimer = () => {}
      worker.on('message', (result: Tried | undefined) => {
        cancelLimit()
        if (result !== undefined) add(result)
        const seed = takeSeed()
        worker.postMessage(seed)
        if (seed === undefined) return
        cancelLimit = realClock.after(seedLimitMs, () => {
          add({
            seed,
            failure: `Seed ${seed} fails: it has not ended after ${seedLimitMs / 1000} s\nReplay it with: rollcall swarm --seed ${seed}`,
          })
          worker.terminate().then(() => resolve(true), reject)
        })
      })
      worker.on('error', reject)
      worker.on('exit', () => resolve(false))
    })
  const runThreads = async () => {
    while (await runThread());
  }
  await Promise.all(Array.from({ length: threads }, runThreads))
  if (isShown) process.stderr.write('\r\x1b[K')
  const seconds = (realClock.now() - startMs) / 1000
  failures.sort((a, b) => a.seed - b.seed)
  if (options.output !== undefined) await printData({ from, seeds: tried, failures, seconds }, options.output)
  else
    process.stdout.write(
      `${tried} seeds from ${from} on, ${failures.length === 0 ? 'all pass' : `${failures.length} fail`} (${seconds.toFixed(1)} s)\n`,
    )
  return failures
}
