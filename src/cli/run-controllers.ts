// Runs `rollcall controllers`.
import { PreflightError, startControllersProcess } from '../cluster/remote/controllers-process.ts'
import type { ControllersOptions } from './controllers.ts'
import { runElected } from './run-elected.ts'

const builtInControllersActive = 3

export const runControllers = (options: ControllersOptions): Promise<number> =>
  runElected(
    options,
    (common) =>
      startControllersProcess({
        ...common,
        controllers: options.controllers,
        gates: options.featureGates,
        workers: options.workers,
        skipsPreflight: !options.preflight,
      }),
    (error) => (error instanceof PreflightError ? builtInControllersActive : 1),
  )
