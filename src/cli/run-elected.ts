// How commands that work on a real cluster and elect a leader run, until a signal ends them.
import { realClock } from '../base/clock.ts'
import type { Connection } from '../client/connection.ts'
import { PreflightError } from '../cluster/remote/controllers-process.ts'
import { type ElectedProcess, type ElectedProcessOptions, timingsProblem } from '../cluster/remote/elected-process.ts'
import { createLog } from '../cluster/remote/structured-log.ts'
import { rollcallVersion } from '../cluster/version.ts'
import { findConnection } from './cluster-connection.ts'
import type { ElectedFlags } from './elected-flags.ts'
import { printError } from './error-line.ts'

/** Of the Lease. */
export const defaultNamespace = 'kube-system'

/** Runs until a signal ends it; resolves to the exit code. `exitCodeOf` chooses the exit code for an error of the start. */
export async function runElected(
  flags: ElectedFlags,
  start: (options: ElectedProcessOptions) => Promise<ElectedProcess>,
  exitCodeOf: (error: Error) => number = () => 1,
): Promise<number> {
  const fail = (code: number, error: unknown) => {
    printError(error)
    if (error instanceof PreflightError) process.stderr.write(`${error.instructions}\n`)
    return code
  }
  const timings = {
    leaseDurationMs: flags.leaderElectLeaseDuration,
    renewDeadlineMs: flags.leaderElectRenewDeadline,
    retryPeriodMs: flags.leaderElectRetryPeriod,
  }
  const problem = timingsProblem(timings)
  if (problem !== undefined) return fail(2, `${problem}. Change the --leader-elect- flags.`)
  let connection: Connection
  try {
    connection = await findConnection(flags)
  } catch (error) {
    return fail(2, error)
  }
  const log = createLog(realClock, (line) => process.stderr.write(line), flags.logLevel)
  return new Promise<number>((resolve) => {
    let running: ElectedProcess | undefined
    let isStopping = false
    const stop = () => {
      if (isStopping) process.exit(130)
      isStopping = true
      log.write('info', 'stopping')
      void Promise.resolve(running?.stop()).then(() => {
        log.write('info', 'stopped')
        resolve(0)
      })
    }
    process.on('SIGTERM', stop)
    process.on('SIGINT', stop)
    start({
      connection,
      log,
      namespace: flags.leaderElectResourceNamespace ?? connection.namespace ?? defaultNamespace,
      version: rollcallVersion,
      qps: flags.kubeApiQps,
      burst: flags.kubeApiBurst,
      ...(flags.healthAddress && { health: flags.healthAddress }),
      ...(flags.leaderElect && { leaderElection: { name: flags.leaderElectResourceName, ...timings } }),
      ...(flags.dryRun && { isDryRun: true }),
      // The state of this process is outdated once another replica leads: it ends at once, and a restart reads the stored objects.
      onLost: () => process.exit(1),
    }).then(
      (started) => {
        running = started
        if (isStopping) void started.stop().then(() => resolve(0))
      },
      (error: Error) => resolve(fail(exitCodeOf(error), error)),
    )
  })
}
