// What the background process of `rollcall up --detach` and the command that started it agree on.

const marker = 'ROLLCALL_DETACHED'

/** The output of the background process, in the data directory. */
export const logFile = 'up.log'

/** Whether this process is the background process. */
export const isDetached = process.env[marker] === '1' && process.send !== undefined

export const detachedEnvironment = (environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({ ...environment, [marker]: '1' })

/** Sends the lines for the user to the command that waits, which then ends. */
export function reportReady(lines: string): void {
  if (!isDetached) return
  process.send?.({ lines }, () => process.disconnect?.())
}
