// …/pods/x/exec over WebSocket with Kubernetes' channel protocol: the first byte of each message is its channel.
// Kubernetes: pkg/registry/core/pod/rest.ExecREST.*
import { badRequestError, internalError } from '../../../api/machinery/status-error.ts'
import type { Pod, Status } from '../../../api/types.ts'
import { bytesOfText, textOfBytes } from '../../../base/byte-text.ts'
import { type CancelTimer, realClock } from '../../../base/clock.ts'
import type { Request } from '../../http/request.ts'
import type { WebSocketConnection, WebSocketListener } from '../../http/web-socket.ts'
import { chooseContainer, containerStatus } from './pod-log.ts'

interface ExecListener {
  onOutput(text: string, isError: boolean): void
  onEnd(exitCode: number): void
}

/** Runs a command in a container; returns the function that stops it. Undefined: the container is not running. */
export type Exec = (
  pod: Pod,
  container: string,
  command: readonly string[],
  listener: ExecListener,
  input?: string,
) => (() => void) | undefined

const channels = { input: 0, output: 1, error: 2, status: 3, close: 255 }
/** The unversioned protocol sends no status on success, and a plain message on failure. */
const protocols: readonly string[] = ['v5.channel.k8s.io', 'v4.channel.k8s.io', 'channel.k8s.io']

const noInput = "Nothing can be typed into a simulated container. Run a command instead: kubectl exec POD -- sh -c '…'\r\n"

export function runExec(request: Request, pod: Pod, exec: Exec): void {
  const { query, exchange } = request
  const container = chooseContainer(pod, query.text('container') ?? '')
  const command = query.all('command')
  const name = pod.metadata?.name ?? ''
  if (command.length === 0) throw badRequestError('you must specify at least 1 command for the container')
  const protocol = chooseProtocol(exchange.header('sec-websocket-protocol'))
  const notFound = () => internalError(`unable to upgrade connection: container not found (${JSON.stringify(container)})`)
  const { upgrade } = exchange
  if (upgrade === undefined || protocol === undefined) {
    // kubectl falls back to SPDY when WebSocket is refused, and shows only the second response.
    if (!containerStatus(pod, container)?.state?.running) throw notFound()
    throw badRequestError(`cannot exec into pod ${JSON.stringify(name)} this way: it takes WebSocket with ${protocols.join(' or ')}`)
  }
  const hasStarted = startExecSession({
    pod,
    container,
    command,
    hasInput: query.flag('stdin') ?? false,
    hasOutput: query.flag('stdout') ?? false,
    hasError: query.flag('stderr') ?? false,
    isTerminal: query.flag('tty') ?? false,
    protocol,
    exec,
    upgrade(listener) {
      request.code = 101
      return upgrade(protocol, listener)
    },
  })
  if (!hasStarted) throw notFound()
}

/** The newest protocol of those that the client offers; undefined if none is known. */
export function chooseProtocol(header: string | undefined): string | undefined {
  const offered = (header ?? '').split(',').map((one) => one.trim())
  return protocols.find((one) => offered.includes(one))
}

interface ExecSession {
  readonly pod: Pod
  readonly container: string
  readonly command: readonly string[]
  readonly hasInput: boolean
  readonly hasOutput: boolean
  readonly hasError: boolean
  readonly isTerminal: boolean
  readonly protocol: string
  readonly exec: Exec
  /** Accepts the upgrade of the connection. */
  upgrade(listener: WebSocketListener): WebSocketConnection
}

/** Returns false, without upgrading, when the container is not running. */
export function startExecSession(session: ExecSession): boolean {
  const { pod, container, command, isTerminal, protocol, exec, upgrade, ...wanted } = session
  const show = { [channels.output]: wanted.hasOutput, [channels.error]: wanted.hasError }
  // Output is queued until the upgrade is accepted.
  let send: ((channel: number, text: string) => void) | undefined
  let waiting: [number, string][] = []
  const emit = (channel: number, text: string) => {
    if (send === undefined) waiting.push([channel, text])
    else send(channel, text)
  }
  const listener: ExecListener = {
    onOutput(text, isError) {
      // A terminal has one stream for both.
      const channel = isError && !isTerminal ? channels.error : channels.output
      if (show[channel]) emit(channel, text)
    },
    onEnd(exitCode) {
      const status = statusOf(exitCode)
      emit(channels.status, protocol === 'channel.k8s.io' ? (status.message ?? '') : JSON.stringify(status))
    },
  }
  // An interactive shell would end at once without explanation.
  if (isTerminal && wanted.hasInput && command.length === 1) emit(channels.output, noInput)
  const readsInput = wanted.hasInput && !isTerminal
  if (readsInput && containerStatus(pod, container)?.state?.running === undefined) return false
  let stop = readsInput ? () => {} : exec(pod, container, command, listener)
  if (stop === undefined) return false
  const input = new ExecInput((text) => {
    if (text === undefined) listener.onOutput('a simulated container reads at most 1 MiB of input\n', true)
    stop = text === undefined ? undefined : exec(pod, container, command, listener, text)
    if (stop === undefined) listener.onEnd(killedCode)
  })
  const socket = upgrade({
    onMessage: (message) => readsInput && input.take(message),
    onClose() {
      input.cancel()
      stop?.()
    },
  })
  if (readsInput) input.wait(firstInputMs)
  send = (channel, text) => {
    if (text !== '') socket.send(Buffer.concat([Buffer.from([channel]), bytesOfText(text)]))
    if (channel === channels.status) socket.close()
  }
  for (const [channel, text] of waiting) send(channel, text)
  waiting = []
  return true
}

const killedCode = 137
const maxInputBytes = 1024 * 1024
/** How long to wait for the first input, and for more: not every client marks the end of its input, or closes one that it does not use. */
const firstInputMs = 300
const moreInputMs = 2000

/** A simulated command starts when its input is complete. Undefined: it is too long. */
class ExecInput {
  readonly #onComplete: (text: string | undefined) => void
  #parts: Buffer[] = []
  #size = 0
  #isComplete = false
  #cancelTimer: CancelTimer = () => {}

  constructor(onComplete: (text: string | undefined) => void) {
    this.#onComplete = onComplete
  }

  take(message: Buffer): void {
    if (this.#isComplete) return
    const [channel] = message
    if (channel === channels.close && message[1] === channels.input) this.#complete()
    if (channel !== channels.input || message.length === 1) return
    this.#size += message.length - 1
    if (this.#size > maxInputBytes) {
      this.#complete()
      return
    }
    this.#parts.push(message.subarray(1))
    this.wait(moreInputMs)
  }

  wait(ms: number): void {
    this.#cancelTimer()
    this.#cancelTimer = realClock.after(ms, () => this.#complete())
  }

  cancel(): void {
    this.#isComplete = true
    this.#cancelTimer()
  }

  #complete(): void {
    this.cancel()
    this.#onComplete(this.#size > maxInputBytes ? undefined : textOfBytes(Buffer.concat(this.#parts)))
  }
}

function statusOf(exitCode: number): Partial<Status> {
  if (exitCode === 0) return { metadata: {}, status: 'Success' }
  return {
    metadata: {},
    status: 'Failure',
    message: `command terminated with non-zero exit code: exit status ${exitCode}`,
    reason: 'NonZeroExitCode',
    details: { causes: [{ reason: 'ExitCode', message: String(exitCode) }] },
  }
}
