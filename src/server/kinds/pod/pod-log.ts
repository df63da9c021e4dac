// GET …/pods/x/log. Selects the container and checks that it has a log, with the messages of the API server and the kubelet; the
// simulated nodes provide the lines.
// Kubernetes: pkg/registry/core/pod/rest.LogREST.*
import type { PodLogOptions } from '../../../api/kinds/core/pod/log-options.ts'
import { canonicalTime, timeProblem } from '../../../api/machinery/decode/time.ts'
import { type FieldError, forbidden, invalid } from '../../../api/machinery/field-error.ts'
import { badRequestError, invalidError } from '../../../api/machinery/status-error.ts'
import type { ContainerStatus, Pod } from '../../../api/types.ts'
import type { Exchange } from '../../http/exchange.ts'
import type { Query } from '../../http/query.ts'
import type { Request } from '../../http/request.ts'

interface LogOptions extends PodLogOptions {
  readonly limitBytes?: number
}

/** The whole log, or a stream of it. A stream is ended by `return()` when the client disconnects. */
export type ReadLog = (pod: Pod, options: LogOptions) => string | AsyncIterable<string>

/** Throws a StatusError where an option is invalid, before the pod is read. */
function checkLogOptions(query: Query, name: string): void {
  const sinceSeconds = query.int64('sinceSeconds')
  const sinceTime = query.text('sinceTime')
  const tailLines = query.int64('tailLines')
  const limitBytes = query.int64('limitBytes')
  const errors: FieldError[] = []
  if (sinceTime && canonicalTime(sinceTime) === undefined) throw badRequestError(timeProblem(sinceTime, false))
  if (tailLines !== undefined && tailLines < 0) errors.push(invalid('tailLines', tailLines, 'must be greater than or equal to 0'))
  if (limitBytes !== undefined && limitBytes < 1) errors.push(invalid('limitBytes', limitBytes, 'must be greater than 0'))
  if (sinceSeconds !== undefined && sinceTime) errors.push(forbidden('[]', 'at most one of `sinceTime` or `sinceSeconds` may be specified'))
  else if (sinceSeconds !== undefined && sinceSeconds < 1) errors.push(invalid('sinceSeconds', sinceSeconds, 'must be greater than 0'))
  if (query.text('stream') !== undefined) errors.push(forbidden('stream', 'may not be specified'))
  if (errors.length > 0) throw invalidError({ group: '', kind: 'PodLogOptions' }, name, errors)
}

function readLogOptions(query: Query, pod: Pod): LogOptions {
  const limitBytes = query.int64('limitBytes')
  const options = logOptionsOf(query, chooseContainer(pod, query.text('container') ?? ''))
  return limitBytes === undefined ? options : { ...options, limitBytes }
}

export function logOptionsOf(query: Query, container: string): PodLogOptions {
  return {
    container,
    follow: query.flag('follow') ?? false,
    previous: query.flag('previous') ?? false,
    timestamps: query.flag('timestamps') ?? false,
    sinceSeconds: query.int64('sinceSeconds'),
    sinceTime: query.text('sinceTime') || undefined,
    tailLines: query.int64('tailLines'),
  }
}

/** The named container, or the only one. */
export function chooseContainer({ metadata, spec }: Pod, wanted: string): string {
  const name = metadata?.name ?? ''
  const containers = spec?.containers ?? []
  const all = [...(spec?.initContainers ?? []), ...containers, ...(spec?.ephemeralContainers ?? [])].map((one) => one.name)
  if (wanted !== '') {
    if (!all.includes(wanted)) throw badRequestError(`container ${wanted} is not valid for pod ${name}`)
    return wanted
  }
  if (containers.length === 1) return containers[0]!.name
  if (containers.length === 0) throw badRequestError(`a container name must be specified for pod ${name}`)
  throw badRequestError(`a container name must be specified for pod ${name}, choose one of: [${all.join(' ')}]`)
}

/** Of a container of any kind. */
export function containerStatus({ status }: Pod, container: string): ContainerStatus | undefined {
  const { containerStatuses = [], initContainerStatuses = [], ephemeralContainerStatuses = [] } = status ?? {}
  return [...containerStatuses, ...initContainerStatuses, ...ephemeralContainerStatuses].find(({ name }) => name === container)
}

