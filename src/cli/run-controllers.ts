// What `rollcall controllers` does once its flags are read.
import { realClock } from '../base/clock.ts'
import type { Connection } from '../client/connection.ts'
import { type ControllersProcess, PreflightError, startControllersProcess, timingsProblem } from '../cluster/remote/controllers-process.ts'
import { createLog } from '../cluster/remote/structured-log.ts'
import { findConnection } from './cluster-connection.ts'
import type { ControllersOptions } from './controllers.ts'
import { rollcallVersion } from './version.ts'

const defaultNamespace = 'kube-system'

export async function runControllers(options: ControllersOptions): Promise<number> {
  const fail = (code: number, message: string) => {
    process.stderr.write(`error: ${message}\n`)
    return code
  }
  const timings = {
    leaseDurationMs: options.leaderElectLeaseDuration,
    renewDeadlineMs: options.leaderElectRenewDeadline,
    retryPeriodMs: options.leaderElectRetryPeriod,
  }
  const problem = timingsProblem(timings)
  if (problem !== undefined) return fail(2, `${problem}. Change the --leader-elect- flags.`)
  let connection: Connection
  try {
    connection = await findConnection(options)
  } catch (error) {
    return fail(2, (error as Error).message)
  }
  const log = createLog(realClock, (line) => process.stderr.write(line), options.logLevel)
  return new Promise<number>((resolve) => {
    let running: ControllersProcess | undefined
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
    startControllersProcess({
      connection,
      log,
      controllers: options.controllers,
      gates: options.featureGates,
      namespace: options.leaderElectResourceNamespace ?? connection.namespace ?? defaultNamespace,
      version: rollcallVersion,
      qps: options.kubeApiQps,
      burst: options.kubeApiBurst,
      ...(options.workers !== undefined && { workers: options.workers }),
      ...(options.healthAddress && { health: options.healthAddress }),
      ...(options.leaderElect && { leaderElection: { name: options.leaderElectResourceName, ...timings } }),
      ...(options.dryRun && { isDryRun: true }),
      skipsPreflight: !options.preflight,
      // What a process remembers is worth nothing once another one leads: it ends at once, and starts again from what is stored.
      onLost: () => process.exit(1),
    }).then(
      (started) => {
        running = started
        if (isStopping) void started.stop().then(() => resolve(0))
      },
      (error: Error) => resolve(fail(error instanceof PreflightError ? 3 : 1, error.message)),
    )
  })
}
