// Whether the process that wrote a file still runs.
import { connect } from 'node:net'

/** True also for a process of another user. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

const connectTimeoutMs = 500

export function isListening({ hostname, port }: URL): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) })
    const end = (isOpen: boolean) => {
      socket.destroy()
      resolve(isOpen)
    }
    socket.setTimeout(connectTimeoutMs, () => end(false))
    socket.once('connect', () => end(true))
    socket.once('error', () => end(false))
  })
}