/** Throws the kubelet's error when the container has not started yet. */
function requireStarted(pod: Pod, { container, previous }: LogOptions): void {
  const where = `container ${JSON.stringify(container)} in pod ${JSON.stringify(pod.metadata?.name ?? '')}`
  const found = containerStatus(pod, container)
  if (found === undefined) throw badRequestError(`${where} is not available`)
  const { state = {}, lastState } = found
  if (previous) {
    if (lastState?.terminated === undefined) throw badRequestError(`previous terminated ${where} not found`)
  } else if (!state.running && !state.terminated && !lastState?.terminated) {
    const reason = state.waiting?.reason
    if (reason === undefined) throw badRequestError(`${where} is waiting to start - no logs yet`)
    const why =
      reason === 'ErrImagePull' ? "image can't be pulled" : reason === 'ImagePullBackOff' ? 'trying and failing to pull image' : reason
    throw badRequestError(`${where} is waiting to start: ${why}`)
  }
}

interface LogSource {
  /** Throws where the node of the pod cannot be reached. */
  requireNode(pod: Pod): void
  readonly readLog: ReadLog
}

export async function sendLog(request: Request, name: string, readPod: () => Pod, { requireNode, readLog }: LogSource): Promise<void> {
  checkLogOptions(request.query, name)
  const pod = readPod()
  const options = readLogOptions(request.query, pod)
  if (!pod.spec?.nodeName && request.exchange.upgrade === undefined) {
    request.code = 204
    return request.exchange.respond(204, {}, '')
  }
  const hasNode = Boolean(pod.spec?.nodeName)
  if (hasNode) {
    requireNode(pod)
    requireStarted(pod, options)
  }
  const log = hasNode ? readLog(pod, options) : ''
  if (request.exchange.upgrade !== undefined) {
    request.code = 101
    sendLogMessages(request.exchange.upgrade, log, options.limitBytes ?? Number.POSITIVE_INFINITY).catch(() => request.exchange.abort())
    return
  }
  if (typeof log === 'string') return request.sendParts(200, 'text/plain', [cutTo(log, options.limitBytes)])
  request.code = 200
  // Not awaited: following a log must not occupy an in-flight slot.
  followLog(request, log, options.limitBytes ?? Number.POSITIVE_INFINITY).catch(() => request.exchange.abort())
}

/** Sends each piece as a WebSocket message. */
async function sendLogMessages(upgrade: NonNullable<Exchange['upgrade']>, log: ReturnType<ReadLog>, limitBytes: number): Promise<void> {
  let stop = () => {}
  let isLost = false
  const socket = upgrade('binary.k8s.io', {
    onMessage() {},
    onClose() {
      isLost = true
      stop()
    },
  })
  let left = limitBytes
  const send = (text: string) => {
    const piece = Buffer.from(text).subarray(0, left)
    left -= piece.length
    if (piece.length > 0) socket.send(piece)
  }
  if (typeof log === 'string') send(log)
  else {
    const lines = log[Symbol.asyncIterator]()
    stop = () => lines.return?.()
    for (let next = await lines.next(); !next.done && !isLost && left > 0; next = await lines.next()) send(next.value)
  }
  socket.close()
}

async function followLog(request: Request, log: AsyncIterable<string>, limitBytes: number): Promise<void> {
  const stream = request.exchange.stream(200, request.headers('text/plain'))
  let left = limitBytes
  let isLost = false
  let wake = () => {}
  const lines = log[Symbol.asyncIterator]()
  stream.onDrain(() => wake())
  request.exchange.onClose(() => {
    isLost = true
    wake()
    lines.return?.()
  })
  for (let next = await lines.next(); !next.done && !isLost && left > 0; next = await lines.next()) {
    const piece = Buffer.from(next.value).subarray(0, left)
    left -= piece.length
    if (piece.length > 0 && !stream.write(piece) && !isLost) {
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }
  stream.end()
}

function cutTo(text: string, limitBytes: number | undefined): string {
  return limitBytes === undefined || text.length * 3 <= limitBytes ? text : Buffer.from(text).subarray(0, limitBytes).toString()
}
