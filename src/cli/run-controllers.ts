// Runs `rollcall controllers`.
import { PreflightError, startControllersProcess } from '../cluster/remote/controllers-process.ts'
import type { ControllersOptions } from './controllers.ts'
import { fail } from './error-line.ts'
import { runElected } from './run-elected.ts'

const builtInControllersActive = 3
/** A Deployment marks pods, and its ReplicaSet replaces them. */
const needed = ['deployment', 'replicaset']

export function runControllers(options: ControllersOptions): Promise<number> {
  const { evictionTimeout: timeoutMs, webhookName: name, webhookAddress, webhookHosts: hosts } = options
  if (options.evictions && !needed.every((one) => options.controllers.includes(one)))
    return Promise.resolve(fail(2, new Error(`--evictions needs the controllers ${needed.join(' and ')}. Add them to --controllers.`)))
  const evictions = options.evictions ? { timeoutMs, address: { name, ...webhookAddress, ...(hosts && { hosts }) } } : undefined
  return runElected(
    options,
    (common) =>
      startControllersProcess({
        ...common,
        controllers: options.controllers,
        gates: options.featureGates,
        workers: options.workers,
        skipsPreflight: !options.preflight,
        evictions,
      }),
    (error) => (error instanceof PreflightError ? builtInControllersActive : 1),
  )
}
