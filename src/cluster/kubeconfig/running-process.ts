// Whether the process that wrote a file still runs.
import { connect } from 'node:net'
import { hostOfUrl } from '../../base/url-host.ts'

/** True also for a process of another user. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

const connectTimeoutMs = 500

export function isListening(url: URL): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: hostOfUrl(url), port: Number(url.port) })
    const end = (isOpen: boolean) => {
      socket.destroy()
      resolve(isOpen)
    }
    socket.setTimeout(connectTimeoutMs, () => end(false))
    socket.once('connect', () => end(true))
    socket.once('error', () => end(false))
  })
}
